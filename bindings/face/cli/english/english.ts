import { InvalidArgumentError } from '../../../base/errors.js';
import { printable } from '../../../base/words.js';
import type { Outcome, Terminal } from '../terminal.js';
import { lockRules } from './lockRules.js';
import { readSentences } from './readSentences.js';
import { type SaidRule, sayRules } from './sayRules.js';

interface EnglishCommandOptions {
  readonly sentences: readonly string[];
  /** Formulas; true if the option stands without one. */
  readonly say?: readonly string[] | true;
  readonly spec?: string;
  readonly ask?: boolean;
  readonly lock?: boolean;
}

/** `foreguard english`: sentences as formulas, with `--lock` beside those of a specification, and with `--say` formulas in English. */
export async function english(
  { sentences, say, spec, ask = false, lock = false }: EnglishCommandOptions,
  terminal: Terminal,
): Promise<Outcome> {
  if (ask && terminal.ask === undefined)
    throw new InvalidArgumentError('--ask needs a terminal to ask at; without it, the readings are printed');
  if (lock) {
    if (spec === undefined || sentences.length > 0 || say !== undefined)
      throw new InvalidArgumentError(
        '--lock writes the formulas of the sentences in a specification; expected --lock --spec FILE, without sentences and without --say',
      );
    return lockRules(spec, ask, terminal);
  }
  if (say !== undefined) {
    if (sentences.length > 0)
      throw new InvalidArgumentError(
        `"${sentences[0]}" stands before --say; expected sentences to be read, or --say with formulas to be said`,
      );
    return outcomeOf(await sayRules(say === true ? [] : say, spec));
  }
  if (sentences.length === 0)
    throw new InvalidArgumentError(
      'nothing to read; expected sentences, with --spec FILE for their predicates, or --say with formulas to be said, or --say with --spec FILE for its rules',
    );
  return readSentences(sentences, { spec, ask }, terminal);
}

function outcomeOf(rules: readonly SaidRule[]): Outcome {
  const lines = rules.flatMap(({ name, formula, english }) =>
    rules.length === 1 && name === null
      ? [english]
      : [`${name === null ? '' : `${name}: `}${formula}`, `    ${english}`],
  );
  return { json: { rules }, text: lines.map((line) => printable(line)).join('\n') };
}
