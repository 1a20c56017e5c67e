import type { Bounds } from '../../../bindings/base/bounds.js';
import type { BitSet } from '../../../bindings/solvers/kernel/bitSet.js';
import type { Elimination, SystemInput, SystemProblem } from '../../../bindings/solvers/kernel/engine.js';
import { Status } from '../../../bindings/solvers/kernel/status.js';
import type { Csr } from '../../../bindings/solvers/kernel/types/index.js';
import { gapOf, outward, tighten } from './bounds.js';
import type { ReferenceChain } from './chain.js';
import { components } from './graph.js';
import { eliminateSystem } from './systemElimination.js';

/** As in assembly/solve/systemIteration.ts: where lower bounds stop, and the sweep at which upper ones are first guessed. */
export const LARGEST = 2 ** 1000;
const FIRST_GUESS = 4;

/** Above this many states the dense matrix takes too much time and memory. */
const MAX_STATES = 2000;

/** Equations for unknown states; what they mean and why bounds stay bounds is said in assembly/solve/system.ts. */
export class ReferenceSystem implements SystemProblem {
  readonly componentStart: Uint32Array;
  private readonly chain: ReferenceChain;
  /** What each state depends on, and how much: the rows of the chain, or its columns. */
  private readonly rows: Csr;
  private readonly transposed: boolean;
  private readonly gain: Bounds;
  private readonly members: readonly (readonly number[])[];
  private readonly current: Bounds;
  private readonly guess: Float64Array;
  private stalled = 0;

  constructor(chain: ReferenceChain, { unknown, start, gain, transposed }: SystemInput) {
    this.chain = chain;
    this.transposed = transposed;
    this.rows = transposed ? columnsOf(chain) : chain;
    this.gain = gain ?? { lower: new Float64Array(chain.states), upper: new Float64Array(chain.states) };
    this.current = { lower: start.lower.slice(), upper: start.upper.slice() };
    this.guess = new Float64Array(chain.states);
    const successorsFirst = components(chain, unknown);
    this.members = transposed ? successorsFirst.toReversed() : successorsFirst;
    this.componentStart = new Uint32Array(this.members.length + 1);
    for (const [c, states] of this.members.entries()) {
      this.componentStart[c + 1] = this.componentStart[c] + states.length;
    }
  }

  solveSmall(first: number, last: number): number {
    for (let component = first; component < last; component++) {
      const members = this.members[component];
      if (members.length === 1) this.tightenByEquation(members[0]);
      else if (this.eliminate(component) !== Status.Ok) return component;
    }
    return last;
  }

  intervalSweeps(component: number, from: number, count: number): number {
    const { current } = this;
    const forward = this.members[component];
    const backward = forward.toReversed();
    let bounded = current.upper[forward[0]] < Number.POSITIVE_INFINITY;
    if (from === 0) this.stalled = 0;
    for (let done = 0; done < count; done++) {
      const i = from + done;
      const order = i % 8 === 7 ? backward : forward;
      let moved = false;
      for (const s of order) if (this.tightenByEquation(s)) moved = true;
      if (bounded) {
        if (!moved) return done;
        continue;
      }
      if (!moved && this.stalled === 0) this.stalled = i + 1;
      if (this.stalled > 0 && i > 4 * this.stalled + 64) return done;
      if (i < FIRST_GUESS) continue;
      if ((i & (i - 1)) === 0) this.startGuess(forward);
      if (this.guessSweep(order)) {
        for (const s of forward) current.upper[s] = this.guess[s];
        bounded = true;
      }
    }
    return count;
  }

  valueSweep(component: number, relative: boolean): number {
    const { lower } = this.current;
    let largest = 0;
    for (const s of this.members[component]) {
      const value = Math.min(this.sum(s, this.gain.lower, lower) / this.chain.exit[s], LARGEST);
      const change = Math.abs(value - lower[s]);
      if (change > 0) largest = Math.max(largest, change / (relative ? value : Math.max(1, value)));
      lower[s] = value;
    }
    return largest;
  }

  openElimination(component: number): Elimination {
    const n = this.members[component].length;
    return {
      advance: () =>
        n > MAX_STATES
          ? { status: Status.Full, work: 0 }
          : { status: this.eliminate(component), work: n ** 3 / 3 },
      close() {},
    };
  }

  widestGap(first: number, last: number, relative: boolean): number {
    let widest = 0;
    for (let component = first; component < last; component++) {
      for (const s of this.members[component]) widest = Math.max(widest, gapOf(this.current, s, relative));
    }
    return widest;
  }

