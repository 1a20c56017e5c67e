import { createLexicon, type Lexicon, sayFormula } from '../../languages/english/index.js';
import { parseFormula, predicatesOf } from '../../languages/logic/index.js';
import type { GuardFile, GuardRule } from '../../runtime/guard/index.js';
import { allPredicates } from './exactRules.js';
import type { RuleSpecification, Specification } from './specification.js';

/** How all predicates of a specification are said, with words or by their names. */
export function lexiconOf(specification: Specification): Lexicon {
  const names = allPredicates(specification).map(({ name }) => [name, {}] as const);
  return createLexicon({ ...Object.fromEntries(names), ...specification.words });
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
  const { samplingPeriod } = specification;
  const written = parseFormula(formulaText, { name: `rule "${name}"` });
  return { english: sayFormula(written, lexiconOf(specification), { atEnd, samplingPeriod }) };
}
