import { ModelError } from '../../base/errors.js';
import { isObject } from '../../base/objectKind.js';
import type { Candidate } from './draft.js';

/** Most conditions of one kind that are read, and longest condition: what is longer is read by nobody. */
const MOST_CONDITIONS = 50;
const MOST_CHARACTERS = 20_000;

/**
 * The conditions in a language model's answer. Nothing of it is evaluated here: they are texts, which the parser of policies reads.
 *
 * @throws ModelError for another shape
 */
export function readCandidate(answer: Readonly<Record<string, unknown>>): Candidate {
  const permit = conditionsOf(answer.permit, 'permit');
  const forbid =
    answer.forbid === undefined || answer.forbid === null ? {} : conditionsOf(answer.forbid, 'forbid');
  if (Object.keys(permit).length === 0)
    throw new ModelError('permit has no condition, so every call would be denied; expected NAME: CONDITION');
  return { permit, forbid };
}

/** An object of texts. */
export function conditionsOf(value: unknown, what: string): Readonly<Record<string, string>> {
  if (!isObject(value)) throw new ModelError(`${what} is ${shown(value)}; expected an object of conditions`);
  const entries = Object.entries(value);
  if (entries.length > MOST_CONDITIONS)
    throw new ModelError(`${what} has ${entries.length} conditions; at most ${MOST_CONDITIONS} are read`);
  return Object.fromEntries(
    entries.map(([name, text]) => {
      if (typeof text !== 'string' || text.length > MOST_CHARACTERS)
        throw new ModelError(
          `${what}.${name.slice(0, 40)} is ${shown(text)}; expected a condition of at most ${MOST_CHARACTERS} characters`,
        );
      return [name, text];
    }),
  );
}

function shown(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 80) ?? String(value);
}
