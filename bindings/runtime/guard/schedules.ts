import type { RuleValues } from './ruleValues.js';

/**
 * Maximum number of products of a probability and a value for judging one call, some tens of milliseconds of work; beyond it, the call counts as one too many.
 */
const MAX_TERMS = 1_000_000;

/** Half a unit in the last place of 1. */
const ROUNDING = 2 ** -53;

/** The outcomes of actions in the data: rows over chain states, the column after the last state is the end of the run. */
export interface Outcomes {
  readonly states: number;
  readonly rowStart: Uint32Array;
  readonly columns: Uint32Array;
  readonly values: Float64Array;
  /** The rows that leave out ends of runs, with the weight of the ends: they count for rules that they break. */
  readonly ended: ReadonlyMap<number, number>;
  /** The row of an action in a chain state; -1 if it was never taken there. */
  rowOf(s: number, action: number): number;
}

/**
 * The possible outcomes of concurrent calls. Which of them run, and in which order, is unknown: a *schedule* picks the next call to run based on the outcomes
 * so far, or drops the remaining calls. Values are the best and the worst over all schedules, by recursion over the position and the remaining calls.
 *
 * A call that runs in a state in which it was never tried has unknown outcomes. With a budget every schedule counts, including those. Otherwise the order in
 * which the calls were decided always counts, and a call runs out of this order only in states in which it was tried: a pair of calls is not refused because
 * the data have it in one order only.
 *
 * Positions are pairs of chain state s and automaton state q, numbered s * Q + q. Lower numbers are rounded down and upper ones up, row by row, so that each
 * upper number is at least the mean of its successors, in exact arithmetic.
 */
export class Schedules {
  /** More than MAX_TERMS terms were needed: the results mean nothing. */
  exhausted = false;
  /** The action of the last call was taken in the data at a position in which the call may run. */
  tried = false;
  readonly #plane: RuleValues;
  readonly #outcomes: Outcomes;
  /** The action of each call. The last call is the judged one. */
  readonly #actions: readonly number[];
  readonly #judged: number;
  readonly #all: boolean;
  readonly #bounds = new Map<number, Float64Array>();
  readonly #leasts = new Map<number, number>();
  #terms = 0;

  /** @param all whether schedules count that run calls out of order in states in which they were never tried */
  constructor(
    plane: RuleValues,
    outcomes: Outcomes,
    pending: readonly number[],
    action: number,
    all: boolean,
  ) {
    this.#plane = plane;
    this.#outcomes = outcomes;
    this.#actions = [...pending, action];
    this.#judged = 1 << pending.length;
    this.#all = all;
  }

  /** Bounds on the three risks after the judged call has run, over all schedules that run it: lower and upper of `asAgent`, of `least`, of `most`. */
  bounds(position: number): Float64Array {
    return this.#boundsOf(position, 2 * this.#judged - 1);
  }

