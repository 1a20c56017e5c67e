import type { Formula } from '../../logic/index.js';

/** The scopes of FRET: where a requirement applies, relative to a mode. `null` is the whole run. */
export const FRET_SCOPES = [
  'null',
  'in',
  'notin',
  'before',
  'after',
  'onlyIn',
  'onlyBefore',
  'onlyAfter',
] as const;

/** The conditions of FRET: none, `regular` (each time it becomes true) or `holding` (each step at which it is true). */
export const FRET_CONDITIONS = ['null', 'regular', 'holding'] as const;

/** The timings of FRET: when the response is due after a trigger. `null` means `eventually`. */
export const FRET_TIMINGS = [
  'null',
  'immediately',
  'next',
  'finally',
  'eventually',
  'always',
  'never',
  'within',
  'for',
  'after',
  'until',
  'before',
] as const;

/** Where a requirement applies. See `FRET_SCOPES`. */
export type FretScope = (typeof FRET_SCOPES)[number];
/** What triggers a requirement. See `FRET_CONDITIONS`. */
export type FretCondition = (typeof FRET_CONDITIONS)[number];
/** When the response is due. See `FRET_TIMINGS`. */
export type FretTiming = (typeof FRET_TIMINGS)[number];

/** A requirement as FRET takes it apart. A part that the scope, condition or timing does not use may be absent, and is ignored. */
export interface FretCell {
  readonly scope: FretScope;
  /** The mode or condition that the scope speaks of. */
  readonly mode?: Formula;
  readonly condition: FretCondition;
  /** The condition that triggers the requirement. */
  readonly trigger?: Formula;
  readonly timing: FretTiming;
  /** A number of steps, from 0 up, of `within`, `for` and `after`. */
  readonly duration?: number;
  /** The condition that stops `until` and `before`. */
  readonly stop?: Formula;
  readonly response: Formula;
}
