import type { Solution } from '../../kernel/index.js';
import type { Directions } from './quantities.js';

/** Reverses all directions, so that the least value becomes the greatest. */
export function opposite(directions: Directions): Directions {
  return directions.map((direction) => (direction === 'min' ? 'max' : 'min'));
}

/** Bounds on one minus each probability. */
export function complementBounds({
  lower,
  upper,
}: Pick<Solution, 'lower' | 'upper'>): Pick<Solution, 'lower' | 'upper'> {
  return {
    lower: upper.map((value) => Math.max(0, oneMinus(value, -1))),
    upper: lower.map((value) => Math.min(1, oneMinus(value, 1))),
  };
}

/** Exact if the difference is a double, which holds from 1/2 on; else moved outward by at least the rounding error. */
function oneMinus(value: number, outward: 1 | -1): number {
  const rest = 1 - value;
  return 1 - rest === value ? rest : rest + outward * 2 ** -53;
}
