import { bitLength, Rational } from '../../../base/rational.js';
import { strongComponents } from './components.js';
import { combination, type ExactRow } from './exactRow.js';
import { solveTransient } from './exactSystem.js';
import type { WorkLimit } from './workLimit.js';

/** The best expected value over all schedulers, for some states of a decision process. */
export interface OptimalProblem {
  readonly direction: 'min' | 'max';
  /** States without a value. Each has a choice along which some known state can be reached. */
  readonly states: readonly number[];
  /** Their choices, all of whose successors have finite values. */
  readonly choicesOf: (state: number) => readonly ExactRow[];
  /** A choice to start from, by its index in `choicesOf`. */
  readonly guess: (state: number) => number;
}

/**
 * Policy iteration (Howard 1960) in rational arithmetic, component by component, successors first: the values of a scheduler
 * are solved, and strictly better choices by these values are taken until there are none.
 *
 * Let v be the values of the last scheduler; then v = Tv for the operator T that takes the best choice of each state, v is attained,
 * and v is the intended solution. For Pmax and greatest rewards that is the least fixed point, which is at most v because v is
 * a fixed point, and at least v because v is attained. If every scheduler reaches a known state (Pmin once avoidable states are
 * known to be 0; finite greatest rewards), the fixed point is unique. For least rewards v <= T'v holds for each scheduler's T',
 * and for a T' that reaches known states almost surely, v is at most its values; other schedulers stay where rewards are earned
 * for ever, or miss the target.
 *
 * Strict improvement preserves these properties: in a set of states that the new scheduler never leaves, v was already constant
 * (summing v <= gain + Pv, or >=, along its long run), and no choice there was strictly better.
 *
 * @param values where the values of all other states are found, and those of `states` are put
 */
export function solveOptimal(problem: OptimalProblem, values: Map<number, Rational>, work: WorkLimit): void {
  const { states, choicesOf } = problem;
  const successors = (s: number): number[] => choicesOf(s).flatMap(({ targets }) => targets);
  for (const component of strongComponents(states, successors)) {
    const scheduler = leaving(component, problem);
    do {
      for (const s of component) values.delete(s);
      solveTransient(component, (s) => choicesOf(s)[scheduler.get(s) as number], values, work);
    } while (improve(problem, component, scheduler, values, work));
  }
}

/** The guessed scheduler, changed wherever it would stay among some states for ever. */
export function leaving(
  component: readonly number[],
  { choicesOf, guess }: Pick<OptimalProblem, 'choicesOf' | 'guess'>,
): Map<number, number> {
  const scheduler = new Map<number, number>();
  const inside = new Set(component);
  const leads = ({ targets }: ExactRow): boolean => targets.some((t) => !inside.has(t) || scheduler.has(t));
  /** Fixes choices that lead out, or to states whose choices do, until no more are found. */
  const spread = (candidates: (s: number) => readonly number[]): void => {
    const users = new Map<number, number[]>();
    for (const s of component) {
      for (const choice of candidates(s)) {
        for (const t of choicesOf(s)[choice].targets) {
          if (!inside.has(t)) continue;
          const list = users.get(t);
          if (list) list.push(s);
          else users.set(t, [s]);
        }
      }
    }
    const open = component.filter((s) => !scheduler.has(s));
    for (const s of open) {
      if (scheduler.has(s)) continue;
      const choice = candidates(s).find((candidate) => leads(choicesOf(s)[candidate]));
      if (choice === undefined) continue;
      scheduler.set(s, choice);
      open.push(...(users.get(s) ?? []));
    }
  };
  spread((s) => [guess(s)]);
  if (scheduler.size < component.length) spread((s) => [...choicesOf(s).keys()]);
  return scheduler;
}

/** Takes choices that are strictly better by the values; returns whether there was one. */
export function improve(
  { direction, choicesOf }: Pick<OptimalProblem, 'direction' | 'choicesOf'>,
  component: readonly number[],
  scheduler: Map<number, number>,
  values: ReadonlyMap<number, Rational>,
  work: WorkLimit,
): boolean {
  const doubles = new Map<number, number>();
  const doubleOf = (t: number): number => {
    let value = doubles.get(t);
    if (value === undefined) {
      value = (values.get(t) as Rational).toNumber();
      doubles.set(t, value);
    }
    return value;
  };
  let improved = false;
  for (const s of component) {
    const choices = choicesOf(s);
    if (choices.length === 1) continue;
    let best = scheduler.get(s) as number;
    let most = Number.NEGATIVE_INFINITY;
    for (const [choice, row] of choices.entries()) {
      if (choice === scheduler.get(s)) continue;
      const gap = difference(row, s, doubleOf);
      const surely = Math.abs(gap.value) > gap.error;
      let sign: number = Math.sign(gap.value);
      if (!surely) sign = exactSign(row, s, values, work);
      if (direction === 'min') sign = -sign;
      const gain = (Math.abs(gap.value) * sign) / Number(row.exit);
      if (sign <= 0 || (best !== scheduler.get(s) && !(gain > most))) continue;
      [best, most] = [choice, gain];
    }
    if (best === scheduler.get(s)) continue;
    scheduler.set(s, best);
    improved = true;
  }
  return improved;
}

/**
 * The advantage of a choice over the value of its state, times its total, in doubles, and an error bound: every number has one
 * or a few roundings. If numbers do not fit into doubles, the error is NaN.
 */
function difference(
  { targets, weights, exit, total, gain }: ExactRow,
  s: number,
  doubleOf: (state: number) => number,
): { value: number; error: number } {
  let value = gain === undefined ? 0 : Number(total) * gain.toNumber();
  let size = Math.abs(value);
  const add = (part: number): void => {
    value += part;
    size += Math.abs(part);
  };
  for (let k = 0; k < targets.length; k++) add(Number(weights[k]) * doubleOf(targets[k]));
  add(-Number(exit) * doubleOf(s));
  return { value, error: size * (targets.length + 8) * 2 ** -52 + 2 ** -1000 };
}

function exactSign(
  { targets, weights, exit, total, gain = Rational.ZERO }: ExactRow,
  s: number,
  values: ReadonlyMap<number, Rational>,
  work: WorkLimit,
): number {
  const sum = combination(
    [total, -exit, ...weights],
    [gain, ...[s, ...targets].map((t) => values.get(t) as Rational)],
  );
  work.spend(targets.length + 2, bitLength(sum.denominator));
  return sum.numerator > 0n ? 1 : sum.numerator < 0n ? -1 : 0;
}
