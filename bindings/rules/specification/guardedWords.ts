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

/** The rule in English; nothing if none of its predicates has words. */
export function guardedEnglish(
  { name, formula, formulaText, atEnd }: RuleSpecification,
  specification: Specification,
): Pick<GuardRule, 'english'> {
  if (!predicatesOf(formula).some((read) => Object.hasOwn(specification.words, read))) return {};
  const written = parseFormula(formulaText, { name: `rule "${name}"` });
  return { english: sayFormula(written, lexiconOf(specification), { atEnd }) };
}
