import { ForeguardError, NotSupportedError } from '../../errors.js';
import {
  BitSet,
  getKernel,
  type KernelChain,
  type KernelMdp,
  type OptimalSolution,
} from '../../kernel/index.js';
import type { Dtmc, Mdp, Rewards } from '../../model/index.js';
import { Rational } from '../../rational.js';
import type { Directions } from '../quantities/quantities.js';
import { ExactGains } from './exactGains.js';
import { ExactMatrix } from './exactMatrix.js';
import type { ExactOptions, ExactQuantities, ExactSubject, ExactValue } from './exactQuantities.js';
import type { ExactRow } from './exactRow.js';
import { exactSteps } from './exactSteps.js';
import { solveTransient } from './exactSystem.js';
import { bottomComponents, longRunAverages } from './longRun.js';
import { solveOptimal } from './policyIteration.js';
import { WorkLimit } from './workLimit.js';

/**
 * Opens a chain or a decision process for rational arithmetic. Takes memory of some hundred bytes a transition.
 *
 * @throws NotSupportedError for interval models, and chains with states without data
 */
export function openExact(subject: ExactSubject): ExactQuantities {
  const { model } = subject;
  if (model.type === 'idtmc' || model.type === 'imdp') {
    throw new NotSupportedError(
      'intervals of probabilities are solved in doubles only; ask for bounds, without exact arithmetic',
    );
  }
  if (model.type === 'dtmc' && model.unknown !== undefined && model.unknown.count() > 0) {
    throw new NotSupportedError(
      'the chain has states without data, whose values are intervals; ask for bounds, without exact arithmetic',
    );
  }
  return model.type === 'dtmc' ? new ExactChain(subject, model) : new ExactMdp(subject, model);
}

/** What chains and decision processes have in common. */
abstract class ExactModel<M extends Dtmc | Mdp> implements ExactQuantities {
  readonly states: number;
  protected readonly matrix: ExactMatrix;
  protected readonly everywhere: BitSet;

  constructor(
    private readonly subject: ExactSubject,
    protected readonly model: M,
  ) {
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
    remain: BitSet,
    target: BitSet,
    from: number,
    to: number | null,
    options: ExactOptions = {},
  ): Rational[] {
    const work = WorkLimit.of(options);
    const { choices } = this.matrix;
    let values =
      to === null
        ? this.until(directions, remain, target, options)
        : this.stepsBack(directions, choices, remain.difference(target), indicator(target), to - from, work);
    if (from > 0) {
      const others = indicator(new BitSet(this.states));
      values = this.stepsBack(directions, choices, remain, values, from, work, others);
    }
    return values;
  }

  next(directions: Directions, target: BitSet): Rational[] {
    const { matrix, everywhere } = this;
    return this.stepsBack(directions, matrix.choices, everywhere, indicator(target), 1, WorkLimit.of({}));
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
    const choices = this.gains(rewards).choices();
    return this.stepsBack(directions, choices, this.everywhere, start, steps, WorkLimit.of(options));
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
    return this.stepsBack(
      directions,
      this.matrix.choices,
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
    return new ExactGains(this.matrix, rewards, this.subject);
  }

  /** Values one or more steps before they are `values`: `active` states move, all others take the value in `others`. */
  private stepsBack(
    [direction = 'max']: Directions,
    choices: readonly (readonly ExactRow[])[],
    active: BitSet,
    values: readonly Rational[],
    steps: number,
    work: WorkLimit,
    others?: readonly Rational[],
  ): Rational[] {
    const states = [...this.everywhere];
    const choicesOf = (s: number) => (active.has(s) ? choices[s] : undefined);
    const fixed = others && { others: new Map(others.entries()) };
    const problem = { states, choicesOf, direction, steps, ...fixed };
    return listed(exactSteps(problem, new Map(values.entries()), work));
  }
}

class ExactChain extends ExactModel<Dtmc> {
  private readonly kernel: KernelChain;

  constructor(subject: ExactSubject, model: Dtmc) {
    super(subject, model);
    this.kernel = getKernel().chain(model);
  }

