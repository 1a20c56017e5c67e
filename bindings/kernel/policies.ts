import type { BlockChoices, Bounds } from './engine.js';
import type { Direction } from './types/index.js';

/** How often policies are improved before this is given up. */
const IMPROVEMENTS = 100;

/** A choice is better than another if its value is so by more than this, relatively: less may be rounding. */
const NOTICEABLE = 2 ** -40;

/** What policy iteration found for the blocks of a component: values that are all but exact, and how to make bounds of them. */
export interface PolicyValues {
  /** The value of each block under the best policy, from the bounds of the blocks after the component. */
  readonly values: Bounds;
  /** Expected steps in the component under that policy: values minus a little for each step satisfy its equations with room. */
  readonly steps: Float64Array;
  /** The most steps under any policy that is as good as the best one; undefined if that is not known. */
  readonly mostSteps: Float64Array | undefined;
}

/**
 * Policy iteration (Howard 1960) on a component from `first` on, all of whose blocks are unknown: a policy's equations are
 * solved by elimination without subtraction, then every block takes its best choice. In plain doubles, so nothing is
 * certain: what comes out is to be verified. It converges where interval iteration needs millions of sweeps. Takes time
 * cubic in the blocks.
 *
 * @returns undefined if policies still improve, or numbers became too small.
 */
export function bestPolicy(
  choices: BlockChoices,
  first: number,
  direction: Direction,
): PolicyValues | undefined {
  return new PolicyIteration(choices, first, direction).solve();
}

class PolicyIteration {
  private readonly choices: BlockChoices;
  private readonly first: number;
  private readonly size: number;
  private readonly sign: number;

  constructor(choices: BlockChoices, first: number, direction: Direction) {
    this.choices = choices;
    this.first = first;
    this.size = choices.groupStart.length - 1;
    this.sign = direction === 'max' ? 1 : -1;
  }

  solve(): PolicyValues | undefined {
    const { exit, gain } = this.choices;
    const middle = gain.lower.map((lower, c) => (lower + gain.upper[c]) / 2);
    const best = this.improve(this.leavingPolicy(), middle, this.sign, () => true);
    if (best === undefined) return undefined;
    const solved = this.evaluate(best.policy, [gain.lower, gain.upper, exit]);
    if (solved === undefined) return undefined;
    const [lower, upper, steps] = solved;
    const asGood = (b: number, c: number) =>
      Math.abs(this.value(c, middle, best.values) - best.values[b]) <= 1e-9 * best.values[b];
    const most = this.improve(best.policy, exit, 1, asGood);
    return { values: { lower, upper }, steps, mostSteps: most?.values };
  }

  /** Improves a policy for the gains given, greatest (sign 1) or least (sign -1), among the choices allowed. */
  private improve(
    start: readonly number[],
    gain: Float64Array,
    sign: number,
    allowed: (block: number, choice: number) => boolean,
  ): { policy: number[]; values: Float64Array } | undefined {
    const { groupStart } = this.choices;
    const policy = [...start];
    for (let i = 0; i < IMPROVEMENTS; i++) {
      const values = this.evaluate(policy, [gain])?.[0];
      if (values === undefined) return undefined;
      let improved = false;
      for (let b = 0; b < this.size; b++) {
        let best = values[b] * (1 + sign * NOTICEABLE);
        for (let c = groupStart[b]; c < groupStart[b + 1]; c++) {
          const value = this.value(c, gain, values);
          if (sign * (value - best) <= 0 || !allowed(b, c)) continue;
          best = value;
          policy[b] = c;
          improved = true;
        }
      }
      if (!improved) return { policy, values };
    }
    return undefined;
  }

  /** A policy that leaves the component almost surely: each choice leads towards a way out with positive probability. */
  private leavingPolicy(): number[] {
    const { groupStart, rowStart, columns, values, exit } = this.choices;
    const policy: number[] = [];
    const leads = (c: number) => {
      let inside = 0;
      for (let e = rowStart[c]; e < rowStart[c + 1]; e++) {
        if (columns[e] < this.first || policy[columns[e] - this.first] !== undefined) return true;
        inside += values[e];
      }
      return exit[c] > inside * (1 + NOTICEABLE);
    };
    for (let found = true; found; ) {
      found = false;
      for (let b = 0; b < this.size; b++) {
        if (policy[b] !== undefined) continue;
        for (let c = groupStart[b]; c < groupStart[b + 1] && policy[b] === undefined; c++) {
          if (leads(c)) policy[b] = c;
        }
        found ||= policy[b] !== undefined;
      }
    }
    return Array.from({ length: this.size }, (_, b) => policy[b] ?? groupStart[b]);
  }

  private value(c: number, gain: Float64Array, blocks: Float64Array): number {
    const { rowStart, columns, values, exit } = this.choices;
    let sum = gain[c];
    for (let e = rowStart[c]; e < rowStart[c + 1]; e++) {
      if (columns[e] >= this.first) sum += values[e] * blocks[columns[e] - this.first];
    }
    return sum / exit[c];
  }

  /** Solves the equations of a policy for several gains at once (Grassmann, Taksar and Heyman 1985). */
  private evaluate(policy: readonly number[], gains: readonly Float64Array[]): Float64Array[] | undefined {
    const { rowStart, columns, values, exit } = this.choices;
    const n = this.size;
    // A row: moves inside, then what leaves the component, then the gains.
    const rows = policy.map((c) => {
      const row = new Float64Array(n + 1 + gains.length);
      let inside = 0;
      for (let e = rowStart[c]; e < rowStart[c + 1]; e++) {
        if (columns[e] < this.first) continue;
        row[columns[e] - this.first] += values[e];
        inside += values[e];
      }
      row[n] = Math.max(0, exit[c] - inside);
      for (const [i, gain] of gains.entries()) row[n + 1 + i] = gain[c];
      return row;
    });
    const pivots = new Float64Array(n);
    for (let k = n - 1; k >= 0; k--) {
      const last = rows[k];
      let pivot = last[n];
      for (let j = 0; j < k; j++) pivot += last[j];
      if (!(pivot > 0)) return undefined;
      pivots[k] = pivot;
      for (let i = 0; i < k; i++) {
        const factor = rows[i][k] / pivot;
        if (factor === 0) continue;
        for (let j = 0; j < k; j++) rows[i][j] += factor * last[j];
        for (let j = n; j < last.length; j++) rows[i][j] += factor * last[j];
      }
    }
    return gains.map((_, i) => {
      const solution = new Float64Array(n);
      for (let k = 0; k < n; k++) {
        let sum = rows[k][n + 1 + i];
        for (let j = 0; j < k; j++) sum += rows[k][j] * solution[j];
        solution[k] = sum / pivots[k];
      }
      return solution;
    });
  }
}
