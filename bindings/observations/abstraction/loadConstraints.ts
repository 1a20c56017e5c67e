import type { Constraints } from './encoding.js';

/** Loads what compiles constraints, for an `Encoding` that has some. */
export function loadConstraints(): Promise<Constraints> {
  return import('./constraint.js');
}
