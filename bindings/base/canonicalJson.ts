import { InvalidDataError } from './errors.js';

/** Deeper than any data written by hand or by tools; detects cyclic data before the call stack overflows. */
const MAX_DEPTH = 1000;

/**
 * Writes canonical JSON (RFC 8785): no white space, the keys of every object in ascending order of their UTF-16 code units, numbers and
 * strings as in `JSON.stringify`. Equal content gives equal text, in any language.
 *
 * @param maxLength largest length of the text, in characters; default: no limit
 * @throws InvalidDataError if the content is nested more than 1000 deep (as cyclic objects are), is longer than `maxLength`, or holds a
 * value that JSON cannot express (a `bigint`, or `undefined` as a whole)
 * @see Rundgren, Jordan, Erdtman: JSON Canonicalization Scheme (2020), doi:10.17487/RFC8785
 */
export function canonicalJson(value: unknown, maxLength = Number.POSITIVE_INFINITY): string {
  const text = new Writer(maxLength).write(value, '', 0);
  if (text !== undefined) return text;
  throw new InvalidDataError(`${typeof value} is not JSON; expected plain data`);
}

/** Keys of plain ASCII without quotes, which nearly all keys are, need no escapes. */
const PLAIN = /^[ !#-[\]-~]*$/;

class Writer {
  readonly #maxLength: number;
  /** Characters of strings, keys and brackets so far: enough to enforce the limit. */
  #length = 0;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** The text, or undefined for a value that JSON omits. `key` is the argument of `toJSON`. */
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
        throw new InvalidDataError('a bigint is not JSON; expected a number or text');
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

/** The keys of an object: in their original order, in ascending order, and as JSON text with colons. */
interface KeyOrder {
  readonly keys: readonly string[];
  readonly sorted: readonly string[];
  readonly quoted: readonly string[];
}

/** For each number of keys, the order found last: a few places in the code create most objects, and sorting takes longer than the rest. */
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
