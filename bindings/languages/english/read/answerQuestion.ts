import { InvalidArgumentError } from '../../../base/errors.js';
import { type Asked, asked, type ReadEnglishOptions } from './readEnglish.js';
import type { Reading } from './readings.js';

/**
 * What is left of several readings once a person has said whether the run of their question is allowed: one of them, or fewer with the next question.
 *
 * @param isAllowed whether the run of `reading.question` is allowed
 * @param options as those of the `readEnglish` that asked
 * @throws InvalidArgumentError if the reading asks nothing
 */
export function answerQuestion(
  reading: Asked,
  isAllowed: boolean,
  options: ReadEnglishOptions,
): Asked | ({ readonly kind: 'one' } & Reading) {
  if (reading.kind !== 'ask')
    throw new InvalidArgumentError(
      `answerQuestion was given a reading of kind ${JSON.stringify(reading.kind)}; only "ask" has a question`,
    );
  const { ifAllowed, ifForbidden } = reading.question;
  const left = (isAllowed ? ifAllowed : ifForbidden).map((i) => reading.readings[i]);
  return left.length === 1 ? { kind: 'one', ...left[0] } : asked(left, options);
}
