import { InvalidArgumentError } from '../../../base/errors.js';
import type { Formula } from '../../logic/index.js';
import type { FretCell } from './cell.js';
import { not } from './trees.js';

/**
 * What one trigger asks for, until the end of its interval. The twelve timings, and what their negations ask for, are these eleven: durations that the interval cuts
 * short ask for nothing more in either, as does a next step that lies behind the end.
 */
export type Duty =
  | { readonly kind: 'now' | 'next' | 'atEnd' | 'always' | 'some'; readonly goal: Formula }
  /** At the trigger and at `duration` steps after it; once in these; first at the step after these; not so. */
  | {
      readonly kind: 'for' | 'within' | 'after' | 'notAfter';
      readonly goal: Formula;
      readonly duration: number;
    }
  /** At every step before the stop condition holds; once strictly before it holds. */
  | { readonly kind: 'until' | 'before'; readonly goal: Formula; readonly stop: Formula };

/** The duty of a cell; that of a scope with "only" is that the timed response does not happen. */
export function dutyOf(cell: FretCell): Duty {
  const only = cell.scope.startsWith('only');
  const { response, timing } = cell;
  const goal = only ? not(response) : response;
  switch (timing) {
    case 'immediately':
      return { kind: 'now', goal };
    case 'next':
      return { kind: 'next', goal };
    case 'finally':
      return { kind: 'atEnd', goal };
    case 'null':
    case 'eventually':
      return { kind: only ? 'always' : 'some', goal };
    case 'always':
      return { kind: only ? 'some' : 'always', goal };
    case 'never':
      return { kind: only ? 'some' : 'always', goal: not(goal) };
    case 'for':
      return { kind: only ? 'within' : 'for', goal, duration: durationOf(cell) };
    case 'within':
      return { kind: only ? 'for' : 'within', goal, duration: durationOf(cell) };
    case 'after':
      return { kind: only ? 'notAfter' : 'after', goal: response, duration: durationOf(cell) };
    case 'until':
      return { kind: only ? 'before' : 'until', goal, stop: required(cell, 'stop') };
    case 'before':
      return { kind: only ? 'until' : 'before', goal, stop: required(cell, 'stop') };
  }
}

/** A part of a cell that its scope, condition or timing needs. @throws InvalidArgumentError if it is absent */
export function required(cell: FretCell, part: 'mode' | 'trigger' | 'stop'): Formula {
  const formula = cell[part];
  if (formula !== undefined) return formula;
  const why = {
    mode: `scope ${cell.scope}`,
    trigger: `condition ${cell.condition}`,
    stop: `timing ${cell.timing}`,
  }[part];
  throw new InvalidArgumentError(`the ${why} has no ${part}; expected a formula as ${part}`);
}

function durationOf({ duration, timing }: FretCell): number {
  if (duration !== undefined && Number.isSafeInteger(duration) && duration >= 0) return duration;
  throw new InvalidArgumentError(
    `the timing ${timing} has the duration ${duration}; expected a whole number of steps, from 0 up`,
  );
}
