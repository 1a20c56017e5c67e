import {
  createLexicon,
  type Lexicon,
  type PredicateWords,
  sayFormula,
} from '../../languages/english/index.js';
import { type Formula, parseFormula, predicatesOf } from '../../languages/logic/index.js';
import { constraintFormula } from '../../runtime/explanation/index.js';
import type { GuardFile, GuardRule } from '../../runtime/guard/index.js';
import { allPredicates } from './exactRules.js';
import type { RuleSpecification, Specification } from './specification.js';

/** How all predicates of a specification are said, with words or by their names. */
export function lexiconOf(specification: Specification): Lexicon {
  return createLexicon(predicateWords(specification));
}

/** How a predicate is shown to people: in its words if it has some, else by its name. */
export function shownPredicate(specification: Specification): (name: string) => string {
  const lexicon = lexiconOf(specification);
  return (name) => (Object.hasOwn(specification.words, name) ? lexicon.phrasesOf(name).holds : name);
}

/** The words of all predicates, empty where there are none. */
function predicateWords(specification: Specification): Readonly<Record<string, PredicateWords>> {
  const names = allPredicates(specification).map(({ name }) => [name, {}] as const);
  return { ...Object.fromEntries(names), ...specification.words };
}

/** What sentences may speak of, and the constraints under which readings that are the same are one. */
export function vocabularyOf(specification: Specification): {
  readonly predicates: Readonly<Record<string, PredicateWords>>;
  readonly constraints: readonly Formula[];
} {
  const constraint = constraintFormula(specification.abstraction.constraints ?? {});
  return {
    predicates: predicateWords(specification),
    constraints: constraint === null ? [] : [constraint],
  };
}

/** The words that a guard file keeps, so that explanations speak them; nothing if no predicate has words. */
export function guardedWords(specification: Specification): Pick<GuardFile, 'words'> {
  const names = Object.keys(specification.words);
  if (names.length === 0) return {};
  const lexicon = lexiconOf(specification);
  const words = names.map((name) => {
    const { holds, not } = lexicon.phrasesOf(name);
    return [name, { holds, not }] as const;
  });
  return { words: Object.fromEntries(words) };
}

/** The rule in English: the sentence that it was written as, or what its formula says. Nothing if it has no sentence and none of its predicates has words. */
export function guardedEnglish(
  rule: RuleSpecification,
  specification: Specification,
): Pick<GuardRule, 'english'> {
  const { english } = rule;
  if (english !== null) return { english: /[.!]$/.test(english) ? english : `${english}.` };
  const said = saidRule(rule, specification);
  return said === null ? {} : { english: said };
}

/** What the formula of a rule says; null if it was written as a formula, and none of its predicates has words. */
export function saidRule(
  { name, formula, formulaText, english, atEnd }: RuleSpecification,
  specification: Specification,
): string | null {
  if (english === null && !predicatesOf(formula).some((read) => Object.hasOwn(specification.words, read)))
    return null;
  const written = parseFormula(formulaText, { name: `rule "${name}"` });
  return sayFormula(written, lexiconOf(specification), {
    atEnd,
    samplingPeriod: specification.samplingPeriod,
  });
}
