import { EvaluationError } from '../../base/errors.js';
import { isRecord, kindOf } from '../../base/objectKind.js';
import { nearestName } from '../../base/suggest.js';
import type { Place } from './expression.js';

/**
 * An evaluation that failed, as a value: `&&`, `||`, `exists` and `all` absorb failures, and an exception for each absent
 * field of each object in a list would cost microseconds. Failures known before evaluation are made once.
 */
export class Failure {
  constructor(
    readonly place: Place,
    readonly message: string,
    /** The field that is absent, where that is the failure, where it would be, and whether it is the state itself that lacks it. */
    readonly absent?: { readonly field: string; readonly path: string; readonly ofState: boolean },
  ) {}

  /** The exception that tells the user, with the nearest field that the state does have. */
  toError(source: string, predicate: string | undefined, state: object): EvaluationError {
    const nearest = this.absent?.ofState ? nearestName(this.absent.field, Object.keys(state)) : undefined;
    const hint = nearest === undefined ? '' : `; did you mean "${nearest}"?`;
    const { line, column } = this.place;
    const message = `${source}:${line}:${column}: ${this.message}${hint}`;
    return new EvaluationError(message, {
      ...(predicate === undefined ? {} : { predicate }),
      ...(this.absent === undefined ? {} : { missingField: this.absent.path }),
    });
  }
}

/** The failure of an operation on values of the wrong types; failures among the values go first, as in CEL. */
export function mismatch(
  place: Place,
  operation: string,
  expected: string,
  ...found: readonly unknown[]
): Failure {
  for (const value of found) if (value instanceof Failure) return value;
  return new Failure(place, `${operation} found ${found.map(describe).join(' and ')}, expected ${expected}`);
}

/** A value as messages show it: its type, and numbers, Booleans and short strings themselves. */
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
