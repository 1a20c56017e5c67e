import { bitLength, Rational } from '../../../base/rational.js';
import { strongComponents } from './components.js';
import type { Equation } from './exactElimination.js';
import { combination, type ExactRow } from './exactRow.js';
import { solveSystem, solveTransient } from './exactSystem.js';
import type { WorkLimit } from './workLimit.js';

export type RowOf = (state: number) => ExactRow;

/** Sets of states that a chain on some states enters and never leaves. */
export function bottomComponents(states: readonly number[], rowOf: RowOf): number[][] {
  const bottom: number[][] = [];
  for (const component of strongComponents(states, (s) => rowOf(s).targets)) {
    const inside = new Set(component);
    if (component.every((s) => rowOf(s).targets.every((t) => inside.has(t)))) bottom.push(component);
  }
  return bottom;
}

/** The mean gain per step in the long run, from every state of a chain. */
export function longRunAverages(
  states: readonly number[],
  rowOf: RowOf,
  work: WorkLimit,
): Map<number, Rational> {
  const values = new Map<number, Rational>();
  for (const component of bottomComponents(states, rowOf)) {
    const average = componentAverage(component, rowOf, work);
    for (const s of component) values.set(s, average);
  }
  const transient = states.filter((s) => !values.has(s));
  const moving = new Map(transient.map((s) => [s, { ...rowOf(s), gain: Rational.ZERO }]));
  solveTransient(transient, (s) => moving.get(s) as ExactRow, values, work);
  return values;
}

/**
 * The mean gain per step in a component that is never left. Let u_s be the expected visits of state s between two visits to the
 * first one, divided by the total of its row: then u_t exit_t = Σ u_s w_st, in whole numbers.
 */
export function componentAverage(component: readonly number[], rowOf: RowOf, work: WorkLimit): Rational {
  const index = new Map(component.map((s, i) => [s, i - 1]));
  const equations = component
    .slice(1)
    .map((s): Equation => ({ diagonal: rowOf(s).exit, coupling: new Map(), constant: 0n }));
  component.forEach((s, from) => {
    const { targets, weights } = rowOf(s);
    targets.forEach((t, k) => {
      const to = index.get(t) as number;
      if (to < 0) return;
      if (from === 0) equations[to].constant = weights[k];
      else equations[to].coupling.set(from - 1, weights[k]);
    });
  });
  const { numerators, denominator } = solveSystem(equations, work);
  const visits = [denominator, ...numerators];
  const shares = component.map((s, i) => visits[i] * rowOf(s).total);
  const gains = component.map((s) => rowOf(s).gain ?? Rational.ZERO);
  const earned = combination(shares, gains);
  const bits = bitLength(earned.denominator);
  work.spend(component.length, bits, bitLength(denominator));
  work.spendGcd(bits);
  const steps = shares.reduce((sum, share) => sum + share, 0n);
  return new Rational(earned.numerator, earned.denominator * steps).reduced();
}
