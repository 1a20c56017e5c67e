import { emptyLike, isObject, kindOf } from '../../base/objectKind.js';

/** More values and nesting than any predicate needs. The limits stop cycles, and data whose shared parts would multiply. */
const MAX_VALUES = 1_000_000;
const DEEPEST = 1000;

/**
 * A copy of `value` as JSON would carry it, and nothing of the original: objects with a `toJSON` as that says, without functions and
 * absent fields, a big integer as a number or, beyond ±2^53, as text. A text that is itself JSON is what it says, however often it
 * was written as text, so that a result is the same whether a framework hands it over as data or as text; integers beyond ±2^53 stay
 * text, since they are identifiers. Of an instance of a class the copy has the own fields, and is no map: predicates cannot read a field that it does not have.
 *
 * @returns null for an absent value; undefined for unreadable data, so that no predicate takes it for absent: cyclic data, more than
 * 1,000,000 values or nested deeper than 1000, fields that throw when read, and objects whose content JSON does not show (a `Map`, a
 * `Promise`, an `Error`, bytes).
 */
export function plainData(value: unknown): unknown {
  if (typeof value === 'string') return readText(value);
  try {
    return new Copy().of(value) ?? null;
  } catch {
    return undefined;
  }
}

/**
 * Reads the arguments of a call, from data or from the JSON text that a language model wrote; a value that is not an object is kept as `{
 * text }`. Undefined if they cannot be read.
 */
export function callArguments(found: unknown): Readonly<Record<string, unknown>> | undefined {
  const value = plainData(found);
  if (value === undefined) return undefined;
  return isObject(value) ? value : { text: typeof found === 'string' ? found : value };
}

class Copy {
  #values = 0;
  #depth = 0;

  /** Undefined for values that JSON leaves out. */
  of(value: unknown): unknown {
    if (++this.#values > MAX_VALUES) throw new RangeError(`more than ${MAX_VALUES} values`);
    if (typeof value === 'number') return Number.isFinite(value) ? value : null;
    if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    if (typeof value !== 'object' || value === null)
      return typeof value === 'function' || typeof value === 'symbol' ? undefined : value;
    if (++this.#depth > DEEPEST) throw new RangeError(`deeper than ${DEEPEST}`);
    const copy = this.#ofObject(value);
    this.#depth--;
    return copy;
  }

  #ofObject(value: object): unknown {
    if ('toJSON' in value && typeof value.toJSON === 'function') return this.of(value.toJSON());
    if (Array.isArray(value)) return Array.from(value, (element) => this.of(element) ?? null);
    const kind = kindOf(value);
    if (kind !== 'Object') throw new TypeError(`${kind} shows nothing of what it holds`);
    const copy = emptyLike(value) as Record<string, unknown>;
    for (const [key, field] of Object.entries(value)) {
      const kept = this.of(field);
      if (kept === undefined) continue;
      // Define it as a field: an assignment would change the prototype.
      if (key === '__proto__')
        Object.defineProperty(copy, key, {
          value: kept,
          enumerable: true,
          writable: true,
          configurable: true,
        });
      else copy[key] = kept;
    }
    return copy;
  }
}

/** Most text is not JSON, and finding out by an exception is slow. */
const LIKE_JSON = /^\s*(?:[[{"\d-]|(?:true|false|null)\s*$)/;

function readText(text: string): unknown {
  let value: unknown = text;
  try {
    while (typeof value === 'string' && LIKE_JSON.test(value)) {
      const inner: unknown = JSON.parse(value);
      if (typeof inner === 'number' && Math.abs(inner) > Number.MAX_SAFE_INTEGER) break;
      value = inner;
    }
  } catch {
    // Not JSON after all: keep the text as it is.
  }
  return value;
}
