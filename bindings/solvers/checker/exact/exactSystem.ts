import { bitLength, gcd, Rational } from '../../../base/rational.js';
import { strongComponents } from './components.js';
import { type Equation, solveExactly } from './exactElimination.js';
import { combination, type ExactRow, leavingMean } from './exactRow.js';
import { solveByLifting } from './lifting.js';
import type { WorkLimit } from './workLimit.js';

/** Up to this many unknowns, elimination in whole numbers is no slower than lifting. */
const MAX_ELIMINATED = 64;

/**
 * Solves x_s = gain_s + Σ P(s, t) x_t for some states, from each of which a state with a known value can be reached: component
 * by component, successors first.
 *
 * @param states those without a value
 * @param values has the values of all other states, and receives those of `states`
 */
export function solveTransient(
  states: readonly number[],
  rowOf: (state: number) => ExactRow,
  values: Map<number, Rational>,
  work: WorkLimit,
): void {
  const valueAt = (state: number): Rational => values.get(state) as Rational;
  for (const component of strongComponents(states, (s) => rowOf(s).targets)) {
    if (component.length > 1) {
      solveComponent(component, rowOf, values, work);
      continue;
    }
    const [s] = component;
    const row = rowOf(s);
    const { numerator, denominator } = leavingMean(row, valueAt);
    const bits = bitLength(denominator);
    work.spend(row.targets.length + 1, bits);
    work.spendGcd(bits);
    values.set(s, new Rational(numerator, denominator * row.exit).reduced());
  }
}

/** Adds the values of a component to those of the states that it leads to. */
function solveComponent(
  component: readonly number[],
  rowOf: (state: number) => ExactRow,
  values: Map<number, Rational>,
  work: WorkLimit,
): void {
  const index = new Map(component.map((s, i) => [s, i]));
  const couplings: Map<number, bigint>[] = [];
  // Staying in a state does not change where a path finally goes: only the moves that leave it count.
  const constants = component.map((s) => {
    const { targets, weights, total, gain = Rational.ZERO } = rowOf(s);
    const coupling = new Map<number, bigint>();
    const known = [gain];
    const factors = [total];
    targets.forEach((t, k) => {
      const j = index.get(t);
      if (j !== undefined) coupling.set(j, weights[k]);
      else {
        known.push(values.get(t) as Rational);
        factors.push(weights[k]);
      }
    });
    couplings.push(coupling);
    const constant = combination(factors, known);
    work.spend(known.length + 1, bitLength(constant.denominator));
    return constant;
  });
  const { numerators: wholes, denominator: common } = overOneDenominator(constants, work);
  const equations = component.map(
    (s, i): Equation => ({ diagonal: rowOf(s).exit, coupling: couplings[i], constant: wholes[i] }),
  );
  const solved = solveSystem(equations, work);
  const denominator = solved.denominator * common;
  let divisor = denominator;
  for (const numerator of solved.numerators) {
    if (divisor === 1n) break;
    work.spendGcd(bitLength(divisor));
    divisor = gcd(divisor, numerator);
  }
  component.forEach((s, i) => {
    values.set(s, new Rational(solved.numerators[i] / divisor, denominator / divisor));
  });
}

/** Solves a nonsingular system and may change it; unknown i is `numerators[i] / denominator`. */
export function solveSystem(
  equations: readonly Equation[],
  work: WorkLimit,
): { readonly numerators: bigint[]; readonly denominator: bigint } {
  return equations.length <= MAX_ELIMINATED ? solveExactly(equations, work) : solveByLifting(equations, work);
}

/** The same values with one denominator. */
export function overOneDenominator(
  values: readonly Rational[],
  work: WorkLimit,
): { readonly numerators: bigint[]; readonly denominator: bigint } {
  const denominators = new Set(values.map(({ denominator }) => denominator));
  let denominator = 1n;
  for (const next of denominators) {
    work.spendGcd(bitLength(next));
    denominator *= next / gcd(denominator, next);
  }
  const bits = bitLength(denominator);
  work.spend(values.length, bits, bits);
  return {
    numerators: values.map((value) => value.numerator * (denominator / value.denominator)),
    denominator,
  };
}
