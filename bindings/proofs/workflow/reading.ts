import { isRecord } from '../../base/objectKind.js';
import { nearestName } from '../../base/suggest.js';
import type { Place } from './place.js';
import type { Json } from './plan.js';
import { MOST_PROBLEMS, type PlanProblem, planProblem } from './planError.js';

/** Deepest nesting of steps, and of values, that is read. */
export const MOST_NESTED = 60;
/** Most steps of a plan. */
export const MOST_STEPS = 20_000;
/** Longest text of a plan, in UTF-16 code units. */
const MOST_TEXT = 100_000;

/** A JSON object that is read, and where it stands. */
export interface ReadObject {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly place: Place;
}

/** The reading of one plan: it collects what is wrong, and goes on. */
export class Reading {
  readonly problems: PlanProblem[] = [];
  /** Id of the step that is read. */
  step: string | null = null;
  /** Where objects stood that were written in the flat form. */
  readonly #origins = new WeakMap<object, Place>();

  get isFull(): boolean {
    return this.problems.length >= MOST_PROBLEMS;
  }

  problem(place: Place, found: string, expected: string, hint?: string): undefined {
    if (this.isFull) return undefined;
    this.problems.push(
      planProblem({ kind: 'shape', step: this.step, pointer: place.pointer, found, expected, hint }),
    );
    return undefined;
  }

  /** Notes that an object was made from what stands at a place. */
  made<T extends object>(object: T, place: Place): T {
    this.#origins.set(object, place);
    return object;
  }

  /** The place of a child. */
  child(parent: Place, key: string | number, value: unknown): Place {
    const origin = typeof value === 'object' && value !== null ? this.#origins.get(value) : undefined;
    return origin ?? parent.at(key);
  }

  /** @returns undefined, with a problem, if a value is no object */
  object(value: unknown, place: Place, expected: string): ReadObject | undefined {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !isRecord(value))
      return this.problem(place, describe(value), expected);
    return { fields: value as Record<string, unknown>, place };
  }

  /** Refuses fields that are not among those known. */
  onlyFields({ fields, place }: ReadObject, known: readonly string[], of: string): void {
    for (const name of Object.keys(fields)) {
      if (known.includes(name) || this.isFull) continue;
      const near = nearestName(name, known);
      this.problem(
        place.at(name),
        `the field ${quoted(name)} of ${of}`,
        `one of ${known.join(', ')}`,
        near && quoted(near),
      );
    }
  }

  text({ fields, place }: ReadObject, name: string, expected: string): string | undefined {
    const value = own(fields, name);
    if (typeof value !== 'string') return this.problem(place.at(name), describe(value), expected);
    if (value.length > MOST_TEXT)
      return this.problem(place.at(name), `a text of ${value.length} characters`, `at most ${MOST_TEXT}`);
    return value;
  }

  list(value: unknown, place: Place, expected: string): readonly unknown[] | undefined {
    return Array.isArray(value) ? value : this.problem(place, describe(value), expected);
  }

  /** A copy of JSON data. */
  json(value: unknown, place: Place, depth = 0): Json | undefined {
    switch (typeof value) {
      case 'string':
        if (value.length > MOST_TEXT)
          return this.problem(place, `a text of ${value.length} characters`, `at most ${MOST_TEXT}`);
        return value;
      case 'boolean':
        return value;
      case 'number':
        if (!Number.isFinite(value)) return this.problem(place, String(value), 'a finite number');
        return value + 0 === 0 ? 0 : value;
      case 'object':
        if (value === null) return null;
        if (depth >= MOST_NESTED)
          return this.problem(place, `data nested deeper than ${MOST_NESTED} levels`, 'flatter data');
        if (Array.isArray(value))
          return value.map((one, i) => this.json(one, place.at(i), depth + 1) ?? null);
        if (isRecord(value))
          return Object.fromEntries(
            Object.entries(value).map(([key, one]) => [
              key,
              this.json(one, place.at(key), depth + 1) ?? null,
            ]),
          );
    }
    return this.problem(place, describe(value), 'JSON data');
  }
}

/** An own field; undefined if there is none. */
export function own(fields: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** A value that was found, for messages. */
export function describe(value: unknown): string {
  switch (typeof value) {
    case 'undefined':
      return 'nothing';
    case 'string':
      return `the text ${quoted(value)}`;
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value)) return `a list of ${value.length}`;
      if (!isRecord(value)) return 'an object that is not JSON';
      return `an object with ${Object.keys(value).slice(0, 6).map(quoted).join(', ') || 'nothing in it'}`;
    case 'number':
    case 'boolean':
      return String(value);
    default:
      return `a ${typeof value}, which JSON does not have`;
  }
}

/** A text in quotes, cut if it is long. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
