import { printable } from '../../../base/words.js';
import type { Lexicon } from '../../../languages/english/index.js';
import {
  describeReadings,
  type EnglishReading,
  numbered,
  questionFor,
  type ReadEnglishOptions,
  type Reading,
} from '../../../languages/english/read/index.js';
import type { Terminal } from '../terminal.js';

/**
 * Asks at the terminal which reading is meant: a number chooses one, and yes or no says whether the run of the question is allowed, which halves the readings.
 *
 * @throws as `terminal.ask` if nobody answers
 */
export async function askReading(
  sentence: string,
  { readings }: EnglishReading & { kind: 'ask' },
  { constraints }: ReadEnglishOptions,
  lexicon: Lexicon,
  terminal: Terminal,
): Promise<Reading> {
  const tell = (lines: readonly string[]): void =>
    terminal.err(`${lines.map((line) => printable(line)).join('\n')}\n`);
  tell([`"${sentence}" can be meant in ${readings.length} ways:`, ...describeReadings(readings)]);
  let left = readings.map((_, i) => i);
  while (left.length > 1) {
    const among = left.map((i) => readings[i]);
    const { text, ifAllowed, ifForbidden } = questionFor(
      among,
      constraints === undefined ? {} : { constraints },
      lexicon,
    );
    tell([text]);
    const answer = ((await terminal.ask?.(`yes, no, or the number of a reading (${numbered(left)}): `)) ?? '')
      .trim()
      .toLowerCase();
    const chosen = left.find((i) => answer === `${i + 1}`);
    if (chosen !== undefined) left = [chosen];
    else if (/^(y|yes)$/.test(answer)) left = ifAllowed.map((i) => left[i]);
    else if (/^(n|no)$/.test(answer)) left = ifForbidden.map((i) => left[i]);
    else tell([`"${answer}" is no answer.`]);
  }
  return readings[left[0]];
}
