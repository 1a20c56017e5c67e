import { InvalidDataError } from './errors.js';

/** Deeper than any data that is written by hand or by tools; what is cyclic is found before the stack ends. */
const MAX_DEPTH = 1000;

/**
 * JSON of one form only: without white space, with the keys of every object in ascending order of their UTF-16 code units, numbers and strings as
 * `JSON.stringify` has them. Equal content has equal text, in any language (RFC 8785).
 *
 * @param maxLength characters of the text beyond which it is given up; default: no limit
 * @throws InvalidDataError where the content is nested more than 1000 deep, which cyclic objects are, is longer than `maxLength`, or holds
 * what JSON cannot (a `bigint`, or nothing at all)
 * @see Rundgren, Jordan, Erdtman: JSON Canonicalization Scheme (2020), doi:10.17487/RFC8785
 */
export function canonicalJson(value: unknown, maxLength = Number.POSITIVE_INFINITY): string {
  const text = new Writer(maxLength).write(value, '', 0);
  if (text !== undefined) return text;
  throw new InvalidDataError(`${typeof value} is no JSON; expected plain data`);
}

/** Keys that are plain ASCII without quotes, as nearly all are, need no escapes. */
const PLAIN = /^[ !#-[\]-~]*$/;

class Writer {
  readonly #maxLength: number;
  /** Characters of strings, keys and brackets so far: enough to stop what would not end. */
  #length = 0;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** The text, or undefined for what JSON leaves out. `key` is what `toJSON` is told. */
  write(given: unknown, key: string, depth: number): string | undefined {
    const value = isConvertible(given) ? given.toJSON(key) : given;
    switch (typeof value) {
      case 'string':
        return this.#count(quote(value));
      case 'number':
        return this.#count(Number.isFinite(value) ? String(value) : 'null');
      case 'boolean':
        return this.#count(String(value));
      case 'object':
        if (value === null) return this.#count('null');
        if (depth >= MAX_DEPTH)
          throw new InvalidDataError(
            `it is cyclic, or nested more than ${MAX_DEPTH} deep; expected plain data`,
          );
        return Array.isArray(value)
          ? this.#array(value, depth + 1)
          : this.#object(value as Record<string, unknown>, depth + 1);
      case 'bigint':
        throw new InvalidDataError('a bigint is no JSON; expected a number or text');
      default:
        return undefined;
    }
  }

  #array(items: readonly unknown[], depth: number): string {
    let text = this.#count('[');
    for (let i = 0; i < items.length; i++) {
      if (i > 0) text += ',';
      text += this.write(items[i], String(i), depth) ?? 'null';
    }
    return `${text}]`;
  }

  #object(members: Readonly<Record<string, unknown>>, depth: number): string {
    let text = this.#count('{');
    const { sorted, quoted } = orderOf(Object.keys(members));
    for (let i = 0; i < sorted.length; i++) {
      const member = this.write(members[sorted[i]], sorted[i], depth);
      if (member === undefined) continue;
      text += `${text.length > 1 ? ',' : ''}${this.#count(quoted[i])}${member}`;
    }
    return `${text}}`;
  }

  #count(text: string): string {
    this.#length += text.length + 1;
    if (this.#length > this.#maxLength + 1)
      throw new InvalidDataError(`its JSON has more than ${this.#maxLength} characters; expected less`);
    return text;
  }
}

function quote(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** The keys of an object as they came, in ascending order, and as JSON has those, each with its colon. */
interface KeyOrder {
  readonly keys: readonly string[];
  readonly sorted: readonly string[];
  readonly quoted: readonly string[];
}

/** By the number of keys the order found last: most objects are made by the same few places, and sorting takes longer than all else. */
const orders: KeyOrder[] = [];
const MAX_KEPT = 32;

function orderOf(keys: readonly string[]): KeyOrder {
  const kept = orders[keys.length];
  if (kept?.keys.every((key, i) => key === keys[i])) return kept;
  const sorted = [...keys].sort();
  const order = { keys, sorted, quoted: sorted.map((key) => `${quote(key)}:`) };
  if (keys.length <= MAX_KEPT) orders[keys.length] = order;
  return order;
}

function isConvertible(value: unknown): value is { toJSON(key: string): unknown } {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { toJSON?: unknown }).toJSON === 'function'
  );
}
