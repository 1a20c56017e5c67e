import { randomInt } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { ForeguardError } from '../../base/errors.js';
import { refuseUnknownOptions } from '../../base/suggest.js';
import { printable } from '../../base/words.js';
import { type Answer, type Ask, type Inspection, shownQuestion } from '../../runtime/enforcement/index.js';

/** Options of `askAtTerminal`: where people read and write. */
export interface TerminalAskOptions {
  /** Default: standard input. It must be a terminal. */
  readonly input?: Readable & { readonly isTTY?: boolean };
  /** Default: standard error, since standard output is often a program's. It must be a terminal. */
  readonly output?: Writable & { readonly isTTY?: boolean };
  /** The name of who answers, for the records. Default: none. */
  readonly by?: string;
}

/**
 * The `ask` of a session that asks at the terminal, one question after another. A question is a line, and its call another, in which nothing can control the
 * terminal or look like a line of Foreguard's. A yes is `yes` with the number that the prompt shows: lines that were typed, or piped in, before the question was
 * shown are none, and no argument can hold the number.
 *
 * It rejects, so that the call does not run, if there is no terminal, if it is closed, and at the session's deadline.
 */
export function askAtTerminal(options: TerminalAskOptions = {}): Ask {
  refuseUnknownOptions('askAtTerminal', options, { input: true, output: true, by: true });
  const { input = process.stdin, output = process.stderr, by } = options;
  let last: Promise<unknown> = Promise.resolve();
  return (inspection, signal) => {
    const asked = last.then(() => {
      signal.throwIfAborted();
      if (input.isTTY !== true || output.isTTY !== true)
        throw new ForeguardError(
          'no-answer',
          'nobody can be asked: standard input or standard error is no terminal; ask in another way, such as by openInspections or openWebhook',
        );
      return askOnce(inspection, { input, output, by }, signal);
    });
    last = asked.catch(() => undefined);
    return asked;
  };
}

async function askOnce(
  inspection: Inspection,
  { input, output, by }: { input: Readable; output: Writable; by: string | undefined },
  signal: AbortSignal,
): Promise<Answer> {
  const number = String(randomInt(100, 1000));
  const edit = inspection.editable
    ? `, "yes ${number} {…}" with all its arguments, as JSON, to change them`
    : '';
  const prompt = `"yes ${number}" lets it run${edit}, "no" or "no, because …" does not: `;
  const lines = createInterface({ input, output, terminal: false });
  // A closed terminal answers nothing.
  const closed = new Promise<never>((_, reject) => {
    lines.once('close', () =>
      reject(new ForeguardError('no-answer', 'the terminal was closed before an answer')),
    );
  });
  closed.catch(() => undefined);
  try {
    output.write(`\n${shownQuestion(inspection).map(printable).join('\n')}\n`);
    for (;;) {
      const answer = readLine(
        await Promise.race([lines.question(prompt, { signal }), closed]),
        number,
        inspection,
      );
      if (typeof answer !== 'string') return { ...answer, ...(by !== undefined && { by }) };
      output.write(`${answer}\n`);
    }
  } finally {
    lines.close();
  }
}

/** The answer that a line gives; a complaint if it gives none. */
function readLine(line: string, number: string, { editable }: Inspection): Answer | string {
  const text = line.trim();
  if (/^no$/i.test(text)) return { approved: false };
  const refused = /^no,\s*(.+)$/i.exec(text);
  if (refused !== null) return { approved: false, comment: refused[1] };
  const approved = /^yes (\d{3})(?: (\{.*\}))?$/i.exec(text);
  if (approved === null || approved[1] !== number) return 'That is neither.';
  if (approved[2] === undefined) return { approved: true };
  if (!editable) return 'The arguments of this call cannot be changed here.';
  try {
    return { approved: true, arguments: JSON.parse(approved[2]) as NonNullable<Answer['arguments']> };
  } catch {
    return 'The arguments are not JSON.';
  }
}
