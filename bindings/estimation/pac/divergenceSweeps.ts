import { BitSet } from '../../solvers/kernel/index.js';
import type { ConfidenceRows } from './confidenceRows.js';
import { ballMaximum } from './divergenceBall.js';
import { type CertificateProblem, UNSEEN } from './problem.js';

/** Bound on the rounding error of 1 minus a number. */
const ROUNDING = 2 ** -53;

/**
 * Narrows bounds by the divergences of rows, which exclude more than their intervals and distances do. A node's bound follows from those of
 * its successors, so valid bounds stay valid with every sweep.
 */
export class DivergenceSweeps {
  readonly #problem: CertificateProblem;
  readonly #confidence: ConfidenceRows;
  readonly #scheduler: 'min' | 'max';
  /** Nodes at which nothing remains to happen. */
  readonly #decided: BitSet;
  readonly #centre: Float64Array;
  readonly #values: Float64Array;

  constructor(problem: CertificateProblem, confidence: ConfidenceRows, scheduler: 'min' | 'max') {
    const { nodes, rowStart, violated, safe, unseen } = problem;
    this.#problem = problem;
    this.#confidence = confidence;
    this.#scheduler = scheduler;
    this.#decided = violated.union(safe).union(BitSet.of(nodes, [unseen]));
    let widest = 0;
    for (let row = 0; row + 1 < rowStart.length; row++) {
      widest = Math.max(widest, rowStart[row + 1] - rowStart[row]);
    }
    this.#centre = new Float64Array(widest);
    this.#values = new Float64Array(widest);
  }

  /** Whether any row has a finite divergence. */
  get useful(): boolean {
    return this.#confidence.divergence.some((radius) => radius < Number.POSITIVE_INFINITY);
  }

  /**
   * Lowers the upper bounds `into` to those implied by the successors' bounds `from`. Both may be the same array; a node then uses the new
   * bounds of the nodes before it.
   *
   * @returns the largest change of a bound
   */
  lower(from: Float64Array, into: Float64Array): number {
    return this.#sweep(into, (node) => {
      const bound = this.#greatest(node, (successor) => from[successor], this.#scheduler);
      return bound < into[node] ? bound : into[node];
    });
  }

  /** Raises lower bounds in the same way, through the complement. */
  raise(from: Float64Array, into: Float64Array): number {
    const opposite = this.#scheduler === 'max' ? 'min' : 'max';
    const complement = (successor: number): number => 1 - from[successor] + ROUNDING;
    return this.#sweep(into, (node) => {
      const bound = 1 - this.#greatest(node, complement, opposite) - ROUNDING;
      return bound > into[node] ? bound : into[node];
    });
  }

  #sweep(into: Float64Array, narrowed: (node: number) => number): number {
    let moved = 0;
    for (let node = 0; node < into.length; node++) {
      if (this.#decided.has(node)) continue;
      const bound = narrowed(node);
      moved = Math.max(moved, Math.abs(bound - into[node]));
      into[node] = bound;
    }
    return moved;
  }

  /** The largest mean of values over the divergence ball of a row, optimised over the node's rows for the scheduler. Outcomes never seen have value 1. */
  #greatest(node: number, valueAt: (node: number) => number, scheduler: 'min' | 'max'): number {
    const { rowGroupStart } = this.#problem;
    let best = scheduler === 'max' ? 0 : 1;
    for (let row = rowGroupStart[node]; row < rowGroupStart[node + 1]; row++) {
      best = Math[scheduler](best, this.#greatestOfRow(row, valueAt));
    }
    return best;
  }

  #greatestOfRow(row: number, valueAt: (node: number) => number): number {
    const { rowStart, columns, source, entry } = this.#problem;
    const { centre, divergence } = this.#confidence;
    const drawn = source[row];
    if (drawn < 0) return valueAt(columns[rowStart[row]]);
    if (divergence[drawn] === Number.POSITIVE_INFINITY) return 1;
    let count = 0;
    let most = 0;
    for (let i = rowStart[row]; i < rowStart[row + 1]; i++, count++) {
      const e = entry[i];
      this.#centre[count] = e === UNSEEN ? 0 : centre[e];
      this.#values[count] = e === UNSEEN ? 1 : Math.min(1, valueAt(columns[i]));
      most = Math.max(most, this.#values[count]);
    }
    return ballMaximum(this.#centre, this.#values, count, most, divergence[drawn]);
  }
}
