import { Rational } from '../../../base/rational.js';
import type { Rewards } from '../../model/index.js';
import { checkRewards } from '../quantities/rewards.js';
import type { ChoicesOf, ExactMatrix } from './exactMatrix.js';
import type { ExactSubject } from './exactQuantities.js';
import type { ExactRow } from './exactRow.js';

/** The rewards of a structure in fractions. */
export class ExactGains {
  readonly #choices: ExactRow[][] = [];
  readonly #source: NonNullable<ExactSubject['exactRewards']>[number];
  readonly #matrix: ExactMatrix;
  readonly #rewards: Rewards;

  /** @throws InvalidModelError for a structure of the wrong size, and rewards that are negative, infinite or NaN */
  constructor(matrix: ExactMatrix, rewards: Rewards, { model, exactRewards }: ExactSubject) {
    this.#matrix = matrix;
    this.#rewards = rewards;
    checkRewards(rewards, matrix.model);
    this.#source = exactRewards?.[model.rewards?.indexOf(rewards) ?? -1] ?? {};
  }

  /** Whether some reward has no fraction other than the exact value of its double; whole numbers count as fractions. */
  get fromDoubles(): boolean {
    const { states, choices, branches } = this.#rewards;
    const lacks = (doubles?: Float64Array, fractions?: readonly (Rational | undefined)[]): boolean =>
      doubles?.some((value, i) => fractions?.[i] === undefined && !Number.isInteger(value)) ?? false;
    return lacks(states, this.#source.states) || lacks(choices, this.#source.choices) || lacks(branches);
  }

  /** The reward of a state itself. */
  ofState(state: number): Rational {
    return fraction(this.#rewards.states, this.#source.states, state);
  }

  /** The choices of a state with the mean reward of each, including the state's reward. */
  readonly choicesOf: ChoicesOf = (state) => {
    let rows = this.#choices[state];
    if (rows === undefined) {
      const own = this.ofState(state);
      rows = this.#matrix
        .choicesOf(state)
        .map((row, choice) => ({ ...row, gain: own.plus(this.#ofRow(row, state, choice)) }));
      this.#choices[state] = rows;
    }
    return rows;
  };

  #ofRow({ targets, weights, exit, total }: ExactRow, state: number, choice: number): Rational {
    const { model } = this.#matrix;
    const { branches } = this.#rewards;
    const index = this.#matrix.firstRow(state) + choice;
    const reward = fraction(this.#rewards.choices, this.#source.choices, index);
    if (branches === undefined) return reward;
    let sum = Rational.ZERO;
    for (let i = model.rowStart[index]; i < model.rowStart[index + 1]; i++) {
      const t = model.columns[i];
      const weight = t === state ? total - exit : (weights[targets.indexOf(t)] ?? 0n);
      sum = sum.plus(Rational.fromDouble(branches[i]).times(new Rational(weight, total)));
    }
    return reward.plus(sum);
  }
}

function fraction(
  doubles: Float64Array | undefined,
  fractions: readonly (Rational | undefined)[] | undefined,
  i: number,
): Rational {
  return fractions?.[i] ?? (doubles ? Rational.fromDouble(doubles[i]) : Rational.ZERO);
}
