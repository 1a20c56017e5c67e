import { InvalidDataError } from '../../base/errors.js';
import { emptyLike, kindOf } from '../../base/objectKind.js';

/** Deeper than any data written by hand or by tools; cyclic data are detected before the stack overflows. */
const MAX_DEPTH = 1000;

/**
 * Makes a frozen copy of JSON data, read once: the judged data cannot change before they run. Getters and proxies are read once, and their values are kept.
 * Fields that are `undefined` are left out, as in JSON; so are fields that `Object.keys` does not list.
 *
 * @param maxLength maximum number of characters
 * @throws InvalidDataError, with the place, if the data contain values without a JSON form (bytes, dates, maps, functions, `NaN`, gaps in lists, a `bigint`) or
 * a field named `__proto__`, or are cyclic, nested more than 1000 deep, or too long; any error of a getter or a proxy
 */
export function frozenJson(value: unknown, maxLength: number): unknown {
  return new JsonReader(maxLength).read(value, 0);
}

class JsonReader {
  readonly #maxLength: number;
  readonly #place: (string | number)[] = [];
  #length = 0;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  read(value: unknown, depth: number): unknown {
    switch (typeof value) {
      case 'string':
        this.#count(value.length);
        return value;
      case 'number':
        if (!Number.isFinite(value)) throw this.#refused(String(value));
        this.#count(1);
        return value;
      case 'boolean':
        this.#count(1);
        return value;
      case 'object':
        if (value === null) return value;
        if (depth >= MAX_DEPTH)
          throw new InvalidDataError(
            `it is cyclic, or nested more than ${MAX_DEPTH} deep; expected plain data`,
          );
        return Object.freeze(Array.isArray(value) ? this.#list(value, depth) : this.#fields(value, depth));
      default:
        throw this.#refused(typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`);
    }
  }

  #list(items: readonly unknown[], depth: number): unknown[] {
    const copies: unknown[] = [];
    const { length } = items;
    for (let i = 0; i < length; i++) {
      this.#count(1);
      this.#place.push(i);
      copies.push(this.read(items[i], depth + 1));
      this.#place.pop();
    }
    return copies;
  }

  #fields(value: object, depth: number): Record<string, unknown> {
    const kind = foreignKind(value);
    if (kind !== null) throw this.#refused(kind);
    const copies: Record<string, unknown> = {};
    for (const key of Object.keys(value)) {
      if (key === '__proto__')
        throw new InvalidDataError(
          'a field is named __proto__, which no tool asks for: it changes what other objects inherit',
        );
      this.#count(key.length + 1);
      this.#place.push(key);
      const field: unknown = (value as Readonly<Record<string, unknown>>)[key];
      if (field !== undefined) copies[key] = this.read(field, depth + 1);
      this.#place.pop();
    }
    return copies;
  }

  /** Every value adds to the length, so that endless data are given up. */
  #count(characters: number): void {
    this.#length += characters;
    if (this.#length > this.#maxLength)
      throw new InvalidDataError(`its JSON has more than ${this.#maxLength} characters; expected less`);
  }

  #refused(kind: string): InvalidDataError {
    const place = this.#place
      .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key.slice(0, 100)}`))
      .join('');
    return new InvalidDataError(
      `${place.slice(0, 1000).replace(/^\./, '') || 'it'} is ${kind}, which is not JSON; expected plain data`,
    );
  }
}

/** The kind of an object without a JSON form; null for a record of fields. */
function foreignKind(value: object): string | null {
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function')
    return 'an object with a method toJSON, such as a date';
  const kind = kindOf(value);
  return kind === 'Object' ? null : `of the kind ${kind}`;
}

/**
 * Makes a frozen copy of an observed state, read once: all predicates of a decision, and its record, see the same. Unlike the arguments of calls, a state may
 * hold anything beside the fields that predicates read. An object with `toJSON` becomes its result, as in a recorded trace; a value that throws when it is read
 * throws again whenever a predicate reads it; functions stay as they are; repeated and cyclic references are preserved in the copy; for instances of classes,
 * sets and the like the copy has the own fields, but is not a record.
 *
 * @throws InvalidDataError if the state has more than 250,000 objects, or is nested more than 1000 deep; any error of a proxy or of `toJSON` of the state
 * itself
 */
export function frozenState(value: unknown): unknown {
  return new StateReader().read(value, '', 0);
}

/** Maximum number of objects of a state: more than in any world that is observed at every call. */
const MAX_OBJECTS = 250_000;

class StateReader {
  readonly #known = new Map<object, unknown>();
  #objects = 0;
  /** The reason why the whole state is given up. */
  #end: Error | null = null;

  read(given: unknown, key: string, depth: number): unknown {
    if (typeof given !== 'object' || given === null) return given;
    const known = this.#known.get(given);
    if (known !== undefined) return known;
    if (depth > MAX_DEPTH) throw this.#giveUp(`is nested more than ${MAX_DEPTH} deep`);
    if (++this.#objects > MAX_OBJECTS) throw this.#giveUp(`has more than ${MAX_OBJECTS} objects`);
    const { toJSON } = given as { toJSON?: unknown };
    if (typeof toJSON === 'function') {
      const said: unknown = toJSON.call(given, key);
      if (said !== given) return this.read(said, key, depth + 1);
    }
    return Array.isArray(given) ? this.#list(given, depth) : this.#fields(given, depth);
  }

  #list(items: readonly unknown[], depth: number): unknown {
    const copy: unknown[] = [];
    this.#known.set(items, copy);
    const { length } = items;
    for (let i = 0; i < length; i++) this.#take(items, String(i), copy, depth);
    return Object.freeze(copy);
  }

  #fields(from: object, depth: number): unknown {
    const copy: object = emptyLike(from);
    this.#known.set(from, copy);
    for (const key of Object.keys(from)) this.#take(from, key, copy, depth);
    return Object.freeze(copy);
  }

  #giveUp(why: string): Error {
    this.#end = new InvalidDataError(`the state ${why}; observe what predicates read`);
    return this.#end;
  }

  #take(from: object, key: string, copy: object, depth: number): void {
    try {
      const value = this.read((from as Fields)[key], key, depth + 1);
      // Assigned directly, `__proto__` would become the copy's prototype.
      if (key === '__proto__') Object.defineProperty(copy, key, { value, enumerable: true });
      else (copy as Fields)[key] = value;
    } catch (error) {
      if (this.#end !== null) throw this.#end;
      const get = (): never => {
        throw error;
      };
      Object.defineProperty(copy, key, { get, enumerable: true });
    }
  }
}

type Fields = Record<string, unknown>;
