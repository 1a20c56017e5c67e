import type { Bounds } from '../../../bindings/base/bounds.js';
import { NO_COMPONENT } from '../../../bindings/solvers/kernel/components.js';
import type {
  BlockChoices,
  Engine,
  OptimumPlan,
  OptimumProblem,
} from '../../../bindings/solvers/kernel/engine.js';
import { SMALLEST_PROBABILITY } from '../../../bindings/solvers/kernel/invalidModel.js';
import type { Direction } from '../../../bindings/solvers/kernel/types/index.js';
import { outward } from './bounds.js';
import { stayError } from './chain.js';
import type { ReferenceMdp } from './mdp.js';
import { bestRange, type Range, type Step } from './steps.js';
import { sumInTwoDoubles } from './sumInTwoDoubles.js';

/** The value of a block under this choice is (gain + sum of entry times successor) / exit. */
interface Choice {
  /** The row of the MDP. */
  readonly row: number;
  readonly exit: number;
  readonly gainLower: number;
  readonly gainUpper: number;
  /** The probability to leave all blocks. */
  readonly outside: number;
  /** How many terms its equation adds up. */
  readonly terms: number;
  readonly entries: readonly (readonly [block: number, probability: number])[];
  /** Relative error of one evaluation. */
  readonly error: number;
}

/** The MDP between blocks; the equations and the scheduler are explained in assembly/solve/optimise.ts. */
export class ReferenceOptimum implements OptimumProblem {
  private readonly groups: readonly (readonly Choice[])[];
  private readonly maximise: boolean;
  private readonly current: Bounds;
  private readonly chosen: Choice[];
  readonly load: Engine['load'];

  constructor(mdp: ReferenceMdp, plan: OptimumPlan, load: Engine['load']) {
    this.load = load;
    const { memberStart, members } = plan;
    const blocks = memberStart.length - 1;
    const blockOf = new Uint32Array(mdp.states).fill(NO_COMPONENT);
    for (let b = 0; b < blocks; b++) {
      for (let i = memberStart[b]; i < memberStart[b + 1]; i++) blockOf[members[i]] = b;
    }
    this.maximise = plan.direction === 'max';
    this.current = { lower: new Float64Array(blocks), upper: new Float64Array(blocks).fill(plan.upper) };
    this.groups = Array.from({ length: blocks }, (_, b) => {
      const choices: Choice[] = [];
      for (const s of members.subarray(memberStart[b], memberStart[b + 1])) {
        for (let row = mdp.groupStart[s]; row < mdp.groupStart[s + 1]; row++) {
          const choice = plan.rows.has(row) ? choiceOf(mdp, plan, blockOf, row) : undefined;
          if (choice !== undefined) choices.push(choice);
        }
      }
      return choices;
    });
    this.chosen = this.groups.map(([first]) => first);
  }

  sweeps(first: number, last: number, from: number, count: number): number {
    const blocks = Array.from({ length: last - first }, (_, i) => first + i);
    for (let done = 0; done < count; done++) {
      let moved = false;
      for (const b of (from + done) % 8 === 7 ? blocks.toReversed() : blocks)
        if (this.tighten(b)) moved = true;
      if (!moved) return done;
    }
    return count;
  }

  guessUpper(first: number, last: number, factor: number): void {
    const { lower, upper } = this.current;
    for (let b = first; b < last; b++) upper[b] = factor * (lower[b] + 1);
  }

  forgetUpper(first: number, last: number): void {
    this.current.upper.fill(Number.POSITIVE_INFINITY, first, last);
  }

  verifySweep(first: number, last: number): boolean {
    const { upper } = this.current;
    let rose = false;
    for (let b = first; b < last; b++) {
      const best = this.best(b, (choice) => this.evaluate(choice).upper);
      const value = Math.max(best.value, SMALLEST_PROBABILITY);
      if (!this.maximise) this.chosen[b] = best.choice;
      if (!(value <= upper[b])) rose = true;
      upper[b] = value;
    }
    return !rose && upper[first] < Number.POSITIVE_INFINITY;
  }

