import type { Bounds } from '../../../bindings/base/bounds.js';
import type { BitSet } from '../../../bindings/solvers/kernel/bitSet.js';
import type { Elimination, UntilProblem } from '../../../bindings/solvers/kernel/engine.js';
import { Status } from '../../../bindings/solvers/kernel/status.js';
import { gapOf, outward, tighten } from './bounds.js';
import type { ReferenceChain } from './chain.js';
import { openElimination } from './elimination.js';
import { components, prob0, prob1 } from './graph.js';

export class ReferenceUntil implements UntilProblem {
  readonly componentStart: Uint32Array;
  readonly members: readonly (readonly number[])[];
  readonly current: Bounds;
  private readonly chain: ReferenceChain;

  static open(chain: ReferenceChain, remain: BitSet, target: BitSet): ReferenceUntil {
    const zero = prob0(chain, remain, target);
    const one = prob1(chain, remain, target);
    const bounds = { lower: new Float64Array(chain.states), upper: new Float64Array(chain.states).fill(1) };
    for (const s of one) bounds.lower[s] = 1;
    for (const s of zero) bounds.upper[s] = 0;
    return new ReferenceUntil(chain, components(chain, zero.union(one).complement()), bounds);
  }

  /** `members`: some components; narrows the bounds given. */
  constructor(chain: ReferenceChain, members: readonly (readonly number[])[], bounds: Bounds) {
    this.chain = chain;
    this.members = members;
    this.current = bounds;
    this.componentStart = new Uint32Array(this.members.length + 1);
    for (const [c, states] of this.members.entries()) {
      this.componentStart[c + 1] = this.componentStart[c] + states.length;
    }
  }

  solveSmall(first: number, last: number): number {
    for (let component = first; component < last; component++) {
      const [state, ...others] = this.members[component];
      if (others.length === 0) this.tightenByRow(state);
      else if (this.openElimination(component).advance(Infinity).status !== Status.Ok) return component;
    }
    return last;
  }

  intervalSweeps(component: number, from: number, count: number): number {
    const forward = this.members[component];
    const backward = forward.toReversed();
    for (let done = 0; done < count; done++) {
      let moved = false;
      for (const s of (from + done) % 8 === 7 ? backward : forward) if (this.tightenByRow(s)) moved = true;
      if (!moved) return done;
    }
    return count;
  }

  valueSweep(component: number, relative: boolean): number {
    const { rowStart, columns, values, exit } = this.chain;
    const { lower } = this.current;
    let largest = 0;
    for (const s of this.members[component]) {
      let sum = 0;
      for (let e = rowStart[s]; e < rowStart[s + 1]; e++) sum += values[e] * lower[columns[e]];
      const value = sum / exit[s];
      const change = Math.abs(value - lower[s]);
      largest = Math.max(largest, relative && change > 0 ? change / value : change);
      lower[s] = value;
    }
    return largest;
  }

  openElimination(component: number): Elimination {
    return openElimination(this.chain, this.members[component], this.current);
  }

  widestGap(first: number, last: number, relative: boolean): number {
    let widest = 0;
    for (let component = first; component < last; component++) {
      for (const s of this.members[component]) widest = Math.max(widest, gapOf(this.current, s, relative));
    }
    return widest;
  }

  inheritedGap(component: number, relative: boolean): number {
    const { rowStart, columns } = this.chain;
    const inside = new Set(this.members[component]);
    let widest = 0;
    for (const s of inside) {
      for (let e = rowStart[s]; e < rowStart[s + 1]; e++) {
        if (!inside.has(columns[e])) widest = Math.max(widest, gapOf(this.current, columns[e], relative));
      }
    }
    return widest;
  }

  bounds(): Bounds {
    return { lower: this.current.lower.slice(), upper: this.current.upper.slice() };
  }

  close(): void {}

  /** The equation of one state: the mean of its successors' values, divided by what leaves it, rounded outward. */
  private tightenByRow(s: number): boolean {
    const { rowStart, columns, values, exit } = this.chain;
    let [lower, upper] = [0, 0];
    for (let e = rowStart[s]; e < rowStart[s + 1]; e++) {
      lower += values[e] * this.current.lower[columns[e]];
      upper += values[e] * this.current.upper[columns[e]];
    }
    const error = outward(rowStart[s + 1] - rowStart[s]);
    return tighten(this.current, s, (lower / exit[s]) * (1 - error), (upper / exit[s]) * (1 + error));
  }
}
