import { Rational } from '../../../base/rational.js';
import { BitSet } from '../../kernel/index.js';
import type { Dtmc, Mdp, Rewards } from '../../model/index.js';
import type { WindowedUntil } from '../pathEvent.js';
import type { Directions } from '../quantities/quantities.js';
import { ExactGains } from './exactGains.js';
import { type ChoicesOf, ExactMatrix } from './exactMatrix.js';
import type { ExactOptions, ExactQuantities, ExactSubject, ExactValue } from './exactQuantities.js';
import type { ExactRow } from './exactRow.js';
import { exactSteps } from './exactSteps.js';
import { WorkLimit } from './workLimit.js';

/** The common part of chains and decision processes. */
export abstract class ExactModel<M extends Dtmc | Mdp> implements ExactQuantities {
  readonly states: number;
  protected readonly matrix: ExactMatrix;
  protected readonly everywhere: BitSet;
  readonly #subject: ExactSubject;

  constructor(
    subject: ExactSubject,
    protected readonly model: M,
  ) {
    this.#subject = subject;
    this.states = model.states;
    this.matrix = new ExactMatrix(model, subject.exactValues);
    this.everywhere = BitSet.full(model.states);
  }

  get warnings(): readonly string[] {
    return this.matrix.warnings;
  }

  exactOf(rewards?: Rewards): 'source' | 'doubles' {
    const fromDoubles = this.matrix.fromDoubles || (rewards !== undefined && this.gains(rewards).fromDoubles);
    return fromDoubles ? 'doubles' : 'source';
  }

  abstract until(directions: Directions, remain: BitSet, target: BitSet, options?: ExactOptions): Rational[];

  boundedUntil(
    directions: Directions,
    { remain, target, from, to }: WindowedUntil,
    options: ExactOptions = {},
  ): Rational[] {
    const work = WorkLimit.of(options);
    const { choicesOf } = this.matrix;
    let values =
      to === null
        ? this.until(directions, remain, target, options)
        : this.#stepsBack(
            directions,
            choicesOf,
            remain.difference(target),
            indicator(target),
            to - from,
            work,
          );
    if (from > 0) {
      const others = indicator(new BitSet(this.states));
      values = this.#stepsBack(directions, choicesOf, remain, values, from, work, others);
    }
    return values;
  }

  next(directions: Directions, target: BitSet): Rational[] {
    const { matrix, everywhere } = this;
    return this.#stepsBack(directions, matrix.choicesOf, everywhere, indicator(target), 1, WorkLimit.of({}));
  }

  abstract reachabilityReward(
    directions: Directions,
    rewards: Rewards,
    target: BitSet,
    options?: ExactOptions,
  ): ExactValue[];

  cumulativeReward(
    directions: Directions,
    rewards: Rewards,
    steps: number,
    options: ExactOptions = {},
  ): Rational[] {
    const start = indicator(new BitSet(this.states));
    const { choicesOf } = this.gains(rewards);
    return this.#stepsBack(directions, choicesOf, this.everywhere, start, steps, WorkLimit.of(options));
  }

  abstract totalReward(directions: Directions, rewards: Rewards, options?: ExactOptions): ExactValue[];

  instantaneousReward(
    directions: Directions,
    rewards: Rewards,
    steps: number,
    options: ExactOptions = {},
  ): Rational[] {
    const gains = this.gains(rewards);
    const start = Array.from({ length: this.states }, (_, s) => gains.ofState(s));
    return this.#stepsBack(
      directions,
      this.matrix.choicesOf,
      this.everywhere,
      start,
      steps,
      WorkLimit.of(options),
    );
  }

  abstract longRunReward(directions: Directions, rewards: Rewards, options?: ExactOptions): Rational[];

  longRunProbability(directions: Directions, target: BitSet, options: ExactOptions = {}): Rational[] {
    const states = Float64Array.from({ length: this.states }, (_, s) => Number(target.has(s)));
    return this.longRunReward(directions, { name: 'time', states }, options);
  }

  abstract free(): void;

  [Symbol.dispose](): void {
    this.free();
  }

  protected gains(rewards: Rewards): ExactGains {
    return new ExactGains(this.matrix, rewards, this.#subject);
  }

  /** Values one or more steps before they are `values`: `active` states move, all others take the value in `others`. */
  #stepsBack(
    [direction = 'max']: Directions,
    choicesOf: ChoicesOf,
    active: BitSet,
    values: readonly Rational[],
    steps: number,
    work: WorkLimit,
    others?: readonly Rational[],
  ): Rational[] {
    const states = [...this.everywhere];
    const moving = (s: number) => (active.has(s) ? choicesOf(s) : undefined);
    const fixed = others && { others: new Map(others.entries()) };
    const problem = { states, choicesOf: moving, direction, steps, ...fixed };
    return listed(exactSteps(problem, new Map(values.entries()), work));
  }
}

export function isPositive({ gain }: ExactRow): boolean {
  return gain !== undefined && gain.numerator > 0n;
}

function indicator(set: BitSet): Rational[] {
  return Array.from({ length: set.size }, (_, s) => (set.has(s) ? Rational.ONE : Rational.ZERO));
}

export function known(zero: BitSet, one?: BitSet): Map<number, Rational> {
  const values = new Map<number, Rational>();
  for (const s of zero) values.set(s, Rational.ZERO);
  for (const s of one ?? []) values.set(s, Rational.ONE);
  return values;
}

export function listed(values: ReadonlyMap<number, Rational>): Rational[] {
  return Array.from({ length: values.size }, (_, s) => values.get(s) as Rational);
}

export function orInfinite(states: number, values: ReadonlyMap<number, Rational>): ExactValue[] {
  return Array.from({ length: states }, (_, s) => values.get(s) ?? 'infinite');
}
