import { Rational } from '../../../base/rational.js';
import { type Direction, NO_COMPONENT } from '../../kernel/index.js';
import type { ChoicesOf } from './exactMatrix.js';
import type { ExactRow } from './exactRow.js';
import { solveTransient } from './exactSystem.js';
import { bottomComponents, componentAverage } from './longRun.js';
import { improve, leaving, solveOptimal } from './policyIteration.js';
import type { WorkLimit } from './workLimit.js';

/** Choices with their gains, and the maximal end components. */
export interface LongRunProblem {
  readonly states: number;
  readonly choicesOf: ChoicesOf;
  /** NO_COMPONENT for states in no component. */
  readonly componentOf: Uint32Array;
  /** Whether a choice, by its index in `choicesOf`, belongs to its state's end component. */
  readonly staysInside: (state: number, choice: number) => boolean;
}

/**
 * The least or greatest mean gain per step in the long run, for every state of a decision process. Every run finally stays in
 * an end component, in which the best mean is the same from all states. The best value is therefore that of reaching the best
 * components, if stopping in a component earns its mean.
 */
export function bestLongRun(direction: Direction, problem: LongRunProblem, work: WorkLimit): Rational[] {
  if (direction === 'max') return greatestLongRun(problem, work);
  // The least mean is `top` minus the greatest mean of the gains' differences from `top`.
  let top = Rational.ZERO;
  const all = [...Array(problem.states).keys()];
  for (const s of all)
    for (const row of problem.choicesOf(s)) if (gainOf(row).compare(top) > 0) top = gainOf(row);
  const turned = new Map(
    all.map((s) => [s, problem.choicesOf(s).map((row) => ({ ...row, gain: top.minus(gainOf(row)) }))]),
  );
  const choicesOf = (s: number): readonly ExactRow[] => turned.get(s) as readonly ExactRow[];
  return greatestLongRun({ ...problem, choicesOf }, work).map((value) => top.minus(value));
}

function greatestLongRun(problem: LongRunProblem, work: WorkLimit): Rational[] {
  const { states, choicesOf, componentOf, staysInside } = problem;
  const members = new Map<number, number[]>();
  for (let s = 0; s < states; s++) {
    const component = componentOf[s];
    if (component === NO_COMPONENT) continue;
    const list = members.get(component);
    if (list) list.push(s);
    else members.set(component, [s]);
  }
  // One extra state per component, after the states, for staying there for ever.
  const values = new Map<number, Rational>();
  for (const [component, inside] of members) {
    const insideOf = (s: number) => choicesOf(s).filter((_, choice) => staysInside(s, choice));
    values.set(states + component, greatestAverage(inside, insideOf, work));
  }
  const moves = Array.from({ length: states }, (_, s): ExactRow[] => {
    const rows = choicesOf(s).map((row) => ({ ...row, gain: Rational.ZERO }));
    if (componentOf[s] === NO_COMPONENT) return rows;
    return [{ targets: [states + componentOf[s]], weights: [1n], exit: 1n, total: 1n }, ...rows];
  });
  const all = [...moves.keys()];
  solveOptimal({ direction: 'max', states: all, choicesOf: (s) => moves[s], guess: () => 0 }, values, work);
  return all.map((s) => values.get(s) as Rational);
}

/**
 * The greatest mean gain among schedulers that stay in an end component: policy iteration over schedulers that almost surely
 * reach one set of states. Let h be the gain of each state beyond the mean g until the first of these states; choices that are
 * strictly better by h are taken. Either the new scheduler stays in other states, with a greater mean, or in the same states,
 * and h rises. If no choice is better, g + h >= gain + P h holds for all choices and bounds every mean by g.
 */
function greatestAverage(states: readonly number[], choicesOf: ChoicesOf, work: WorkLimit): Rational {
  let scheduler = new Map(states.map((s) => [s, 0]));
  for (;;) {
    const chosen = (s: number): ExactRow => choicesOf(s)[scheduler.get(s) as number];
    const recurrent = bottomComponents(states, chosen).map((inside) => ({
      inside,
      mean: componentAverage(inside, chosen, work),
    }));
    const best = recurrent.reduce((most, next) => (next.mean.compare(most.mean) > 0 ? next : most));
    const kept = new Set(best.inside);
    const others = states.filter((s) => !kept.has(s));
    const guess = (s: number): number => scheduler.get(s) as number;
    scheduler = new Map([
      ...best.inside.map((s) => [s, guess(s)] as const),
      ...leaving(others, { choicesOf, guess }),
    ]);
    const beyond = new Map(
      states.map((s) => [s, choicesOf(s).map((row) => ({ ...row, gain: gainOf(row).minus(best.mean) }))]),
    );
    const beyondOf = (s: number): readonly ExactRow[] => beyond.get(s) as readonly ExactRow[];
    const [first] = best.inside;
    const values = new Map([[first, Rational.ZERO]]);
    const rest = states.filter((s) => s !== first);
    solveTransient(rest, (s) => beyondOf(s)[scheduler.get(s) as number], values, work);
    if (!improve({ direction: 'max', choicesOf: beyondOf }, states, scheduler, values, work))
      return best.mean;
  }
}

function gainOf({ gain = Rational.ZERO }: ExactRow): Rational {
  return gain;
}
