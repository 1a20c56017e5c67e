import { ModelError } from '../errors.js';
import { isObject } from '../objectKind.js';

/** Longest answer that is read, in UTF-16 code units. */
const MOST_CHARACTERS = 200_000;

/**
 * The JSON object in an answer: the whole text, or the one block of code in it.
 *
 * @throws ModelError if there is none, or more than one
 */
export function objectIn(text: string): Record<string, unknown> {
  if (text.length > MOST_CHARACTERS)
    throw new ModelError(`the answer has ${text.length} characters; at most ${MOST_CHARACTERS} are read`);
  const blocks = [...text.matchAll(/```(?:json)?[ \t]*\r?\n([\s\S]*?)```/g)].map(([, block]) => block);
  if (blocks.length > 1)
    throw new ModelError(`the answer has ${blocks.length} blocks of code; expected one JSON object`);
  let value: unknown;
  try {
    value = JSON.parse(blocks[0] ?? text);
  } catch (cause) {
    throw new ModelError(
      `the answer is not a JSON object (${(cause as Error).message}): ${JSON.stringify(text.slice(0, 120))}`,
      { cause },
    );
  }
  if (!isObject(value))
    throw new ModelError(`the answer is ${JSON.stringify(value)?.slice(0, 120)}; expected a JSON object`);
  return value;
}
