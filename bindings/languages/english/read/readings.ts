import { type CompareOptions, canonicalKey } from '../../automaton/compare/index.js';
import { type Formula, printFormula } from '../../logic/index.js';
import { constant } from '../core/index.js';
import type { Tree } from '../grammar/chart.js';
import { automatonOf } from './automata.js';
import { type AmbiguityName, type Choice, Choices } from './choices.js';
import { meaningOf } from './meaning.js';
import { NoMeaning } from './noMeaning.js';

/** One thing that a sentence may mean. */
export interface Reading {
  readonly formula: Formula;
  /** The formula said in English, in the words of its predicates: what was understood. */
  readonly sentence: string;
  /** The words that were taken in one of several ways, and which. */
  readonly choices: readonly Choice[];
}

/** Thrown inside when a sentence has more readings than are worth a question. */
export class TooManyReadings extends Error {}

/** How many formulas are compared at most. */
const LIMIT = 48;

/** What the trees can mean, one reading of each class of equivalent formulas; and whether one of them asks for what never ends. */
export function readingsOf(
  trees: readonly Tree[],
  tokens: readonly string[],
  options: CompareOptions,
  say: (formula: Formula) => string,
): {
  readonly readings: readonly Reading[];
  readonly endless: boolean;
  readonly dropped: 'always' | 'never' | null;
} {
  const formulas = new Map<string, Omit<Reading, 'sentence'>>();
  let endless = false;
  for (const tree of trees) {
    const queue: ReadonlyMap<AmbiguityName, string>[] = [new Map()];
    for (const given of queue) {
      if (queue.length > 400) throw new TooManyReadings();
      const choices = new Choices(tokens, given);
      try {
        const formula = meaningOf(tree, choices);
        const text = printFormula(formula);
        if (!formulas.has(text)) formulas.set(text, { formula, choices: choices.made() });
        if (formulas.size > LIMIT) throw new TooManyReadings();
      } catch (error) {
        if (!(error instanceof NoMeaning)) throw error;
        endless ||= error.endless;
      }
      queue.push(...choices.open);
    }
  }
  const classes = new Map<string, Omit<Reading, 'sentence'>>();
  for (const reading of formulas.values()) {
    const key = canonicalKey(automatonOf(reading.formula), options);
    const known = classes.get(key);
    if (known === undefined || reading.choices.length < known.choices.length) classes.set(key, reading);
  }
  if (classes.size === 0) return { readings: [], endless, dropped: null };
  const never = classes.delete(canonicalKey(constant(false), options));
  const always = classes.delete(canonicalKey(constant(true), options));
  const readings = [...classes.values()].map((reading) => ({ ...reading, sentence: say(reading.formula) }));
  return { readings, endless, dropped: never ? 'never' : always ? 'always' : null };
}
