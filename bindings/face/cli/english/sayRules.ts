import { InvalidArgumentError } from '../../../base/errors.js';
import type { AtEnd } from '../../../languages/automaton/index.js';
import { createLexicon, sayFormula } from '../../../languages/english/index.js';
import { parseFormula, printFormula } from '../../../languages/logic/index.js';
import { lexiconOf } from '../../../rules/specification/index.js';
import { loadSpecification } from '../inputs.js';
import { requireKnown } from '../requireKnown.js';

/** A formula and its English. */
export interface SaidRule {
  /** Of a rule of a specification; null of a formula that was given. */
  readonly name: string | null;
  readonly formula: string;
  readonly english: string;
}

/** Formulas in English, or all rules of a specification if there are none. @param spec the specification's file, whose words are used */
export async function sayRules(formulas: readonly string[], spec: string | undefined): Promise<SaidRule[]> {
  const specification = spec === undefined ? null : await loadSpecification(spec);
  const samplingPeriod = specification?.samplingPeriod ?? null;
  const lexicon = specification === null ? createLexicon() : lexiconOf(specification);
  const say = (text: string, what: string, name: string | null, atEnd: AtEnd): SaidRule => {
    const formula = parseFormula(text, { name: what });
    if (specification !== null && name === null) requireKnown(formula, what, specification);
    return {
      name,
      formula: printFormula(formula),
      english: sayFormula(formula, lexicon, { atEnd, samplingPeriod }),
    };
  };
  if (formulas.length === 0 && specification === null)
    throw new InvalidArgumentError(
      '--say has no formula; expected formulas such as "G (a -> F b)", or --spec FILE for the rules of a specification',
    );
  if (formulas.length > 0 || specification === null)
    return formulas.map((text, i) =>
      say(text, formulas.length === 1 ? 'formula' : `formula ${i + 1}`, null, 'strong'),
    );
  return specification.rules.map(({ name, formulaText, atEnd }) =>
    say(formulaText, `rule "${name}"`, name, atEnd),
  );
}
