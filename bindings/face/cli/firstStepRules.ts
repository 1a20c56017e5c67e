import { isOfPast, parseFormula } from '../../languages/logic/index.js';

/** A rule, with its formula as written. */
interface WrittenRule {
  readonly name: string;
  readonly formula: string;
}

/**
 * Describes in words the rules that are decided at the first step of a run, since no operator of the future stands in them: they say nothing of any later call,
 * whoever wrote `!deletes` most likely meant `G !deletes`.
 */
export function firstStepRules(rules: readonly WrittenRule[]): string[] {
  return rules
    .filter(({ formula }) => isOfPast(parseFormula(formula)))
    .map(
      ({ name, formula }) =>
        `rule "${name}" (${formula}) is about the first step of a run alone, and says nothing of later ones; G (${formula}) says it of every step`,
    );
}
