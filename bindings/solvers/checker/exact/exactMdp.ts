import type { Rational } from '../../../base/rational.js';
import {
  BitSet,
  type Direction,
  getKernel,
  type KernelMdp,
  type OptimalSolution,
  type SolveOptions,
} from '../../kernel/index.js';
import type { Mdp, Rewards } from '../../model/index.js';
import type { Directions } from '../quantities/quantities.js';
import type { ChoicesOf } from './exactMatrix.js';
import { ExactModel, isPositive, known, listed, orInfinite } from './exactModel.js';
import type { ExactOptions, ExactSubject, ExactValue } from './exactQuantities.js';
import type { ExactRow } from './exactRow.js';
import { GUESSING_SWEEPS, type Guess, guessByDoubles } from './guess.js';
import { bestLongRun } from './longRunOptimal.js';
import { solveOptimal } from './policyIteration.js';
import { WorkLimit } from './workLimit.js';

/** Rational arithmetic on a Markov decision process. */
export class ExactMdp extends ExactModel<Mdp> {
  readonly #kernel: KernelMdp;

  constructor(subject: ExactSubject, model: Mdp) {
    super(subject, model);
    this.#kernel = getKernel().mdp(model);
  }

  until([direction]: Directions, remain: BitSet, target: BitSet, options: ExactOptions = {}): Rational[] {
    const kernel = this.#kernel;
    const least = direction === 'min';
    const never = least ? kernel.prob0E(remain, target) : kernel.prob0A(remain, target);
    const surely = least ? kernel.prob1A(remain, target) : kernel.prob1E(remain, target);
    const { choicesOf } = this.matrix;
    const guess = this.#guess(direction, choicesOf, options, (guessing) =>
      kernel.until(direction, remain, target, guessing),
    );
    return listed(this.#solve(direction, choicesOf, known(never, surely), this.everywhere, guess, options));
  }

  reachabilityReward(
    [direction]: Directions,
    rewards: Rewards,
    target: BitSet,
    options: ExactOptions = {},
  ): ExactValue[] {
    const { everywhere } = this;
    const kernel = this.#kernel;
    const finite =
      direction === 'min' ? kernel.prob1E(everywhere, target) : kernel.prob1A(everywhere, target);
    return this.#earned(direction, rewards, target, finite, options);
  }

  totalReward([direction]: Directions, rewards: Rewards, options: ExactOptions = {}): ExactValue[] {
    const { everywhere, states } = this;
    const kernel = this.#kernel;
    const { choicesOf } = this.gains(rewards);
    if (direction === 'min') {
      const idle = this.#canIdle(choicesOf);
      return this.#earned(direction, rewards, idle, kernel.prob1E(everywhere, idle), options);
    }
    const earning = BitSet.where(states, (s) => choicesOf(s).some(isPositive));
    const { componentOf, rows } = kernel.endComponents();
    const earnsInside = (s: number): boolean =>
      choicesOf(s).some((row, choice) => rows.has(this.matrix.firstRow(s) + choice) && isPositive(row));
    const components = new Set([...everywhere].filter(earnsInside).map((s) => componentOf[s]));
    const endless = BitSet.where(states, (s) => components.has(componentOf[s]));
    const idle = kernel.prob0A(everywhere, earning);
    return this.#earned(direction, rewards, idle, kernel.prob0A(everywhere, endless), options);
  }

  longRunReward([direction]: Directions, rewards: Rewards, options: ExactOptions = {}): Rational[] {
    const { matrix } = this;
    const kernel = this.#kernel;
    const { choicesOf } = this.gains(rewards);
    const { componentOf, rows } = kernel.endComponents();
    const staysInside = (s: number, choice: number): boolean => rows.has(matrix.firstRow(s) + choice);
    const problem = { states: this.states, choicesOf, componentOf, staysInside };
    return bestLongRun(direction, problem, WorkLimit.of(options));
  }

  free(): void {
    this.#kernel.free();
  }

  /** The states in which some scheduler can stay for ever without earning anything. */
  #canIdle(choicesOf: ChoicesOf): BitSet {
    let idle = this.everywhere;
    for (;;) {
      const before = idle;
      idle = BitSet.where(
        this.states,
        (s) =>
          before.has(s) &&
          choicesOf(s).some((row) => !isPositive(row) && row.targets.every((t) => before.has(t))),
      );
      if (idle.equals(before)) return idle;
    }
  }

  #earned(
    direction: Direction,
    rewards: Rewards,
    idle: BitSet,
    finite: BitSet,
    options: ExactOptions,
  ): ExactValue[] {
    const { choicesOf } = this.gains(rewards);
    const guess = this.#guess(direction, choicesOf, options, (guessing) =>
      this.#kernel.reachabilityReward(direction, this.#doubleRewards(choicesOf), idle, guessing),
    );
    return orInfinite(this.states, this.#solve(direction, choicesOf, known(idle), finite, guess, options));
  }

  #guess(
    direction: Direction,
    choicesOf: ChoicesOf,
    { signal }: ExactOptions,
    solve: (options: SolveOptions) => OptimalSolution,
  ): Guess {
    const firstRow = (s: number): number => this.matrix.firstRow(s);
    const guessing = { maxIterations: GUESSING_SWEEPS, ...(signal && { signal }) };
    return guessByDoubles(direction, choicesOf, firstRow, () => solve(guessing));
  }

  #doubleRewards(choicesOf: ChoicesOf): { rows: Float64Array } {
    const rows = new Float64Array(this.#kernel.rows);
    for (const s of this.everywhere) {
      choicesOf(s).forEach(({ gain }, choice) => {
        rows[this.matrix.firstRow(s) + choice] = gain?.toNumber() ?? 0;
      });
    }
    return { rows };
  }

  /** Adds the unknown values of the `finite` states, using only choices that lead to finite states. */
  #solve(
    direction: Direction,
    choicesOf: ChoicesOf,
    values: Map<number, Rational>,
    finite: BitSet,
    guess: Guess,
    options: ExactOptions,
  ): Map<number, Rational> {
    const states = [...finite].filter((s) => !values.has(s));
    const usable = new Map(
      states.map((s) => [s, choicesOf(s).filter(({ targets }) => targets.every((t) => finite.has(t)))]),
    );
    const usableOf = (s: number): readonly ExactRow[] => usable.get(s) as readonly ExactRow[];
    solveOptimal(
      { direction, states, choicesOf: usableOf, guess: (s) => guess(s, usableOf(s)) },
      values,
      WorkLimit.of(options),
    );
    return values;
  }
}
