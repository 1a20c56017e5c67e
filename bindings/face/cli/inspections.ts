import { existsSync } from 'node:fs';
import { InvalidArgumentError } from '../../base/errors.js';
import { printable, printableName, wordsOf } from '../../base/words.js';
import {
  type Answer,
  type InspectionStore,
  type KeptInspection,
  shownQuestion,
} from '../../runtime/enforcement/index.js';
import { createInspectionKey, INSPECTIONS_KEY } from '../node/index.js';
import { isDatabase, placeName } from './database.js';
import { questionsAt } from './questionsAt.js';
import { formatNumber, type Outcome, plural, type Terminal } from './terminal.js';

interface FolderCommandOptions {
  readonly folder: string;
  /** The key file. */
  readonly key?: string;
}

interface ListCommandOptions extends FolderCommandOptions {
  readonly all?: boolean;
}

interface AnswerCommandOptions extends FolderCommandOptions, Omit<Answer, 'approved' | 'arguments'> {
  readonly id: string;
  /** JSON: the arguments with which the call is to run. */
  readonly arguments?: string;
}

/** `foreguard inspections key`: creates the key that seals questions and answers. */
export async function makeInspectionKey({ file }: { readonly file: string }): Promise<Outcome> {
  await createInspectionKey(file);
  const text = `${file}: a new key. Give it to the guard (--inspections-key) and to those who answer (--key), or put its content into ${INSPECTIONS_KEY}; keep it from the agent and its tools`;
  return { json: { file }, text };
}

/** `foreguard inspections list`: the questions that wait for an answer. Exit code 2 if any cannot be read; the others are listed. */
export async function listInspections(options: ListCommandOptions, terminal: Terminal): Promise<Outcome> {
  const { folder, all = false } = options;
  const notes: string[] = [];
  const damaged: string[] = [];
  const onDamaged = (text: string): void => {
    damaged.push(text);
    terminal.err(`foreguard: ${printable(text)}\n`);
  };
  const kept = await (await store(options, terminal, notes)).list(onDamaged);
  const inspections = kept.filter(({ status }) => all || status === 'open');
  const text =
    inspections.length === 0
      ? `no inspection is open in ${placeName(folder)}`
      : inspections.map((one) => describe(one)).join('\n\n');
  return {
    json: { folder: placeName(folder), inspections, notes, damaged },
    text,
    exitCode: damaged.length > 0 ? 2 : 0,
  };
}

/** `foreguard inspections approve` and `refuse`. */
export function answerInspection(
  approved: boolean,
): (options: AnswerCommandOptions, terminal: Terminal) => Promise<Outcome> {
  return async (options, terminal) => {
    const { id, by, comment, arguments: given } = options;
    const answer = {
      approved,
      ...(by !== undefined && { by }),
      ...(comment !== undefined && { comment }),
      ...(given !== undefined && { arguments: readArguments(given) }),
    };
    const kept = await (await store(options, terminal)).answer(id, answer);
    const { name } = kept.inspection.call;
    return {
      json: kept,
      text: `${approved ? 'approved' : 'refused'}: ${printableName(name)}${given === undefined ? '' : ' with other arguments'}, inspection ${printable(id)}`,
    };
  };
}

/** @throws InvalidArgumentError if it is not JSON; the store refuses what is no object */
function readArguments(text: string): NonNullable<Answer['arguments']> {
  try {
    return JSON.parse(text) as NonNullable<Answer['arguments']>;
  } catch (error) {
    throw new InvalidArgumentError(
      `--arguments is not JSON (${wordsOf(error)}); expected all arguments of the call, such as '{"amount": 100}'`,
    );
  }
}

/** @param notes warnings about the folder, which are also written to standard error */
async function store(
  { folder, key }: FolderCommandOptions,
  terminal: Terminal,
  notes: string[] = [],
): Promise<InspectionStore> {
  if (!isDatabase(folder) && !existsSync(folder))
    throw new InvalidArgumentError(
      `there is no folder ${folder}; expected the one that sessions keep inspections in`,
    );
  const onNote = (text: string): void => {
    notes.push(text);
    terminal.err(`foreguard: ${printable(text)}\n`);
  };
  return questionsAt(folder, key, onNote);
}

function describe({ inspection, status, answer }: KeptInspection): string {
  const { id, run, rule, risk, expiresAt } = inspection;
  const secondsLeft = Math.round((expiresAt - Date.now()) / 1000);
  const state =
    answer !== null
      ? `${answer.approved ? 'approved' : 'refused'}${answer.by === undefined ? '' : ` by ${answer.by}`}`
      : status === 'open'
        ? `open for ${plural(secondsLeft, 'second')}`
        : `expired ${new Date(expiresAt).toISOString()}`;
  return [
    `${id}  (${state})`,
    `  run ${run}, ${rule === '' ? 'no rule, risk not known' : `rule ${rule}, risk ${formatNumber(risk)}`}`,
    ...shownQuestion(inspection)
      .reverse()
      .map((line) => `  ${line}`),
  ]
    .map(printable)
    .join('\n');
}
