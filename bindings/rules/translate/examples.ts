import { InvalidArgumentError } from '../../base/errors.js';
import { type Formula, parseFormula, predicatesOf, printFormula } from '../../languages/logic/index.js';
import { treeOf, wordsOf } from './tree.js';

/** A rule with placeholders p1, p2 … for what it mentions, and what it means: an example for a language model. */
export interface TranslationExample {
  readonly rule: string;
  /** Over p1, p2 …. */
  readonly formula: Formula | string;
}

/** How many examples a model is shown. */
const SHOWN = 3;

/** One of each pattern of missions and properties that is common. */
const BUILTIN: readonly TranslationExample[] = [
  { rule: 'never p1', formula: 'G !p1' },
  { rule: 'always keep p1', formula: 'G p1' },
  { rule: 'p1 at some point', formula: 'F p1' },
  { rule: 'visit p1 and p2 in any order', formula: '(F p1) & (F p2)' },
  { rule: 'first p1, then p2', formula: 'F (p1 & (F p2))' },
  { rule: 'not p1 before p2', formula: '!p1 W p2' },
  { rule: 'p1 until p2, which must come', formula: 'p1 U p2' },
  { rule: 'p1 only if p2 has been before', formula: 'G (p1 -> O p2)' },
  { rule: 'whenever p1, p2 as well', formula: 'G (p1 -> p2)' },
  { rule: 'no p1 while p2', formula: 'G (p2 -> !p1)' },
  { rule: 'if p1, then p2 must follow', formula: 'G (p1 -> F p2)' },
  { rule: 'after p1, p2 at the next step', formula: 'G (p1 -> X p2)' },
  { rule: 'after p1, p2 within 3 steps', formula: 'G (p1 -> F<=3 p2)' },
  { rule: 'once p1, never again p2', formula: 'G (p1 -> (G !p2))' },
  { rule: 'p1 at most once', formula: 'G (p1 -> (p1 W (G !p1)))' },
];

/**
 * The examples that a model is shown with a rule, as data: of those given and the built-in ones, the three that share most words with it.
 *
 * @throws InvalidArgumentError if a given one has other predicates than p1, p2 …, or says what no tree says
 */
export function examplesFor(
  rule: string,
  given: readonly TranslationExample[],
): { readonly rule: string; readonly tree: object }[] {
  const words = contentOf(rule);
  return [...given.map(checked), ...BUILTIN]
    .map((example) => ({ example, score: likeness(words, contentOf(example.rule)) }))
    .sort((one, other) => other.score - one.score)
    .slice(0, SHOWN)
    .map(({ example }) => ({ rule: example.rule, tree: treeOf(parsed(example)) }));
}

/** Checks the examples of a caller, before a model is asked. @throws as `examplesFor` */
export function checkExamples(given: readonly TranslationExample[]): void {
  given.forEach(checked);
}

function checked(example: TranslationExample, i: number): TranslationExample {
  const at = `examples[${i}]`;
  const formula = parsed(example, at);
  const other = predicatesOf(formula).find((name) => !/^p[1-9]\d?$/.test(name));
  if (other !== undefined)
    throw new InvalidArgumentError(`${at} has the predicate ${other}; expected p1, p2 … in rule and formula`);
  try {
    treeOf(formula);
  } catch (cause) {
    throw new InvalidArgumentError(
      `${at} is ${printFormula(formula)}, which no tree says: ${(cause as Error).message}`,
      { cause },
    );
  }
  return example;
}

const parsed = ({ formula }: TranslationExample, name = 'the example'): Formula =>
  typeof formula === 'string' ? parseFormula(formula, { name }) : formula;

const contentOf = (rule: string): ReadonlySet<string> =>
  new Set(wordsOf(rule).filter((word) => !/^p\d+$/.test(word)));

/** Words in common, of all words. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const common = [...one].filter((word) => other.has(word)).length;
  return common / Math.max(1, one.size + other.size - common);
}
