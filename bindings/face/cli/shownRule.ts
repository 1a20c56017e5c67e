import { horizonInWords, type NamedState } from '../../rules/risk/index.js';

/** The lines above a table of a rule: its name with its formula, and what it says in English if words are given. */
export function ruleHead({
  name,
  formula,
  english,
  horizonSteps,
}: {
  readonly name: string;
  readonly formula: string;
  readonly english?: string;
  readonly horizonSteps: number | null;
}): string[] {
  const said = english === undefined ? [] : [`in words: ${english}`];
  return [`${name}: ${formula}${horizonInWords(horizonSteps)}`, ...said];
}

/** Rules that say something in English, a line each. */
export function saidRules(rules: readonly { readonly name: string; readonly english?: string }[]): string[] {
  return rules.flatMap(({ name, english }) => (english === undefined ? [] : [`${name}: ${english}`]));
}

/** A state as tables show it: in the words of its predicates if they have some. */
export function shownState({
  description,
  inWords = description,
}: Pick<NamedState, 'description' | 'inWords'>): string {
  return inWords;
}
