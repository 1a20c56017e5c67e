import { BitSet } from '../kernel/index.js';
import { type EmpiricalChain, empiricalChain } from './amplification.js';
import type { ConfidenceRows } from './confidenceRows.js';
import { eventProblem } from './eventProblem.js';

/** Where a run is begun: in a row's state on request, or null: as the agent begins it. */
export type Beginning = number | null;

/** How often runs draw from each row, as far as the frequencies seen say. Rows are those of a learnt chain: 0 is `start`, the last one `end`. */
export class RunVisits implements Disposable {
  readonly #chain: EmpiricalChain;
  readonly #within: BitSet;
  readonly #rows: number;
  readonly #start: number;
  readonly #from = new Map<Beginning, Float64Array>();

  constructor(confidence: ConfidenceRows) {
    const rows = confidence.rows.draws.length;
    const event = { remain: BitSet.full(rows), target: new BitSet(rows), from: 0 };
    const problem = eventProblem(confidence.rows, rows, { start: 0, end: rows - 1 }, event);
    this.#chain = empiricalChain(problem, confidence);
    this.#within = this.#chain.decided.complement();
    this.#rows = rows;
    this.#start = problem.start;
  }

  [Symbol.dispose](): void {
    this.#chain.kernel.free();
  }

  /**
   * @returns Float64Array(rows): expected draws from each row of one run. A run begun on request draws nothing from `start`.
   * @throws NotConvergedError as the kernel
   */
  from(beginning: Beginning): Float64Array {
    const found = this.#from.get(beginning);
    if (found !== undefined) return found;
    const initial = new Float64Array(this.#within.size);
    initial[beginning ?? this.#start] = 1;
    const { upper } = this.#chain.kernel.visitsFrom(initial, { within: this.#within });
    const visits = upper.slice(0, this.#rows);
    if (beginning === null) visits[0] = 1;
    this.#from.set(beginning, visits);
    return visits;
  }

  /**
   * What one run is expected to earn that earns `weights` with each draw of a row.
   * @returns per beginning, in their order
   */
  earned(weights: Float64Array, beginnings: readonly Beginning[]): number[] {
    const byNode = new Float64Array(this.#within.size);
    byNode.set(weights);
    byNode[this.#start] = weights[0];
    const { upper } = this.#chain.kernel.visitsTo(byNode, { within: this.#within });
    return beginnings.map((beginning) => upper[beginning ?? this.#start]);
  }
}
