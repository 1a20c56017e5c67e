import type { Window } from '../../logic/index.js';

/**
 * A window in words: "within 3 steps", "exactly 2 steps", "between 0.5 s and 2 s", "4 or more steps", each followed by the direction.
 *
 * @param direction "from now" or "ago"
 */
export function sayWindow({ from, to, unit }: Window, direction: 'from now' | 'ago'): string {
  const length = (bound: string): string => sayLength(bound, unit);
  if (to === null) return `${from} or more ${unit} ${direction}`;
  if (from === to) return `exactly ${length(to)} ${direction}`;
  if (from === '0') return `at most ${length(to)} ${direction}`;
  return `between ${from} and ${length(to)} ${direction}`;
}

/** "1 step", "3 steps", "0.5 s". */
export function sayLength(bound: string, unit: Window['unit']): string {
  return unit === 'steps' ? `${bound} step${bound === '1' ? '' : 's'}` : `${bound} ${unit}`;
}
