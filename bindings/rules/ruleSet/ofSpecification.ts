import { type Formula, predicatesOf } from '../../languages/logic/index.js';
import { constraintFormula } from '../../runtime/explanation/index.js';
import { allPredicates, lexiconOf, type Specification } from '../specification/index.js';
import { agentPredicates } from './agentPredicates.js';
import { comparisonFormulas } from './comparisons.js';
import { type DeclaredGame, declaredGame } from './declaredGame.js';
import type { CheckedRule, CheckRulesOptions } from './rule.js';
import type { SayFact } from './say.js';

/** Rules, and all that is known of the runs that they are about. */
export interface ReadRules {
  readonly rules: readonly CheckedRule[];
  readonly constraints: readonly Formula[];
  /** What comparisons of one term say of each other. */
  readonly comparisons: readonly Formula[];
  readonly samplingPeriod: number | string | null;
  /** The predicates that the agent's calls decide. */
  readonly agent: readonly string[];
  /** What declared actions do; null if none are declared. */
  readonly declared: DeclaredGame | null;
  /** How facts are said. */
  readonly say: SayFact;
  readonly notes: readonly string[];
}

/** The rules of a specification or of a list. Bounds on probabilities are left out, and named. Options go before what the specification says. */
export function rulesOfSpecification(
  of: Specification | readonly CheckedRule[],
  { constraints, samplingPeriod, agent }: CheckRulesOptions,
): ReadRules {
  if (!('hash' in of))
    return {
      rules: of,
      constraints: constraints ?? [],
      comparisons: [],
      samplingPeriod: samplingPeriod ?? null,
      agent: agent ?? [],
      declared: null,
      say: () => null,
      notes: [],
    };
  const constraint = constraintFormula(of.abstraction.constraints ?? {});
  const isOfRuns = ({ formula }: CheckedRule): boolean => formula.kind !== 'probability';
  const rules = of.rules.filter(isOfRuns).map(({ name, formula, atEnd }) => ({ name, formula, atEnd }));
  const assumed = constraints ?? (constraint === null ? [] : [constraint]);
  const read = new Set([...rules.map(({ formula }) => formula), ...assumed].flatMap(predicatesOf));
  const declared = agent === undefined ? declaredGame(of) : null;
  const ofCalls = agentPredicates(allPredicates(of)).filter((name) => !declared?.declared.has(name));
  const lexicon = lexiconOf(of);
  const leftOut = of.rules.filter((rule) => !isOfRuns(rule));
  return {
    rules,
    constraints: assumed,
    comparisons: comparisonFormulas(allPredicates(of).filter(({ name }) => read.has(name))),
    agent: agent ?? ofCalls,
    declared,
    say: (name, value) => {
      if (!Object.hasOwn(of.words, name)) return null;
      const { holds, not } = lexicon.phrasesOf(name);
      return value ? holds : not;
    },
    samplingPeriod: samplingPeriod ?? of.samplingPeriod,
    notes: leftOut.map(
      ({ name }) =>
        `rule "${name}" bounds a probability, which a model keeps or breaks, not a run: it is not checked`,
    ),
  };
}
