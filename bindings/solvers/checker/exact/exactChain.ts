import type { Rational } from '../../../base/rational.js';
import { BitSet, getKernel, type KernelChain } from '../../kernel/index.js';
import type { Dtmc, Rewards } from '../../model/index.js';
import type { Directions } from '../quantities/quantities.js';
import { ExactModel, isPositive, known, listed, orInfinite } from './exactModel.js';
import type { ExactOptions, ExactSubject, ExactValue } from './exactQuantities.js';
import type { ExactRow } from './exactRow.js';
import { solveTransient } from './exactSystem.js';
import { bottomComponents, longRunAverages } from './longRun.js';
import { WorkLimit } from './workLimit.js';

/** Rational arithmetic on a Markov chain. */
export class ExactChain extends ExactModel<Dtmc> {
  readonly #kernel: KernelChain;

  constructor(subject: ExactSubject, model: Dtmc) {
    super(subject, model);
    this.#kernel = getKernel().chain(model);
  }

  until(_: Directions, remain: BitSet, target: BitSet, options: ExactOptions = {}): Rational[] {
    const never = this.#kernel.prob0(remain, target);
    const surely = this.#kernel.prob1(remain, target);
    return listed(this.#solve(this.#rowOf(), known(never, surely), options));
  }

  reachabilityReward(
    _: Directions,
    rewards: Rewards,
    target: BitSet,
    options: ExactOptions = {},
  ): ExactValue[] {
    const finite = this.#kernel.prob1(this.everywhere, target);
    return this.#earned(rewards, target, finite, options);
  }

  totalReward(_: Directions, rewards: Rewards, options: ExactOptions = {}): ExactValue[] {
    const rowOf = this.#rowOf(rewards);
    const earning = BitSet.where(this.states, (s) => isPositive(rowOf(s)));
    const endless = bottomComponents([...this.everywhere], rowOf).filter((states) =>
      states.some((s) => earning.has(s)),
    );
    const finite = this.#kernel.prob0(this.everywhere, BitSet.of(this.states, endless.flat()));
    return this.#earned(rewards, this.#kernel.prob0(this.everywhere, earning), finite, options);
  }

  longRunReward(_: Directions, rewards: Rewards, options: ExactOptions = {}): Rational[] {
    return listed(longRunAverages([...this.everywhere], this.#rowOf(rewards), WorkLimit.of(options)));
  }

  free(): void {
    this.#kernel.free();
  }

  #rowOf(rewards?: Rewards): (state: number) => ExactRow {
    const { choicesOf } = rewards ? this.gains(rewards) : this.matrix;
    return (s) => choicesOf(s)[0];
  }

  /** Expected reward before `idle`, for the states with a finite value. */
  #earned(rewards: Rewards, idle: BitSet, finite: BitSet, options: ExactOptions): ExactValue[] {
    const solved = this.#solve(this.#rowOf(rewards), known(idle), options, finite);
    return orInfinite(this.states, solved);
  }

  #solve(
    rowOf: (state: number) => ExactRow,
    values: Map<number, Rational>,
    options: ExactOptions,
    finite = this.everywhere,
  ): Map<number, Rational> {
    const unknown = [...finite].filter((s) => !values.has(s));
    solveTransient(unknown, rowOf, values, WorkLimit.of(options));
    return values;
  }
}
