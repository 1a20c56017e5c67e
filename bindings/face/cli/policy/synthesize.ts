import { appendFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { InvalidDataError } from '../../../base/errors.js';
import { budgetedModel, type LanguageModel, recordingModel } from '../../../base/languageModel/index.js';
import { printable } from '../../../base/words.js';
import {
  type Candidate,
  DraftFile,
  inductiveModel,
  type PolicyDraft,
  type ReadingQuestion,
  type ReadingReply,
  type SynthesisResult,
  specifyPolicy,
  synthesizePolicy,
} from '../../../proofs/synthesis/index.js';
import { nodeStorage, scriptsBeside } from '../../node/index.js';
import { readText } from '../inputs.js';
import { languageModelOf } from '../languageModel.js';
import { parseCount } from '../numbers.js';
import { type Outcome, plural, type Terminal } from '../terminal.js';

export interface SynthesizeOptions {
  readonly file: string;
  readonly model: string;
  readonly policy?: readonly string[];
  readonly keyVariable: string;
  readonly record?: string;
  readonly answers?: string;
  readonly iterations?: string;
  readonly calls?: string;
  readonly output?: string;
}

/** `foreguard policy synthesize`: has conditions written, until all that is demanded is proved. */
export async function synthesizeSpecification(
  options: SynthesizeOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const { file, policy, output } = options;
  const iterations = parseCount('--iterations', options.iterations) ?? 8;
  const calls = parseCount('--calls', options.calls) ?? 40;
  let text = await readText(file, 'a file of policies, YAML or JSON, some of them without permit');
  const { drafts } = new DraftFile(text, file, { read: scriptsBeside(file).read });
  const names = policy ?? drafts.map(({ name }) => name);
  if (names.length === 0)
    throw new InvalidDataError(`${file} has no policy without permit: there is nothing to be written`);
  const model = budgetedModel(await modelOf(options), { calls });
  const person = new Person(options, terminal);
  const results: SynthesisResult[] = [];
  for (const name of names) {
    const draftFile = new DraftFile(text, file, { read: scriptsBeside(file).read });
    const { draft, first } = await specified(draftFile, name, model, person);
    const result = await synthesizePolicy(draftFile, draft, model, {
      maxIterations: iterations,
      ...(first !== undefined && { first }),
      onAttempt: ({ iteration, outcome, problems }) =>
        terminal.err(
          `${printable(`foreguard: ${name}, answer ${iteration}: ${outcome}${problems.length > 0 ? `; ${problems[0]}` : ''}`)}\n`,
        ),
    });
    results.push(result);
    if (result.candidate !== null) text = draftFile.with(result.draft, result.candidate);
  }
  const isWritten = results.some(({ candidate }) => candidate !== null);
  if (output !== undefined && isWritten) await nodeStorage.write(output, text);
  const lines = [...results.map(describe), ...(output !== undefined && isWritten ? [`wrote ${output}`] : [])];
  return {
    json: { file, model: model.id, results, ...(output === undefined && { text }) },
    text: [
      lines.map((line) => printable(line)).join('\n'),
      ...(output === undefined && isWritten ? [text] : []),
    ].join('\n'),
    exitCode: exitCodeOf(results),
  };
}

/** A draft with properties: its own, or those of a reading that a person has confirmed. */
async function specified(
  file: DraftFile,
  name: string,
  model: LanguageModel,
  person: Person,
): Promise<{ draft: PolicyDraft; first?: Candidate }> {
  const own = file.draft(name);
  if (Object.keys(own.ensures).length > 0) return { draft: own };
  if (own.request === '')
    throw new InvalidDataError(
      `policy "${name}" has neither ensures nor request; say what it must ensure, or what it is for`,
    );
  const { draft, candidate, dropped } = await specifyPolicy(file, name, model, {
    ask: (question) => person.decides(name, question),
  });
  person.tell(dropped.map((why) => `${name}, ${why}`));
  await person.confirms(draft);
  return { draft, first: candidate };
}

async function modelOf({ model, keyVariable, record }: SynthesizeOptions): Promise<LanguageModel> {
  const chosen = await namedModel(model, keyVariable);
  if (record === undefined) return chosen;
  return recordingModel(chosen, (line) => appendFile(record, line));
}

async function namedModel(name: string, keyVariable: string): Promise<LanguageModel> {
  if (name === 'inductive') return inductiveModel();
  return languageModelOf('--model', name, keyVariable, 'inductive');
}

/** Who says what is meant: at the terminal, or by a file with one answer a line. */
class Person {
  readonly #terminal: Terminal;
  readonly #path: string | undefined;
  #answers: string[] | undefined;

  constructor({ answers }: SynthesizeOptions, terminal: Terminal) {
    this.#terminal = terminal;
    this.#path = answers;
  }

  tell(lines: readonly string[]): void {
    for (const line of lines) this.#terminal.err(`${printable(`foreguard: ${line}`)}\n`);
  }

  async decides(policy: string, { input, permitting, denying }: ReadingQuestion): Promise<ReadingReply> {
    const question = `${policy}: ${JSON.stringify(input)}: permit, deny or either? (readings: ${permitting} permit it, ${denying} deny it)`;
    return this.#ask(question, ['permit', 'deny', 'either']);
  }

  /** @throws InvalidDataError if the properties are not what is meant */
  async confirms({ name, ensures }: PolicyDraft): Promise<void> {
    this.tell([
      `${name} is to ensure:`,
      ...Object.entries(ensures).map(([property, text]) => `  ${property}: ${text}`),
    ]);
    const reply = await this.#ask(`${name}: is this what is meant? yes or no`, ['yes', 'no']);
    if (reply === 'no')
      throw new InvalidDataError(
        `policy "${name}": its properties are not what is meant; say the request anew, or write ensures yourself`,
      );
  }

  async #ask<Reply extends string>(question: string, replies: readonly Reply[]): Promise<Reply> {
    this.tell([question]);
    const given = this.#path === undefined ? await this.#typed(question) : await this.#next(question);
    const reply = replies.find((one) => one === given.trim());
    if (reply !== undefined) return reply;
    throw new InvalidDataError(`"${given}" answers ${question}; expected ${replies.join(', ')}`);
  }

  async #next(question: string): Promise<string> {
    const path = this.#path as string;
    this.#answers ??= (await readText(path, 'answers, one a line'))
      .split('\n')
      .filter((line) => line.trim() !== '');
    const answer = this.#answers.shift();
    if (answer === undefined) throw new InvalidDataError(`${path} has no answer to ${question}`);
    return answer;
  }

  async #typed(question: string): Promise<string> {
    if (process.stdin.isTTY !== true)
      throw new InvalidDataError(`nobody can be asked (${question}); give --answers FILE, one answer a line`);
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return await lines.question('> ');
    } finally {
      lines.close();
    }
  }
}

function describe({ policy, outcome, reason, steps, usage, report }: SynthesisResult): string {
  const asked = `${plural(usage.calls, 'answer')}${usage.input + usage.output > 0 ? `, ${usage.input} tokens read and ${usage.output} written` : ''}`;
  if (outcome === 'verified')
    return `${policy}: verified, ${plural(report?.obligations.length ?? 0, 'obligation')} (${asked}, ${plural(steps.length, 'policy', 'policies')} tried)`;
  return `${policy}: ${outcome} (${asked}): ${reason}`;
}

function exitCodeOf(results: readonly SynthesisResult[]): 0 | 1 | 3 {
  if (results.some(({ outcome }) => outcome === 'failed')) return 1;
  return results.some(({ outcome }) => outcome === 'unproved') ? 3 : 0;
}
