import { InvalidArgumentError } from '../../base/errors.js';
import type { Guard } from '../guard/index.js';

/** The run that each guard follows: a guard follows one at a time. */
export const follows = new WeakMap<Guard, string>();

/** From now on the guard follows a run, until it is deleted from `follows`. */
export function takeFor(guard: Guard, run: string): void {
  follows.set(guard, run);
}

/** @throws InvalidArgumentError if a run that has not ended follows the guard: a second one would reset the guard in the middle of the first */
export function requireFree(guard: Guard): void {
  const run = follows.get(guard);
  if (run === undefined) return;
  throw new InvalidArgumentError(
    `the guard follows run ${run}, which has not ended; end it (session.end()), or give each session a guard of its own: guard.fork(), which shares the tables`,
  );
}
