import { BitSet } from '../../solvers/kernel/index.js';
import { agentRows } from './agentRows.js';
import { type EmpiricalChain, empiricalChain } from './amplification.js';
import type { ConfidenceRows } from './confidenceRows.js';
import { eventProblem } from './eventProblem.js';
import { sharesOfRows } from './followedPolicy.js';
import { rowsOf } from './problem.js';

/** How a run is begun: in a state on request, or (null) as the agent begins it. */
export type Beginning = number | null;

/**
 * Estimates from the observed frequencies how often runs draw from each row; in a decision process, under the agent's own policy. States
 * are those of a learnt model: 0 is `start`, the last one `end`.
 */
export class RunVisits implements Disposable {
  readonly #chain: EmpiricalChain;
  readonly #within: BitSet;
  readonly #start: number;
  /** Uint32Array(rows): the state of each row; Float64Array(rows): the share of the row among the draws of its state. */
  readonly #stateOf: Uint32Array;
  readonly #shares: Float64Array;
  readonly #from = new Map<Beginning, Float64Array>();

  constructor(confidence: ConfidenceRows) {
    const { rows } = confidence;
    const mixed = agentRows(confidence);
    const states = mixed.rows.draws.length;
    const event = { remain: BitSet.full(states), target: new BitSet(states), from: 0 };
    const problem = eventProblem(mixed.rows, states, { start: 0, end: states - 1 }, event);
    this.#chain = empiricalChain(problem, mixed);
    this.#within = this.#chain.decided.complement();
    this.#start = problem.start;
    this.#shares = sharesOfRows(rows);
    this.#stateOf = new Uint32Array(rows.draws.length);
    for (let s = 0; s < states; s++) this.#stateOf.fill(s, ...rowsOf(rows, s));
  }

  [Symbol.dispose](): void {
    this.#chain.kernel.free();
  }

  /**
   * @returns Float64Array(rows): expected draws from each row in one run. A run begun on request draws nothing from `start`.
   * @throws NotConvergedError as the kernel
   */
  from(beginning: Beginning): Float64Array {
    const found = this.#from.get(beginning);
    if (found !== undefined) return found;
    const initial = new Float64Array(this.#within.size);
    initial[beginning ?? this.#start] = 1;
    const { upper } = this.#chain.kernel.visitsFrom(initial, { within: this.#within });
    const visits = this.#shares.map((share, row) => share * upper[this.#stateOf[row]]);
    if (beginning === null) visits[0] = 1;
    this.#from.set(beginning, visits);
    return visits;
  }

  /**
   * The expected reward of one run that earns `weights` with each draw of a row.
   * @returns one value per beginning, in order
   */
  earned(weights: Float64Array, beginnings: readonly Beginning[]): number[] {
    const byNode = new Float64Array(this.#within.size);
    weights.forEach((weight, row) => {
      byNode[this.#stateOf[row]] += this.#shares[row] * weight;
    });
    byNode[this.#start] = weights[0];
    const { upper } = this.#chain.kernel.visitsTo(byNode, { within: this.#within });
    return beginnings.map((beginning) => upper[beginning ?? this.#start]);
  }
}