  inheritedGap(component: number, relative: boolean): number {
    const inside = new Set(this.members[component]);
    let widest = 0;
    for (const s of inside) {
      for (const t of this.dependencies(s)) {
        if (!inside.has(t)) widest = Math.max(widest, gapOf(this.current, t, relative));
      }
    }
    return widest;
  }

  arrivals(set: BitSet): Bounds {
    const lower = new Float64Array(this.chain.states);
    const upper = new Float64Array(this.chain.states);
    for (const s of set) {
      const error = outward(this.dependencies(s).length);
      lower[s] = this.sum(s, this.gain.lower, this.current.lower) * (1 - error);
      upper[s] = this.sum(s, this.gain.upper, this.current.upper) * (1 + error);
    }
    return { lower, upper };
  }

  bounds(): Bounds {
    return { lower: this.current.lower.slice(), upper: this.current.upper.slice() };
  }

  close(): void {}

  private eliminate(component: number): Status {
    const members = this.members[component];
    const inside = new Set(members);
    const gains = members.map((s) => {
      let [lower, upper] = [this.gain.lower[s], this.gain.upper[s]];
      for (let e = this.rows.rowStart[s]; e < this.rows.rowStart[s + 1]; e++) {
        const t = this.rows.columns[e];
        if (inside.has(t)) continue;
        lower += this.rows.values[e] * this.current.lower[t];
        upper += this.rows.values[e] * this.current.upper[t];
      }
      return { lower, upper };
    });
    const longest = members.reduce(
      (most, s) =>
        Math.max(most, this.dependencies(s).length, this.chain.rowStart[s + 1] - this.chain.rowStart[s]),
      0,
    );
    const solution = eliminateSystem(this.chain, members, gains, this.transposed);
    if (solution === undefined) return Status.Underflow;
    const n = members.length;
    const error = 1.01 * ((2 * n ** 3) / 3 + 3 * n ** 2 + (2 * n + 1) * longest + 16) * 2 ** -53;
    for (const [i, s] of members.entries()) {
      tighten(this.current, s, solution[i].lower * (1 - error), solution[i].upper * (1 + error));
    }
    return Status.Ok;
  }

  private dependencies(s: number): Uint32Array {
    return this.rows.columns.subarray(this.rows.rowStart[s], this.rows.rowStart[s + 1]);
  }

  /** The right-hand side of an equation, rounded any way. */
  private sum(s: number, gain: Float64Array, values: Float64Array): number {
    const { rowStart, columns, values: probabilities } = this.rows;
    let sum = gain[s];
    for (let e = rowStart[s]; e < rowStart[s + 1]; e++) sum += probabilities[e] * values[columns[e]];
    return sum;
  }

  private tightenByEquation(s: number): boolean {
    const { gain, current } = this;
    const exit = this.chain.exit[s];
    const error = outward(this.dependencies(s).length + 1);
    const lower = (this.sum(s, gain.lower, current.lower) / exit) * (1 - error);
    const upper = (this.sum(s, gain.upper, current.upper) / exit) * (1 + error);
    return tighten(current, s, Math.min(lower, LARGEST), upper);
  }

  /** Guesses twice the lower bounds; states that the component depends on take part with their upper bounds. */
  private startGuess(members: readonly number[]): void {
    for (const s of members) for (const t of this.dependencies(s)) this.guess[t] = this.current.upper[t];
    for (const s of members) this.guess[s] = 2 * this.current.lower[s];
  }

  /** One sweep over the guess; true if it raised nothing, which proves that it is an upper bound. */
  private guessSweep(order: readonly number[]): boolean {
    const { guess } = this;
    let raised = false;
    for (const s of order) {
      const error = outward(this.dependencies(s).length + 1);
      const sum = this.sum(s, this.gain.upper, guess);
      const upper = Math.max((sum / this.chain.exit[s]) * (1 + error), 2 ** -500);
      if (upper > guess[s]) raised = true;
      guess[s] = upper;
    }
    return !raised;
  }
}

/** The transpose of the off-diagonal entries. */
function columnsOf({ states, rowStart, columns, values, predecessors }: ReferenceChain): Csr {
  const starts = new Uint32Array(states + 1);
  for (let t = 0; t < states; t++) starts[t + 1] = starts[t] + predecessors[t].length;
  const place = starts.slice();
  const transposed = new Float64Array(values.length);
  for (let s = 0; s < states; s++) {
    for (let e = rowStart[s]; e < rowStart[s + 1]; e++) transposed[place[columns[e]]++] = values[e];
  }
  return { rowStart: starts, columns: Uint32Array.from(predecessors.flat()), values: transposed };
}