  takeOver(first: number, last: number, values: Float64Array, side: 'lower' | 'upper'): boolean {
    const bounds = this.current[side];
    const before = bounds.slice();
    const isNarrower = (value: number, b: number) =>
      side === 'upper' ? value < before[b] : value > before[b] && value < Number.POSITIVE_INFINITY;
    const taken: number[] = [];
    for (let b = first; b < last; b++) {
      const value = values[b - first];
      if (!(value >= SMALLEST_PROBABILITY && isNarrower(value, b))) continue;
      bounds[b] = value;
      taken.push(b);
    }
    const best = taken.map((b) => this.best(b, (choice) => this.evaluate(choice)[side]));
    const holds = taken.every((b, i) =>
      side === 'upper' ? best[i].value <= bounds[b] : best[i].value >= bounds[b],
    );
    if (!holds) bounds.set(before);
    else if ((side === 'lower') === this.maximise)
      for (const [i, b] of taken.entries()) this.chosen[b] = best[i].choice;
    return holds;
  }

  choices(first: number, last: number): BlockChoices {
    const groups = this.groups.slice(first, last);
    const choices = groups.flat();
    const entries = choices.flatMap((choice) => choice.entries);
    const outer = (choice: Choice, gain: number, side: 'lower' | 'upper') =>
      choice.entries.reduce(
        (sum, [t, probability]) => (t < first ? sum + probability * this.current[side][t] : sum),
        gain,
      );
    const starts = (sizes: readonly number[]) => {
      const result = new Uint32Array(sizes.length + 1);
      for (const [i, size] of sizes.entries()) result[i + 1] = result[i] + size;
      return result;
    };
    return {
      groupStart: starts(groups.map((group) => group.length)),
      rowStart: starts(choices.map((choice) => choice.entries.length)),
      columns: Uint32Array.from(entries, ([t]) => t),
      values: Float64Array.from(entries, ([, probability]) => probability),
      exit: Float64Array.from(choices, ({ exit }) => exit),
      leaving: Float64Array.from(choices, ({ outside, entries }) =>
        entries.reduce((sum, [t, probability]) => (t < first ? sum + probability : sum), outside),
      ),
      terms: Uint32Array.from(choices, ({ terms }) => terms),
      gain: {
        lower: Float64Array.from(choices, (choice) => outer(choice, choice.gainLower, 'lower')),
        upper: Float64Array.from(choices, (choice) => outer(choice, choice.gainUpper, 'upper')),
      },
    };
  }

  valueSweep(first: number, last: number, relative: boolean): number {
    const { lower } = this.current;
    let largest = 0;
    for (let b = first; b < last; b++) {
      const before = lower[b];
      const { value, choice } = this.best(b, ({ gainLower, entries, exit }) => {
        return entries.reduce((sum, [t, probability]) => sum + probability * lower[t], gainLower) / exit;
      });
      if (!this.maximise || value > before) {
        this.chosen[b] = choice;
        lower[b] = value;
      }
      const change = Math.abs(lower[b] - before);
      largest = Math.max(largest, relative && change > 0 ? change / lower[b] : change);
    }
    return largest;
  }

  gap(first: number, last: number, offset: number, slope: number): number {
    let widest = 0;
    for (let b = first; b < last; b++) widest = Math.max(widest, this.gapOf(b, offset, slope));
    return widest;
  }

  inheritedGap(first: number, last: number, offset: number, slope: number): number {
    let widest = 0;
    for (const { entries } of this.groups.slice(first, last).flat()) {
      for (const [t] of entries) if (t < first) widest = Math.max(widest, this.gapOf(t, offset, slope));
    }
    return widest;
  }

  chosenRows(): Uint32Array {
    return Uint32Array.from(this.chosen, ({ row }) => row);
  }

  take(first: number, policy: Uint32Array, { lower, upper }: Bounds): void {
    const choices = this.groups.slice(first, first + policy.length).flat();
    for (const [b, choice] of policy.entries()) this.chosen[first + b] = choices[choice];
    this.current.lower.set(lower, first);
    this.current.upper.set(upper, first);
  }

  bounds(first?: number, last?: number): Bounds {
    return { lower: this.current.lower.slice(first, last), upper: this.current.upper.slice(first, last) };
  }

  close(): void {}

  /** Narrows the bounds of a block to the best of those its choices give; returns whether anything moved. */
  private tighten(b: number): boolean {
    const lowest = this.best(b, (choice) => this.evaluate(choice).lower);
    const highest = this.best(b, (choice) => this.evaluate(choice).upper);
    const lower = lowest.value < SMALLEST_PROBABILITY ? 0 : Math.min(lowest.value, Number.MAX_VALUE);
    const upper = Math.max(highest.value, SMALLEST_PROBABILITY);
    const [rises, falls] = [lower > this.current.lower[b], upper < this.current.upper[b]];
    if (rises) this.current.lower[b] = lower;
    if (falls) this.current.upper[b] = upper;
    if (rises && this.maximise) this.chosen[b] = lowest.choice;
    if (falls && !this.maximise) this.chosen[b] = highest.choice;
    return rises || falls;
  }