  /** The judged call's contribution to the least risk under the worst schedule, rounded up: the maximum over all sets of pending calls that may still run. */
  excess(position: number): number {
    let most = 0;
    for (let left = 0; left < this.#judged; left++) {
      if (!this.#isCanonical(left)) continue;
      const without = this.#leastOf(position, left);
      const added = this.#leastOf(position, left | this.#judged) - without;
      most = Math.max(most, added + Math.abs(added) * 2 * ROUNDING);
    }
    return most;
  }

  #boundsOf(position: number, left: number): Float64Array {
    const key = position * 2 * this.#judged + left;
    const known = this.#bounds.get(key);
    if (known !== undefined) return known;
    const plane = this.#plane;
    const bounds = new Float64Array(6);
    const decided = plane.isDecided(position);
    if (decided || (left & this.#judged) === 0) plane.risksAt(position, bounds);
    else for (let i = 0; i < 6; i += 2) bounds[i] = 1;
    if (decided) this.tried ||= this.#row(position, this.#actions.length - 1)[0] >= 0;
    else {
      const after = new Float64Array(6);
      for (let call = 0; call < this.#actions.length; call++) {
        if (!this.#isNext(call, left)) continue;
        const inOrder = (left & ((1 << call) - 1)) === 0;
        if (!this.#boundsAfter(position, call, left, after) && !this.#all && !inOrder) continue;
        for (let i = 0; i < 6; i += 2) {
          bounds[i] = Math.min(bounds[i], after[i]);
          bounds[i + 1] = Math.max(bounds[i + 1], after[i + 1]);
        }
      }
    }
    this.#bounds.set(key, bounds);
    return bounds;
  }

  /**
   * Computes the means over the outcomes of `call`: the widest bounds if it was never tried.
   * @returns whether it was tried
   */
  #boundsAfter(position: number, call: number, left: number, after: Float64Array): boolean {
    const { columns, values } = this.#outcomes;
    after.fill(0);
    const [first, end, ended] = this.#row(position, call);
    if (first < 0) {
      after[1] = after[3] = after[5] = 1;
      return false;
    }
    if (1 << call === this.#judged) this.tried = true;
    for (let k = first; k < end; k++) {
      const next = this.#boundsOf(this.#plane.positionAfter(position, columns[k]), left & ~(1 << call));
      for (let i = 0; i < 6; i++) after[i] += values[k] * next[i];
    }
    if (ended > 0) for (let i = 0; i < 6; i++) after[i] = ended + (1 - ended) * after[i];
    const slack = slackOf(end - first + Number(ended > 0));
    for (let i = 0; i < 6; i += 2) {
      after[i] *= 1 - slack;
      after[i + 1] = Math.min(1, after[i + 1] * (1 + slack));
    }
    return true;
  }

  /** The largest mean of the upper bound on the least risk, V, over schedules of the remaining calls. */
  #leastOf(position: number, left: number): number {
    const plane = this.#plane;
    const now = plane.leastUpper(position);
    if (left === 0 || plane.isDecided(position)) return now;
    const key = position * 2 * this.#judged + left;
    const known = this.#leasts.get(key);
    if (known !== undefined) return known;
    const { columns, values } = this.#outcomes;
    let worst = now;
    for (let call = 0; call < this.#actions.length; call++) {
      if (!this.#isNext(call, left)) continue;
      const [first, end, ended] = this.#row(position, call);
      let mean = first < 0 ? 1 : 0;
      for (let k = first; k < end; k++) {
        mean += values[k] * this.#leastOf(plane.positionAfter(position, columns[k]), left & ~(1 << call));
      }
      if (ended > 0) mean = ended + (1 - ended) * mean;
      worst = Math.max(worst, Math.min(1, mean * (1 + slackOf(end - first + Number(ended > 0)))));
    }
    this.#leasts.set(key, worst);
    return worst;
  }

  /** The range of a call's outcomes, [-1, -1] if it was never tried, and the weight of ends beside them that break the rule. */
  #row(position: number, call: number): readonly [first: number, end: number, ended: number] {
    const { rowStart, ended } = this.#outcomes;
    const row = this.exhausted
      ? -1
      : this.#outcomes.rowOf(this.#plane.stateOf(position), this.#actions[call]);
    if (row < 0) return [-1, -1, 0];
    this.#terms += rowStart[row + 1] - rowStart[row];
    if (this.#terms > MAX_TERMS) this.exhausted = true;
    const endsBadly = ended.size > 0 && this.#plane.breaksAtEnd(position);
    return [rowStart[row], rowStart[row + 1], endsBadly ? (ended.get(row) ?? 0) : 0];
  }

  /** Whether the call remains, and no other of the same action before it: the order of the two makes no difference. */
  #isNext(call: number, left: number): boolean {
    if ((left & (1 << call)) === 0) return false;
    const judged = 1 << call === this.#judged;
    for (let other = 0; other < call && !judged; other++) {
      if (this.#actions[other] === this.#actions[call] && (left & (1 << other)) !== 0) return false;
    }
    return true;
  }

  /** Whether, among calls of the same action, the later ones remain, as `#isNext` leaves them: other sets are equivalent. */
  #isCanonical(left: number): boolean {
    for (let call = 0; 1 << call < this.#judged; call++) {
      if ((left & (1 << call)) === 0) continue;
      for (let other = call + 1; 1 << other < this.#judged; other++) {
        if (this.#actions[other] === this.#actions[call] && (left & (1 << other)) === 0) return false;
      }
    }
    return true;
  }
}

/** Twice the relative error of a sum of this many products of non-negative numbers, and of scaling it. */
function slackOf(terms: number): number {
  return 2 * (terms + 4) * ROUNDING;
}
