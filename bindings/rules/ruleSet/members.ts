import { InvalidArgumentError, NotSupportedError } from '../../base/errors.js';
import { withContext, wordsOf } from '../../base/words.js';
import {
  automataOfConstraints,
  automatonOfRule,
  type Demand,
} from '../../languages/automaton/compare/index.js';
import type { AtEnd, Automaton } from '../../languages/automaton/index.js';
import { children, type Formula } from '../../languages/logic/index.js';
import type { Assumption, Undecided } from './finding.js';
import type { CheckedRule } from './rule.js';
import { runOf } from './runOf.js';

/** What a run may be asked to keep: a rule, or all that is assumed of one kind. */
export interface Member {
  readonly kind: 'rule' | Assumption;
  readonly name: string;
  readonly automata: readonly Automaton[];
}

/** A rule whose automaton was built. */
export interface RuleMember extends Member {
  readonly kind: 'rule';
  readonly formula: Formula;
  readonly atEnd: AtEnd;
  readonly automaton: Automaton;
  /** The automaton of another formula, judged as the rule is. @throws NotSupportedError if it is too large */
  readonly automatonOf: (formula: Formula) => Automaton;
}

/** The limits of each question, and seconds between steps. */
export interface Limits {
  readonly samplingPeriod: number | string | null;
  readonly maxStates: number | undefined;
  readonly maxTuples: number;
}

/** The rules of a set, apart from those whose automaton is too large. */
export function ruleMembers(
  rules: readonly CheckedRule[],
  { samplingPeriod, maxStates }: Limits,
  undecided: Undecided[],
): RuleMember[] {
  requireDistinct(rules.map(({ name }) => name));
  return rules.flatMap(({ name, formula, atEnd = 'strong' }) => {
    const automatonOf = (of: Formula): Automaton =>
      automatonOfRule(of, { atEnd, samplingPeriod, ...(maxStates !== undefined && { maxStates }) });
    try {
      requireNamed(formula);
      const automaton = automatonOf(formula);
      return [{ kind: 'rule' as const, name, formula, atEnd, automaton, automata: [automaton], automatonOf }];
    } catch (error) {
      if (!(error instanceof NotSupportedError)) throw withContext(error, `rule "${name}"`);
      undecided.push({ rules: [name], text: `rule "${name}" is not checked: ${wordsOf(error)}` });
      return [];
    }
  });
}

/** What is assumed of all runs: nothing if there are no formulas. @throws InvalidArgumentError if no run satisfies it; NotSupportedError as `buildAutomaton` */
export function assumption(
  kind: Assumption,
  constraints: readonly Formula[],
  { samplingPeriod, maxStates, maxTuples }: Limits,
): Member[] {
  if (constraints.length === 0) return [];
  for (const constraint of constraints) requireNamed(constraint);
  const automata = automataOfConstraints({
    constraints,
    samplingPeriod,
    ...(maxStates !== undefined && { maxStates }),
  });
  const member = { kind, name: kind, automata };
  if (runOf(kept([member]), maxTuples) === null)
    throw new InvalidArgumentError(
      `no run satisfies the ${kind}, so that every rule could be kept and broken as one likes; expected ${kind} that some run satisfies`,
    );
  return [member];
}

/** The demands that a run keeps all of these. */
export function kept(members: readonly Member[]): Demand[] {
  return members.flatMap(({ automata }) => automata.map((automaton) => ({ automaton, accepts: true })));
}

function requireDistinct(names: readonly string[]): void {
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice === undefined) return;
  throw new InvalidArgumentError(`two rules are named "${twice}"; expected a name of its own for each`);
}

/** @throws InvalidArgumentError if a formula has a probability or an inline comparison */
function requireNamed(formula: Formula): void {
  if (formula.kind === 'probability')
    throw new InvalidArgumentError(
      'a bound on a probability is kept or broken by a model, not by a run; expected a formula without P',
    );
  if (formula.kind === 'comparison')
    throw new InvalidArgumentError(
      `the comparison ${formula.source} has no predicate; deriveAbstraction makes one of every comparison`,
    );
  children(formula).forEach(requireNamed);
}
