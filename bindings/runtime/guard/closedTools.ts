import { InvalidArgumentError } from '../../base/errors.js';
import { type Automaton, VIOLATED } from '../../languages/automaton/index.js';
import { compileCondition, type Evaluate, freePaths } from '../../languages/expression/runtime/index.js';
import type { Guard } from './guard.js';
import type { GuardFile, GuardRule } from './guardFile.js';
import { readTrees } from './readTrees.js';
import type { Strategy } from './strategy.js';

/** A strategy under which no call runs, whatever a person says. */
const WITHHOLDS: readonly Strategy['kind'][] = ['stop', 'block', 'reflect'];

/** Predicates that read the name of the called tool and nothing else, by their names. */
export type NamePredicates = ReadonlyMap<string, Evaluate<boolean>>;

/** The predicates of a guard that read the name of the called tool and nothing else; none if its file has no trees. */
export function namePredicates(file: GuardFile): NamePredicates {
  const found = new Map<string, Evaluate<boolean>>();
  if (file.trees === undefined) return found;
  for (const { name, expression } of readTrees(file, file.trees).predicates) {
    if (freePaths(expression).every(({ path }) => path === 'action.name'))
      found.set(name, compileCondition(expression));
  }
  return found;
}

/**
 * Whether some rule of a guard is broken by every call of a tool, whatever its arguments, now and after whatever else may happen: no call of it will be permitted in
 * this run. Only what predicates on `action.name` alone decide counts, so that false says nothing. No call may be running.
 */
export function isClosed(guard: Guard, predicates: NamePredicates, tool: string): boolean {
  const { file, rules } = guard;
  // Under a sampling period a step may be read more than once, or not at all.
  if (file.samplingPeriodSeconds !== null) return false;
  const known = (name: string): boolean | undefined => {
    try {
      return predicates.get(name)?.({}, { action: { name: tool, arguments: {} } });
    } catch {
      return undefined;
    }
  };
  return file.rules.some((rule, r) => {
    if (!withholds(rule)) return false;
    const { automaton } = rule;
    const values = automaton.predicates.map(known);
    const open = openStates(automaton, (q) => rules[r].mayBeIn(q));
    return (
      open.length > 0 &&
      open.every((q) => next(automaton, q, values).every((to) => automaton.verdict[to] === VIOLATED))
    );
  });
}

/**
 * Whether a call of a tool would have kept all rules in place of the last call that was judged, whatever its arguments. It is so where the rules are exact, and what they read of
 * the call, without its arguments, decides; false says nothing. No call may be running.
 *
 * @param state as the last call was judged in
 */
export function keepsRules(
  guard: Guard,
  tool: string,
  state: Readonly<Record<string, unknown>>,
  time?: number,
): boolean {
  const { file, rules } = guard;
  const isExact =
    file.actions === undefined &&
    file.samplingPeriodSeconds === null &&
    file.onUnreadable === undefined &&
    file.rules.every(({ evaluation, tables }) => evaluation === 'trace' && tables === undefined);
  if (!isExact) return false;
  const context = { action: new NamedAction(tool), ...(time !== undefined && { time }) };
  const known = (name: string): boolean | undefined => {
    try {
      return guard.holds(name, state, context);
    } catch {
      return undefined;
    }
  };
  return file.rules.every(({ automaton, shadow }, r) => {
    if (shadow === true) return true;
    const values = automaton.predicates.map(known);
    return rules[r].statesBefore.every((q) =>
      next(automaton, q, values).every((to) => automaton.verdict[to] !== VIOLATED),
    );
  });
}

/** A call whose arguments are not known: a predicate that reads them fails. */
class NamedAction {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  get arguments(): never {
    throw new InvalidArgumentError('the arguments are not known');
  }
}

function withholds({ evaluation, shadow, levels, escalate, afterViolation, onFailure }: GuardRule): boolean {
  const strategies = [...levels.map(({ strategy }) => strategy), ...escalate, afterViolation, onFailure];
  return (
    evaluation === 'trace' && shadow !== true && strategies.every(({ kind }) => WITHHOLDS.includes(kind))
  );
}

/** The states that are not violated, of those that a run may be in now or later. */
function openStates(automaton: Automaton, isIn: (state: number) => boolean): number[] {
  const reached = new Set(Array.from({ length: automaton.states }, (_, q) => q).filter(isIn));
  // Iteration of a set includes elements added during the loop.
  for (const q of reached) for (const to of next(automaton, q, [])) reached.add(to);
  return [...reached].filter((q) => automaton.verdict[q] !== VIOLATED);
}

/** States that one more valuation can lead to, where some predicates are known. */
function next(
  { nodes, roots }: Automaton,
  state: number,
  values: readonly (boolean | undefined)[],
): number[] {
  const found = new Set<number>();
  const seen = new Set<number>();
  const visit = (reference: number): void => {
    if (reference < 0) found.add(-reference - 1);
    else if (!seen.has(reference)) {
      seen.add(reference);
      const value = values[nodes[3 * reference]];
      if (value !== true) visit(nodes[3 * reference + 1]);
      if (value !== false) visit(nodes[3 * reference + 2]);
    }
  };
  visit(roots[state]);
  return [...found];
}