  /** What a choice gives from the current bounds, rounded outward. */
  private evaluate({ gainLower, gainUpper, entries, exit, error }: Choice): { lower: number; upper: number } {
    let [lower, upper] = [gainLower, gainUpper];
    for (const [t, probability] of entries) {
      lower += probability * this.current.lower[t];
      upper += probability * this.current.upper[t];
    }
    return { lower: (lower / exit) * (1 - error), upper: (upper / exit) * (1 + error) };
  }

  private best(b: number, valueUnder: (choice: Choice) => number): { value: number; choice: Choice } {
    let [choice] = this.groups[b];
    let value = valueUnder(choice);
    for (const other of this.groups[b].slice(1)) {
      const candidate = valueUnder(other);
      if (this.maximise ? candidate <= value : candidate >= value) continue;
      value = candidate;
      choice = other;
    }
    return { value, choice };
  }

  private gapOf(b: number, offset: number, slope: number): number {
    const lower = this.current.lower[b];
    const width = this.current.upper[b] - lower;
    return width > 0 ? width / (offset + slope * lower) : 0;
  }
}

/** A row as a choice between blocks; undefined if it never leaves its own. */
function choiceOf(
  mdp: ReferenceMdp,
  plan: OptimumPlan,
  blockOf: Uint32Array,
  row: number,
): Choice | undefined {
  const leaving: number[] = [];
  const entries: [number, number][] = [];
  let [gain, outside] = [0, 0];
  for (let e = mdp.rowStart[row]; e < mdp.rowStart[row + 1]; e++) {
    const [t, probability] = [mdp.columns[e], mdp.values[e]];
    if (blockOf[t] === blockOf[mdp.stateOf[row]]) continue;
    leaving.push(probability);
    if (blockOf[t] !== NO_COMPONENT) {
      entries.push([blockOf[t], probability]);
      continue;
    }
    outside += probability;
    if (plan.one.has(t)) gain += probability;
  }
  if (leaving.length === 0) return undefined;
  const { sum, error } = sumInTwoDoubles(leaving);
  const exit = sum + error;
  if (plan.rewards === undefined) {
    const terms = leaving.length;
    return { row, exit, outside, terms, gainLower: gain, gainUpper: gain, entries, error: outward(terms) };
  }
  // A row whose entries sum to more than 1 is divided by that sum; its equation was multiplied by it.
  const scale = Math.max(1, mdp.exit[row]);
  const scaling = scale > 1 ? 2 ** -51 : 0;
  const terms = leaving.length + 1;
  return {
    row,
    exit,
    outside,
    terms,
    gainLower: plan.rewards.lower[row] * scale * (1 - scaling),
    gainUpper: plan.rewards.upper[row] * scale * (1 + scaling),
    entries,
    error: outward(terms),
  };
}

/** One step of an MDP, by the best row. */
export function optimalStep(mdp: ReferenceMdp, direction: Direction): Step {
  const { groupStart, rowStart, columns, values, exit, stay } = mdp;
  /** A row takes at most 4 roundings more than `outward` counts, for the state's own term and the gain. */
  const stepAlong = (row: number, s: number, before: Bounds, gain: Bounds | undefined): Range => {
    const entries = rowStart[row + 1] - rowStart[row];
    let lower = Math.max(0, stay[row] - 2 * stayError(entries)) * before.lower[s];
    let upper = stay[row] * before.upper[s];
    for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
      lower += values[e] * before.lower[columns[e]];
      upper += values[e] * before.upper[columns[e]];
    }
    const total = Math.max(1, exit[row]);
    const error = outward(entries + 4);
    return {
      lower: (lower / total + (gain?.lower[row] ?? 0)) * (1 - error),
      upper: (upper / total + (gain?.upper[row] ?? 0)) * (1 + error),
    };
  };
  return (s, before, gain) => {
    const rows = Array.from({ length: groupStart[s + 1] - groupStart[s] }, (_, i) => groupStart[s] + i);
    return bestRange(
      rows.map((row) => stepAlong(row, s, before, gain)),
      direction === 'max',
    );
  };
}
