import { bitLength } from '../../../base/rational.js';
import { DegreeOrder } from './degreeOrder.js';
import type { WorkLimit } from './workLimit.js';

/** diagonal · x_i − Σ_j coupling_j · x_j = constant, in non-negative whole numbers. */
export interface Equation {
  diagonal: bigint;
  /** Coefficients by the index of the other unknown. */
  coupling: Map<number, bigint>;
  constant: bigint;
}

interface Row extends Equation {
  /** The pivot of the last step that changed the row, initially 1. */
  divisor: bigint;
  /** The approximate number of bits of its numbers. */
  bits: number;
}

/**
 * Solves a nonsingular system of a component by fraction-free elimination: all numbers in it are minors of the system, so that
 * each step adds the bits of one row, and every division is exact. Rows that a step does not touch are not rewritten; they keep
 * the pivot of their last change and are divided by it later.
 *
 * Unknowns with few neighbours go first, which keeps sparse systems sparse.
 *
 * @returns unknown i is `numerators[i] / denominator`.
 * @throws NotSupportedError beyond the work allowed
 * @see Bareiss 1968, doi:10.1090/S0025-5718-1968-0226829-0
 */
export function solveExactly(
  equations: readonly Equation[],
  work: WorkLimit,
): { numerators: bigint[]; denominator: bigint } {
  const rows = equations.map(
    (equation): Row => ({ ...equation, divisor: 1n, bits: bitLength(equation.diagonal) }),
  );
  const users = rows.map(() => new Set<number>());
  rows.forEach((row, i) => {
    for (const j of row.coupling.keys()) users[j].add(i);
  });
  const order: number[] = [];
  const degrees = new DegreeOrder(rows.length, (i) => rows[i].coupling.size * users[i].size);
  let pivot = 1n;
  let bits = 1;
  while (order.length < rows.length) {
    const k = degrees.next();
    const pivotRow = rows[k];
    if (pivotRow.divisor !== pivot) {
      work.spend(2 * (pivotRow.coupling.size + 2), pivotRow.bits, bits);
      const { divisor } = pivotRow;
      rewrite(pivotRow, (value) => (value * pivot) / divisor);
    }
    pivot = pivotRow.diagonal;
    bits = bitLength(pivot);
    order.push(k);
    for (const j of pivotRow.coupling.keys()) users[j].delete(k);
    for (const i of users[k]) {
      work.spend(3 * (rows[i].coupling.size + pivotRow.coupling.size + 2), rows[i].bits, bits);
      substitute(rows[i], i, k, pivotRow, users);
      rows[i].bits += bits - bitLength(rows[i].divisor) + 1;
      rows[i].divisor = pivot;
    }
    for (const i of users[k]) degrees.changed(i);
    for (const j of pivotRow.coupling.keys()) degrees.changed(j);
  }
  const numerators: bigint[] = new Array(rows.length);
  for (const k of order.reverse()) {
    const { coupling, constant, diagonal } = rows[k];
    work.spend(coupling.size + 2, bits, bits);
    let sum = pivot * constant;
    for (const [j, weight] of coupling) sum += weight * numerators[j];
    numerators[k] = sum / diagonal;
  }
  return { numerators, denominator: pivot };
}

/** Puts equation k, solved for x_k, into row i. */
function substitute(row: Row, i: number, k: number, pivotRow: Row, users: readonly Set<number>[]): void {
  const weight = row.coupling.get(k) as bigint;
  row.coupling.delete(k);
  rewrite(row, (value) => value * pivotRow.diagonal);
  row.constant += weight * pivotRow.constant;
  for (const [j, value] of pivotRow.coupling) {
    if (j === i) row.diagonal -= weight * value;
    else {
      row.coupling.set(j, (row.coupling.get(j) ?? 0n) + weight * value);
      users[j].add(i);
    }
  }
  const { divisor } = row;
  if (divisor !== 1n) rewrite(row, (value) => value / divisor);
}

function rewrite(row: Row, change: (value: bigint) => bigint): void {
  row.diagonal = change(row.diagonal);
  row.constant = change(row.constant);
  for (const [j, value] of row.coupling) row.coupling.set(j, change(value));
}