  until(_: Directions, remain: BitSet, target: BitSet, options: ExactOptions = {}): Rational[] {
    const never = this.kernel.prob0(remain, target);
    const surely = this.kernel.prob1(remain, target);
    return listed(this.solve(this.rows(), known(never, surely), options));
  }

  reachabilityReward(
    _: Directions,
    rewards: Rewards,
    target: BitSet,
    options: ExactOptions = {},
  ): ExactValue[] {
    const finite = this.kernel.prob1(this.everywhere, target);
    return this.earned(rewards, target, finite, options);
  }

  totalReward(_: Directions, rewards: Rewards, options: ExactOptions = {}): ExactValue[] {
    const rows = this.rows(rewards);
    const earning = BitSet.where(this.states, (s) => isPositive(rows[s]));
    const endless = bottomComponents(rows).filter((states) => states.some((s) => earning.has(s)));
    const finite = this.kernel.prob0(this.everywhere, BitSet.of(this.states, endless.flat()));
    return this.earned(rewards, this.kernel.prob0(this.everywhere, earning), finite, options);
  }

  longRunReward(_: Directions, rewards: Rewards, options: ExactOptions = {}): Rational[] {
    return listed(longRunAverages(this.rows(rewards), WorkLimit.of(options)));
  }

  free(): void {
    this.kernel.free();
  }

  private rows(rewards?: Rewards): ExactRow[] {
    return (rewards ? this.gains(rewards).choices() : this.matrix.choices).map(([row]) => row);
  }

  /** Expected reward before `idle`, of the states where it is finite. */
  private earned(rewards: Rewards, idle: BitSet, finite: BitSet, options: ExactOptions): ExactValue[] {
    this.gains(rewards).requireNatural();
    const solved = this.solve(this.rows(rewards), known(idle), options, finite);
    return orInfinite(this.states, solved);
  }

  private solve(
    rows: readonly ExactRow[],
    values: Map<number, Rational>,
    options: ExactOptions,
    finite = this.everywhere,
  ): Map<number, Rational> {
    const unknown = [...finite].filter((s) => !values.has(s));
    solveTransient(unknown, (s) => rows[s], values, WorkLimit.of(options));
    return values;
  }
}

class ExactMdp extends ExactModel<Mdp> {
  private readonly kernel: KernelMdp;

  constructor(subject: ExactSubject, model: Mdp) {
    super(subject, model);
    this.kernel = getKernel().mdp(model);
  }

  until([direction]: Directions, remain: BitSet, target: BitSet, options: ExactOptions = {}): Rational[] {
    const { kernel } = this;
    const least = direction === 'min';
    const never = least ? kernel.prob0E(remain, target) : kernel.prob0A(remain, target);
    const surely = least ? kernel.prob1A(remain, target) : kernel.prob1E(remain, target);
    const guess = attempt(() => kernel.until(direction, remain, target, signalOf(options)));
    const { choices } = this.matrix;
    return listed(this.solve(direction, choices, known(never, surely), this.everywhere, guess, options));
  }

  reachabilityReward(
    [direction]: Directions,
    rewards: Rewards,
    target: BitSet,
    options: ExactOptions = {},
  ): ExactValue[] {
    const { kernel, everywhere } = this;
    const finite =
      direction === 'min' ? kernel.prob1E(everywhere, target) : kernel.prob1A(everywhere, target);
    return this.earned(direction, rewards, target, finite, options);
  }

  totalReward([direction]: Directions, rewards: Rewards, options: ExactOptions = {}): ExactValue[] {
    const { kernel, everywhere, states } = this;
    const choices = this.gains(rewards).choices();
    if (direction === 'min') {
      const idle = this.canIdle(choices);
      return this.earned(direction, rewards, idle, kernel.prob1E(everywhere, idle), options);
    }
    const earning = BitSet.where(states, (s) => choices[s].some(isPositive));
    const { componentOf, rows } = kernel.endComponents();
    const earnsInside = (s: number): boolean =>
      choices[s].some((row, choice) => rows.has(this.matrix.firstRow(s) + choice) && isPositive(row));
    const components = new Set([...everywhere].filter(earnsInside).map((s) => componentOf[s]));
    const endless = BitSet.where(states, (s) => components.has(componentOf[s]));
    const idle = kernel.prob0A(everywhere, earning);
    return this.earned(direction, rewards, idle, kernel.prob0A(everywhere, endless), options);
  }

