import type { Formula, Window } from './formula.js';
import { children } from './walk.js';
import { windowInSteps } from './window.js';

/**
 * The number of steps before a position on which a formula's truth may depend through past operators: 0 without past operators, Infinity if
 * it is unbounded. Positions reached by future operators are not counted.
 *
 * @throws InvalidArgumentError as `windowInSteps`
 */
export function pastSteps(formula: Formula, samplingPeriod?: number | string): number {
  const within = Math.max(0, ...children(formula).map((part) => pastSteps(part, samplingPeriod)));
  const reach = (window: Window | null): number => windowInSteps(window, samplingPeriod).to ?? Infinity;
  if (formula.kind === 'count') return within + reach(formula.window);
  if (formula.kind !== 'unary' && formula.kind !== 'binary') return within;
  switch (formula.operator) {
    case 'Y':
    case 'WY':
      return within + 1;
    case 'O':
    case 'H':
    case 'S':
      return within + reach(formula.window);
    default:
      return within;
  }
}
