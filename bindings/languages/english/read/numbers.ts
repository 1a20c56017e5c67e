import { windowInSteps } from '../../logic/index.js';
import type { NamedPhrase } from '../grammar/chart.js';
import { type Token, tokensOf } from '../grammar/tokens.js';
import { splitName } from '../lexicon/index.js';
import type { ReadEnglishOptions } from './readEnglish.js';

const COMPARISON = /^\s*([\w.]+)\s*(<=|>=|<|>|==)\s*(-?\d+(?:\.\d+)?)\s*$/;
const SAID: Readonly<Record<string, string>> = {
  '>': 'is above|is over|is greater than|is more than|is higher than|is larger than|exceeds|rises above|goes above',
  '>=': 'is at least|is no less than|is not less than|is not below|is not under',
  '<': 'is below|is under|is less than|is lower than|is smaller than|falls below|drops below|goes below',
  '<=': 'is at most|is no more than|is not more than|is not above|is not over|does not exceed',
  '==': 'is|is exactly|equals',
};
const OPPOSITE: Readonly<Record<string, string>> = { '>': '<=', '>=': '<', '<': '>=', '<=': '>' };
const UNITS: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600 };

interface Compared {
  readonly name: string;
  readonly path: string;
  readonly operator: string;
  readonly value: string;
}

function comparedBy({ definitions = [] }: ReadEnglishOptions): Compared[] {
  return definitions.flatMap(({ name, expression }) => {
    const found = COMPARISON.exec(expression);
    return found === null ? [] : [{ name, path: found[1], operator: found[2], value: found[3] }];
  });
}

/** A field in words: "customer balance" and "balance" for `customer.balance`. */
const fieldWords = (path: string): string[] => [
  ...new Set([splitName(path).join(' '), splitName(path.split('.').at(-1) as string).join(' ')]),
];

/** How predicates that compare a field with a number are said, "the temperature is above 80", and windows in time as steps: "30 seconds". */
export function numbersOf(options: ReadEnglishOptions, tokens: readonly Token[]): NamedPhrase[] {
  const phrases: NamedPhrase[] = [];
  for (const { name, path, operator, value } of comparedBy(options))
    for (const field of fieldWords(path))
      for (const [said, tree] of [
        [operator, name],
        [OPPOSITE[operator], ['not', name]],
      ] as const)
        for (const words of SAID[said]?.split('|') ?? [])
          phrases.push({
            kind: 'state',
            words: tokensOf(`${field} ${words} ${value}`).map(({ text }) => text),
            tree,
          });
  const { samplingPeriod } = options;
  for (const { number, unit, seconds } of durationsIn(tokens)) {
    const window = { from: '0', to: String(seconds), unit: 's' } as const;
    const { to } = samplingPeriod == null ? { to: null } : windowInSteps(window, samplingPeriod);
    if (to !== null) phrases.push({ kind: 'span', words: [number, unit], tree: to });
  }
  return phrases;
}

function durationsIn(tokens: readonly Token[]): { number: string; unit: string; seconds: number }[] {
  return tokens.flatMap(({ text: unit }, at) => {
    const number = tokens[at - 1]?.text ?? '';
    const factor = UNITS[unit.replace(/s$/, '')];
    return factor === undefined || !/^\d{1,6}(?:\.\d{1,6})?$/.test(number)
      ? []
      : [{ number, unit, seconds: Number(number) * factor }];
  });
}

/** What to do about a number that no predicate compares with, and about a time without a clock. */
export function numberOffers(options: ReadEnglishOptions, tokens: readonly Token[]): string[] {
  const text = tokens.map((token) => token.text).join(' ');
  const offers = comparedBy(options).flatMap(({ path, operator }) => {
    const [number] = tokens.flatMap((token) => (/^\d+(?:\.\d+)?$/.test(token.text) ? [token.text] : []));
    const isMeant = fieldWords(path).some((words) => ` ${text} `.includes(` ${words} `));
    return isMeant && number !== undefined
      ? [
          `add a predicate for it, such as "${splitName(path).join('_')}_${number}: ${path} ${operator} ${number}"`,
        ]
      : [];
  });
  const [duration] = durationsIn(tokens);
  if (duration !== undefined && options.samplingPeriod == null)
    offers.push(`say "${duration.number} steps", or give the specification a samplingPeriod`);
  return [...new Set(offers)];
}
