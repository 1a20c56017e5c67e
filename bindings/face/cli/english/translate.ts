import { appendFile } from 'node:fs/promises';
import { stringify } from 'yaml';
import { InvalidArgumentError } from '../../../base/errors.js';
import { type LanguageModel, recordingModel } from '../../../base/languageModel/index.js';
import { printable } from '../../../base/words.js';
import { describeReadings } from '../../../languages/english/read/index.js';
import { printFormula } from '../../../languages/logic/index.js';
import { vocabularyOf } from '../../../rules/specification/index.js';
import {
  answerTranslation,
  type ConfirmedRule,
  confirmRule,
  type Translation,
  translate,
} from '../../../rules/translate/index.js';
import { loadSpecification } from '../inputs.js';
import { languageModelOf } from '../languageModel.js';
import { parseCount } from '../numbers.js';
import type { Outcome, Terminal } from '../terminal.js';

export interface TranslateCommandOptions {
  readonly sentence: string;
  readonly spec: string;
  readonly model: string;
  readonly judge?: string;
  readonly samples?: string;
  readonly keyVariable: string;
  readonly record?: string;
  readonly confirm?: boolean;
  readonly by?: string;
}

/** `foreguard translate`: a sentence as rules, with the help of a language model. Without `--confirm`, what the model says stays an offer. */
export async function translateSentence(
  options: TranslateCommandOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const { sentence, spec, confirm = false, by } = options;
  if (confirm && terminal.ask === undefined)
    throw new InvalidArgumentError('--confirm needs a terminal to ask at');
  if (confirm && (by === undefined || by.trim() === ''))
    throw new InvalidArgumentError('--confirm keeps with the rule who confirmed it; give --by NAME');
  const specification = await loadSpecification(spec);
  const { predicates, constraints } = vocabularyOf(specification);
  const known = { predicates, constraints };
  const samples = parseCount('--samples', options.samples);
  const judge = options.judge === undefined ? undefined : await modelNamed('--judge', options.judge, options);
  const found = await translate(sentence, {
    ...known,
    model: await modelNamed('--model', options.model, options),
    ...(judge !== undefined && { judge }),
    ...(samples !== undefined && { samples }),
    rules: specification.rules
      .filter(({ formula }) => formula.kind !== 'probability')
      .map(({ name, formula, atEnd }) => ({ name, formula, atEnd })),
  });
  const told: Told[] = [];
  for (const one of found)
    told.push(confirm ? await confirmed(one, by as string, known, terminal) : tell(one));
  return {
    json: { sentence, translations: told.map(({ json }) => json) },
    text: told
      .flatMap(({ lines }) => lines)
      .map((line) => printable(line))
      .join('\n'),
    exitCode: told.every(({ isRule }) => isRule) ? 0 : 2,
  };
}

/** What came of one rule of the sentence. */
interface Told {
  readonly json: object;
  readonly lines: readonly string[];
  readonly isRule: boolean;
}

async function modelNamed(
  option: string,
  name: string,
  { keyVariable, record }: TranslateCommandOptions,
): Promise<LanguageModel> {
  const model = await languageModelOf(option, name, keyVariable);
  return record === undefined ? model : recordingModel(model, (line) => appendFile(record, line));
}

function tell(found: Translation): Told {
  const { text } = found;
  const head = [`"${text}"`];
  if (found.kind === 'refused')
    return {
      json: found,
      lines: [...head, `  ${found.message}`, ...found.offers.map((offer) => `  ${offer}`)],
      isRule: false,
    };
  if (found.kind === 'read') {
    const formula = printFormula(found.formula);
    return {
      json: { ...found, formula },
      lines: [...head, `  ${formula}`, `  ${found.sentence}`],
      isRule: true,
    };
  }
  const mentions = found.mentions.map(
    (mention) =>
      `  "${mention.text}" is taken for ${mention.holds ? '' : 'not '}${mention.predicate}${mention.isExact ? '' : ', which fits best'}`,
  );
  const doubts = found.doubts.map((doubt) => `  doubt: ${doubt}`);
  if (found.kind === 'ask') {
    const { ifAllowed, ifForbidden, text: question } = found.question;
    const numbers = (of: readonly number[]) => of.map((i) => i + 1).join(' or ');
    return {
      json: {
        ...found,
        readings: found.readings.map((one) => ({ ...one, formula: printFormula(one.formula) })),
      },
      lines: [
        ...head,
        ...mentions,
        '  it can be meant in these ways:',
        ...describeReadings(found.readings),
        `  ${question} If it is: ${numbers(ifAllowed)}. If it is not: ${numbers(ifForbidden)}.`,
        ...doubts,
        '  None of them is a rule before you confirm it: --confirm --by NAME asks you.',
      ],
      isRule: false,
    };
  }
  const formula = printFormula(found.formula);
  return {
    json: { ...found, formula },
    lines: [
      ...head,
      ...mentions,
      `  ${formula}`,
      `  ${found.sentence}`,
      ...doubts,
      '  This is an offer of a model, and no rule before you confirm it: --confirm --by NAME asks you.',
    ],
    isRule: false,
  };
}

/** Asks which reading is meant, and then of the runs of the offer whether they are allowed. */
async function confirmed(
  found: Translation,
  by: string,
  known: Parameters<typeof answerTranslation>[2],
  terminal: Terminal,
): Promise<Told> {
  let left = found;
  while (left.kind === 'ask') {
    show(tell(left).lines.slice(0, -1), terminal);
    left = answerTranslation(left, await isAllowed(left.question.text, terminal), known);
  }
  if (left.kind !== 'offer') return tell(left);
  show(tell(left).lines.slice(0, -1), terminal);
  const answers: boolean[] = [];
  for (const { text } of left.confirmation.questions) answers.push(await isAllowed(text, terminal));
  const rule = confirmRule(left.formula, left.confirmation, answers, by);
  return {
    json: { ...rule, translated: found.text },
    lines: inYaml(found.text, rule).split('\n'),
    isRule: true,
  };
}

function show(lines: readonly string[], terminal: Terminal): void {
  terminal.err(`${lines.map((line) => printable(line)).join('\n')}\n`);
}

async function isAllowed(question: string, terminal: Terminal): Promise<boolean> {
  for (;;) {
    const answer = ((await terminal.ask?.(`${printable(question)} yes or no: `)) ?? '').trim().toLowerCase();
    if (/^y(es)?$/.test(answer)) return true;
    if (/^no?$/.test(answer)) return false;
    show([`"${answer}" is no answer.`], terminal);
  }
}

/** What belongs under `rules` in a specification, below a name. */
const inYaml = (translated: string, { formula, confirmed: by }: ConfirmedRule): string =>
  stringify(
    { formula, translated, confirmed: by, strategy: 'report' },
    { flowCollectionPadding: false },
  ).trimEnd();
