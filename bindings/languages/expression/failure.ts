import { EvaluationError } from '../../base/errors.js';
import { isRecord, kindOf } from '../../base/objectKind.js';
import { nearestName } from '../../base/suggest.js';
import type { Place } from './expression.js';

/**
 * A failed evaluation, as a value: `&&`, `||`, `exists` and `all` absorb failures, and an exception for each absent field of each object in
 * a list would cost microseconds. Failures known before evaluation are created once.
 */
export class Failure {
  constructor(
    readonly place: Place,
    readonly message: string,
    /** If the failure is an absent field: the field, its path, and whether the state itself lacks it. */
    readonly absent?: { readonly field: string; readonly path: string; readonly ofState: boolean },
    /** The message without what was found in the data. */
    readonly withoutValues: string = message,
  ) {}

  /** Converts the failure to an exception, with the nearest field that the state has. */
  toError(source: string, predicate: string | undefined, state: object): EvaluationError {
    const nearest = this.absent?.ofState ? nearestName(this.absent.field, Object.keys(state)) : undefined;
    const hint = nearest === undefined ? '' : `; did you mean "${nearest}"?`;
    const { line, column } = this.place;
    const at = `${source}:${line}:${column}`;
    return new EvaluationError(`${at}: ${this.message}${hint}`, {
      withoutValues: `${at}: ${this.withoutValues}`,
      ...(predicate === undefined ? {} : { predicate }),
      ...(this.absent === undefined ? {} : { missingField: this.absent.path }),
    });
  }
}

/** The failure of an operation on values of the wrong types; a failure among the values takes precedence, as in CEL. */
export function mismatch(
  place: Place,
  operation: string,
  expected: string,
  ...found: readonly unknown[]
): Failure {
  for (const value of found) if (value instanceof Failure) return value;
  const message = `${operation} found ${found.map(describe).join(' and ')}, expected ${expected}`;
  return new Failure(place, message, undefined, `${operation} expected ${expected}`);
}

/** Describes a value for messages: its type, and also the value of numbers, Booleans and short strings. */
function describe(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return `the ${typeof value} ${value}`;
  if (typeof value === 'string')
    return `the string ${JSON.stringify(value.slice(0, 30))}${value.length > 30 ? '…' : ''}`;
  if (value === null) return 'null';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'undefined') return 'no value';
  if (typeof value !== 'object') return `a ${typeof value}`;
  if (isRecord(value)) return 'a map';
  const kind = kindOf(value);
  return kind === 'Object' ? 'an instance of a class' : `an object of the kind ${kind}`;
}
