import { automataOfConstraints, automatonOfRule, type ComparedRule, type CompareOptions } from './rule.js';
import { type ComparedTrace, shortestTrace } from './trace.js';

/** How two rules stand to each other on the runs that satisfy the constraints. */
export interface RuleComparison {
  /** `implies`: each run that satisfies the first satisfies the second; `implied`: the other way round; `different`: neither. */
  readonly relation: 'equivalent' | 'implies' | 'implied' | 'different';
  /** The shortest run that satisfies the first and not the second, with the fewest true predicates; null if there is none. */
  readonly firstOnly: ComparedTrace | null;
  /** The shortest run that satisfies the second and not the first. */
  readonly secondOnly: ComparedTrace | null;
}

/** A run on which two rules differ. */
export interface Distinction {
  readonly trace: ComparedTrace;
  /** The one that the run satisfies. */
  readonly holds: 'first' | 'second';
}

/**
 * Compares two rules on all finite runs of at least one step, by the product of their automata. Where no run satisfies the constraints, all rules are equivalent.
 *
 * @throws NotSupportedError, with the sizes, if an automaton or the product is too large; and as `buildAutomaton`
 */
export function compareRules(
  first: ComparedRule,
  second: ComparedRule,
  options: CompareOptions = {},
): RuleComparison {
  const [one, other] = [automatonOfRule(first, options), automatonOfRule(second, options)];
  const among = automataOfConstraints(options).map((automaton) => ({ automaton, accepts: true }));
  const traceWhere = (firstHolds: boolean): ComparedTrace | null =>
    shortestTrace(
      [{ automaton: one, accepts: firstHolds }, { automaton: other, accepts: !firstHolds }, ...among],
      options.maxTuples,
    );
  const firstOnly = traceWhere(true);
  const secondOnly = traceWhere(false);
  const relation =
    firstOnly === null
      ? secondOnly === null
        ? 'equivalent'
        : 'implies'
      : secondOnly === null
        ? 'implied'
        : 'different';
  return { relation, firstOnly, secondOnly };
}

/** Whether two rules hold on the same runs. @throws as `compareRules` */
export function equivalent(first: ComparedRule, second: ComparedRule, options: CompareOptions = {}): boolean {
  return distinguish(first, second, options) === null;
}

/** Whether each run that satisfies the first rule satisfies the second. @throws as `compareRules` */
export function implies(first: ComparedRule, second: ComparedRule, options: CompareOptions = {}): boolean {
  const demands = [
    { automaton: automatonOfRule(first, options), accepts: true },
    { automaton: automatonOfRule(second, options), accepts: false },
    ...automataOfConstraints(options).map((automaton) => ({ automaton, accepts: true })),
  ];
  return shortestTrace(demands, options.maxTuples) === null;
}

/** The shortest run on which two rules differ, with the fewest true predicates; null if they are equivalent. @throws as `compareRules` */
export function distinguish(
  first: ComparedRule,
  second: ComparedRule,
  options: CompareOptions = {},
): Distinction | null {
  const { firstOnly, secondOnly } = compareRules(first, second, options);
  if (firstOnly !== null && (secondOnly === null || !isSimpler(secondOnly, firstOnly)))
    return { trace: firstOnly, holds: 'first' };
  return secondOnly && { trace: secondOnly, holds: 'second' };
}

function isSimpler(trace: ComparedTrace, than: ComparedTrace): boolean {
  return trace.length < than.length || (trace.length === than.length && trues(trace) < trues(than));
}

function trues(trace: ComparedTrace): number {
  return trace.reduce((sum, step) => sum + Object.values(step).filter(Boolean).length, 0);
}