  longRunReward(): Rational[] {
    throw new NotSupportedError(
      'exact long-run values are computed of chains (dtmc) only; ask for bounds, without exact arithmetic',
    );
  }

  free(): void {
    this.kernel.free();
  }

  /** Where one can stay for ever without earning anything. */
  private canIdle(choices: readonly (readonly ExactRow[])[]): BitSet {
    let idle = this.everywhere;
    for (;;) {
      const before = idle;
      idle = BitSet.where(
        this.states,
        (s) =>
          before.has(s) &&
          choices[s].some((row) => !isPositive(row) && row.targets.every((t) => before.has(t))),
      );
      if (idle.equals(before)) return idle;
    }
  }

  private earned(
    direction: 'min' | 'max',
    rewards: Rewards,
    idle: BitSet,
    finite: BitSet,
    options: ExactOptions,
  ): ExactValue[] {
    const choices = this.gains(rewards).requireNatural().choices();
    const guess = attempt(() =>
      this.kernel.reachabilityReward(direction, this.doubleRewards(choices), idle, signalOf(options)),
    );
    return orInfinite(this.states, this.solve(direction, choices, known(idle), finite, guess, options));
  }

  private doubleRewards(choices: readonly (readonly ExactRow[])[]): { rows: Float64Array } {
    return { rows: Float64Array.from(choices.flat(), ({ gain }) => gain?.toNumber() ?? 0) };
  }

  /** Adds the values of the `finite` states that are not known, among choices that lead to finite states only. */
  private solve(
    direction: 'min' | 'max',
    choices: readonly (readonly ExactRow[])[],
    values: Map<number, Rational>,
    finite: BitSet,
    guess: OptimalSolution | undefined,
    options: ExactOptions,
  ): Map<number, Rational> {
    const states = [...finite].filter((s) => !values.has(s));
    const usable = new Map(
      states.map((s) => [s, choices[s].filter(({ targets }) => targets.every((t) => finite.has(t)))]),
    );
    const choicesOf = (s: number): readonly ExactRow[] => usable.get(s) as readonly ExactRow[];
    const guessed = (s: number): number => {
      if (guess === undefined) return 0;
      return Math.max(0, choicesOf(s).indexOf(choices[s][guess.scheduler[s] - this.matrix.firstRow(s)]));
    };
    solveOptimal({ direction, states, choicesOf, guess: guessed }, values, WorkLimit.of(options));
    return values;
  }
}

/** A scheduler that doubles found, if they found one: any is a start. */
function attempt(solve: () => OptimalSolution): OptimalSolution | undefined {
  try {
    return solve();
  } catch (error) {
    if (error instanceof ForeguardError) return undefined;
    throw error;
  }
}

function signalOf({ signal }: ExactOptions): { signal?: AbortSignal } {
  return signal ? { signal } : {};
}

function isPositive({ gain }: ExactRow): boolean {
  return gain !== undefined && gain.numerator > 0n;
}

function indicator(set: BitSet): Rational[] {
  return Array.from({ length: set.size }, (_, s) => (set.has(s) ? Rational.ONE : Rational.ZERO));
}

function known(zero: BitSet, one?: BitSet): Map<number, Rational> {
  const values = new Map<number, Rational>();
  for (const s of zero) values.set(s, Rational.ZERO);
  for (const s of one ?? []) values.set(s, Rational.ONE);
  return values;
}

function listed(values: ReadonlyMap<number, Rational>): Rational[] {
  return Array.from({ length: values.size }, (_, s) => values.get(s) as Rational);
}

function orInfinite(states: number, values: ReadonlyMap<number, Rational>): ExactValue[] {
  return Array.from({ length: states }, (_, s) => values.get(s) ?? 'infinite');
}
