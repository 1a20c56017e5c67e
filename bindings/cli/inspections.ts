import { existsSync } from 'node:fs';
import type { Answer, InspectionStore, KeptInspection } from '../enforcement/index.js';
import { InvalidArgumentError } from '../errors.js';
import { openInspections } from '../node/index.js';
import { formatNumber, type Outcome, plural } from './terminal.js';

interface ListCommandOptions {
  readonly folder: string;
  readonly all?: boolean;
}

interface AnswerCommandOptions extends Omit<Answer, 'approved'> {
  readonly folder: string;
  readonly id: string;
}

/** `foreguard inspections list`: the questions that wait for an answer. */
export async function listInspections({ folder, all = false }: ListCommandOptions): Promise<Outcome> {
  const kept = await (await store(folder)).list();
  const inspections = kept.filter(({ status }) => all || status === 'open');
  const text =
    inspections.length === 0
      ? `no inspection is open in ${folder}`
      : inspections.map((one) => describe(one)).join('\n\n');
  return { json: { folder, inspections }, text };
}

/** `foreguard inspections approve` and `refuse`. */
export function answerInspection(approved: boolean): (options: AnswerCommandOptions) => Promise<Outcome> {
  return async ({ folder, id, by, comment }) => {
    const answer = { approved, ...(by !== undefined && { by }), ...(comment !== undefined && { comment }) };
    const kept = await (await store(folder)).answer(id, answer);
    const { name } = kept.inspection.call;
    return {
      json: kept,
      text: `${approved ? 'approved' : 'refused'}: ${printable(name)}, inspection ${printable(id)}`,
    };
  };
}

async function store(folder: string): Promise<InspectionStore> {
  if (existsSync(folder)) return openInspections(folder);
  throw new InvalidArgumentError(
    `there is no folder ${folder}; expected the one that sessions keep inspections in`,
  );
}

function describe({ inspection, status, answer }: KeptInspection): string {
  const { id, run, call, question, rule, risk, expiresAt } = inspection;
  const secondsLeft = Math.round((expiresAt - Date.now()) / 1000);
  const state =
    answer !== null
      ? `${answer.approved ? 'approved' : 'refused'}${answer.by === undefined ? '' : ` by ${answer.by}`}`
      : status === 'open'
        ? `open for ${plural(secondsLeft, 'second')}`
        : `expired ${new Date(expiresAt).toISOString()}`;
  return [
    `${id}  (${state})`,
    `  run ${run}, rule ${rule}, risk ${formatNumber(risk)}`,
    `  ${call.name} ${JSON.stringify(call.arguments)}`,
    ...question.split('\n').map((line) => `  ${line}`),
  ]
    .map(printable)
    .join('\n');
}

/** What agents wrote must not steer the terminal of who decides on it, nor turn the direction of its text around. */
function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
