import type { Bounds } from '../../../bindings/base/bounds.js';
import type { Elimination } from '../../../bindings/solvers/kernel/engine.js';
import { Status } from '../../../bindings/solvers/kernel/status.js';
import { tighten } from './bounds.js';
import type { ReferenceChain } from './chain.js';

/** No product may become smaller than this, or relative errors would not be small. */
const NORMAL = 2 ** -1000;

/** Above this many states the dense matrix takes too much time and memory. */
const MAX_STATES = 2000;

/** About how many products here take as long as an entry of a row in interval iteration. */
const FASTER = 16;

/** A row: what leaves the component, what is gained by leaving it, and the moves inside. */
interface Row {
  exit: number;
  lower: number;
  upper: number;
  readonly inside: Float64Array;
}

/**
 * Direct solution of a component without subtraction (Grassmann, Taksar and Heyman 1985). The error bound is derived in
 * assembly/solve/elimination.ts.
 */
export function openElimination(
  chain: ReferenceChain,
  members: readonly number[],
  bounds: Bounds,
): Elimination {
  const n = members.length;
  if (n > MAX_STATES) return { advance: () => ({ status: Status.Full, work: 0 }), close() {} };
  const rows = rowsOf(chain, members, bounds);
  const pivots = new Float64Array(n);

  const censor = (k: number): Status => {
    const last = rows[k];
    const leaving = last.inside.subarray(0, k);
    const pivot = leaving.reduce((sum, entry) => sum + entry, last.exit);
    const smallest = smallestPositive([last.exit, last.lower, last.upper, ...leaving]);
    if (!(pivot > 0)) return Status.Underflow;
    pivots[k] = pivot;
    for (let i = 0; i < k; i++) {
      const row = rows[i];
      if (row.inside[k] === 0) continue;
      const factor = row.inside[k] / pivot;
      if (factor * smallest < NORMAL) return Status.Underflow;
      row.exit += factor * last.exit;
      row.lower += factor * last.lower;
      row.upper += factor * last.upper;
      for (let j = 0; j < k; j++) row.inside[j] += factor * leaving[j];
    }
    return Status.Ok;
  };

  const substitute = (): Status => {
    const lower = new Float64Array(n);
    const upper = new Float64Array(n);
    let smallestValue = 1;
    for (let k = 0; k < n; k++) {
      const row = rows[k];
      if (smallestPositive(row.inside.subarray(0, k)) * smallestValue < NORMAL) return Status.Underflow;
      let [sumLower, sumUpper] = [row.lower, row.upper];
      for (let j = 0; j < k; j++) {
        sumLower += row.inside[j] * lower[j];
        sumUpper += row.inside[j] * upper[j];
      }
      lower[k] = sumLower / pivots[k];
      upper[k] = sumUpper / pivots[k];
      smallestValue = Math.min(smallestValue, smallestPositive([lower[k], upper[k]]));
    }
    const error = errorBound(chain, members);
    members.forEach((s, k) => {
      tighten(bounds, s, lower[k] * (1 - error), upper[k] * (1 + error));
    });
    return Status.Ok;
  };

  let left = n;
  return {
    advance(work) {
      let done = 0;
      for (; left > 0 && done < work; left--) {
        const status = censor(left - 1);
        if (status !== Status.Ok) return { status, work: done };
        done += left ** 2 / FASTER;
      }
      return { status: left > 0 ? Status.Unfinished : substitute(), work: done };
    },

    close() {},
  };
}

function rowsOf(chain: ReferenceChain, members: readonly number[], bounds: Bounds): Row[] {
  const place = new Map(members.map((s, i) => [s, i]));
  return members.map((s) => {
    const row: Row = { exit: 0, lower: 0, upper: 0, inside: new Float64Array(members.length) };
    for (let e = chain.rowStart[s]; e < chain.rowStart[s + 1]; e++) {
      const t = chain.columns[e];
      const probability = chain.values[e];
      const inside = place.get(t);
      if (inside !== undefined) {
        row.inside[inside] = probability;
      } else {
        row.exit += probability;
        row.lower += probability * bounds.lower[t];
        row.upper += probability * bounds.upper[t];
      }
    }
    return row;
  });
}

function smallestPositive(numbers: Iterable<number>): number {
  let smallest = 1;
  for (const number of numbers) if (number > 0) smallest = Math.min(smallest, number);
  return smallest;
}

function errorBound(chain: ReferenceChain, members: readonly number[]): number {
  const n = members.length;
  const longest = members.reduce((most, s) => Math.max(most, chain.rowStart[s + 1] - chain.rowStart[s]), 0);
  return 1.01 * ((2 * n ** 3) / 3 + 3 * n ** 2 + 2 * n * longest + 8) * 2 ** -53;
}
