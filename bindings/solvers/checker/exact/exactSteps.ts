import { bitLength, leastCommonMultiple, Rational } from '../../../base/rational.js';
import type { ChoicesOf } from './exactMatrix.js';
import { overOneDenominator } from './exactSystem.js';
import type { WorkLimit } from './workLimit.js';

/** The problem of propagating values back a number of steps. */
export interface StepProblem {
  /** All states whose values matter, with their successors. */
  readonly states: readonly number[];
  /** Choices of the states that move; undefined for those that take the value in `others` at every step. */
  readonly choicesOf: (state: number) => ReturnType<ChoicesOf> | undefined;
  readonly direction: 'min' | 'max';
  readonly steps: number;
  /** Default: the final values. */
  readonly others?: ReadonlyMap<number, Rational>;
}

/**
 * Values of all states `steps` steps before they are `values`. In each step, a moving state gets the best mean over its
 * successors plus the step's reward.
 */
export function exactSteps(
  { states, choicesOf, direction, steps, others }: StepProblem,
  values: ReadonlyMap<number, Rational>,
  work: WorkLimit,
): Map<number, Rational> {
  const moving = states.map(choicesOf);
  const index = new Map(states.map((s, i) => [s, i]));
  // All values of one position share a denominator, which every step multiplies.
  const factor = leastCommonMultiple(moving.flatMap((rows) => rows?.map(({ total }) => total) ?? []));
  const gains = overOneDenominator(
    moving.flatMap((rows) => rows?.map(({ gain = Rational.ZERO }) => gain) ?? []),
    work,
  );
  let place = 0;
  const rows = moving.map((choices) =>
    choices?.map(({ targets, weights, exit, total }) => ({
      targets: targets.map((t) => index.get(t) as number),
      weights: weights.map((weight) => weight * (factor / total)),
      stay: (total - exit) * (factor / total),
      gain: gains.numerators[place++],
    })),
  );
  const start = overOneDenominator(
    states.map((s) => values.get(s) as Rational),
    work,
  );
  // Gains are added to values: their denominator must divide that of the values.
  let { denominator } = start;
  let current = start.numerators;
  if (gains.denominator !== 1n) {
    current = current.map((numerator) => numerator * gains.denominator);
    denominator *= gains.denominator;
  }
  const fixed = others
    ? overOneDenominator(
        states.map((s) => others.get(s) as Rational),
        work,
      )
    : start;
  if (others) {
    current = current.map((numerator) => numerator * fixed.denominator);
    denominator *= fixed.denominator;
  }
  const factorBits = bitLength(factor);
  let bits = bitLength(denominator);
  // Factors that bring numbers with these denominators to that of the position.
  let gainScale = denominator / gains.denominator;
  let fixedScale = denominator / fixed.denominator;
  for (let step = 0; step < steps; step++) {
    const before = current;
    gainScale *= factor;
    fixedScale *= factor;
    let moved = step === 0;
    current = before.map((numerator, i) => {
      const choices = rows[i];
      let best: bigint | undefined;
      work.spend(1, bits);
      for (const { targets, weights, stay, gain } of choices ?? []) {
        work.spend(targets.length + 2, bits, factorBits);
        let value = stay * numerator + gain * gainScale;
        for (let k = 0; k < targets.length; k++) value += weights[k] * before[targets[k]];
        if (best === undefined || (direction === 'max' ? value > best : value < best)) best = value;
      }
      best ??= fixed.numerators[i] * fixedScale;
      moved ||= best !== numerator * factor;
      return best;
    });
    denominator *= factor;
    bits += factorBits;
    if (!moved) break;
  }
  return new Map(states.map((s, i) => [s, new Rational(current[i], denominator)]));
}
