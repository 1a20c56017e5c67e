import { ForeguardError } from '../../base/errors.js';
import { nearestName } from '../../base/suggest.js';
import { typeOfSchema, type ValueType } from '../contract/index.js';
import type { Place } from './place.js';
import { describe, quoted, type Reading } from './reading.js';

const WORDS: ReadonlyMap<string, ValueType> = new Map<string, ValueType>([
  ['any', { kind: 'any' }],
  ['text', { kind: 'text' }],
  ['string', { kind: 'text' }],
  ['number', { kind: 'number' }],
  ['integer', { kind: 'integer' }],
  ['boolean', { kind: 'boolean' }],
  ...(['email', 'url', 'path', 'glob', 'date-time'] as const).map(
    (format) => [format, { kind: 'text', format }] as const,
  ),
]);

/** Reads a type: a JSON Schema, or a word such as `email`, or `email[]` for a list. */
export function readType(reading: Reading, given: unknown, place: Place): ValueType {
  if (typeof given === 'string') return readWord(reading, given, place);
  try {
    return typeOfSchema(reading.json(given, place), { name: 'the schema' });
  } catch (error) {
    if (!(error instanceof ForeguardError)) throw error;
    reading.problem(
      place,
      `${describe(given)}: ${error.message}`,
      'a JSON Schema, such as {"type": "string"}',
    );
    return { kind: 'any' };
  }
}

function readWord(reading: Reading, word: string, place: Place): ValueType {
  const [, base, lists] = /^([\w-]*)((?:\[\])?)$/.exec(word) ?? [];
  const type = WORDS.get(base);
  if (type !== undefined) return lists ? { kind: 'list', of: type } : type;
  const near = nearestName(word, WORDS.keys());
  reading.problem(
    place,
    describe(word),
    `a JSON Schema, or one of ${[...WORDS.keys()].join(', ')}`,
    near && quoted(near),
  );
  return { kind: 'any' };
}
