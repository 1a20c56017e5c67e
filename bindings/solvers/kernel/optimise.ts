import type { Bounds } from '../../base/bounds.js';
import { NotConvergedError } from '../../base/errors.js';
import { WorkBudget } from '../../base/workBudget.js';
import type { OptimumProblem } from './engine.js';
import { type CheckedSolveOptions, SLICE, type SolveProgress } from './options.js';
import { middle, type Policy, PolicyIteration } from './policies.js';
import type { Direction, Solution } from './types/index.js';

/** The number of passes over all components before the accumulated gap is final. */
const PASSES = 4;

/** The least work, in blocks of sweeps or in products, after which `auto` tries the other method. */
const TURN = 1 << 13;

/** The largest ratio of policy iteration's turns to those of interval iteration, if that many more of the latter are expected. */
const EAGERNESS = 8;

/**
 * The least number of sweeps in such a turn: a policy costs as much as some dozens of sweeps, and until values have propagated
 * through a component, its gap does not show how fast it will shrink.
 */
const LEAST_SWEEPS = 64;

/** The margins for rounding added to the bounds from a policy, relative to the largest value. */
const ROOMS = [2 ** -50, 2 ** -48, 2 ** -44, 2 ** -40, 2 ** -36];

/** Sweeps from below before upper bounds are guessed the first time; doubled after every guess that fails. */
const SWEEPS_BEFORE_GUESS = 8;

/** The number of guesses of upper bounds after rounding stops the lower bounds from rising. */
const LAST_GUESSES = 4;

/** Solves a problem component by component, successors first, as `solveUntil` does for equations. */
export function optimise(...problem: ConstructorParameters<typeof Optimiser>): Solution {
  return new Optimiser(...problem).solve();
}

class Optimiser {
  readonly #problem: OptimumProblem;
  readonly #direction: Direction;
  readonly #componentStart: Uint32Array;
  readonly #rewarded: boolean;
  readonly #options: CheckedSolveOptions;
  readonly #bounds: () => Bounds;
  readonly #budget: WorkBudget<SolveProgress>;
  readonly #components: number;
  readonly #blocks: number;
  /** Gaps are divided by offset + slope * lower. */
  readonly #offset: number;
  readonly #slope: number;
  readonly #allowed: number;
  #iterations = 0;
  /** Whether a component was abandoned because it ran out of sweeps. */
  #sweptOut = false;
  #share: number;

  /**
   * Every component may widen its inherited gap by an equal share of `precision`.
   *
   * @param componentStart the first block of each component, and the end of the last.
   * @param rewarded whether values are expected rewards, for which no upper bound is known in advance and a gap counts relative
   *   to 1 + the lower bound. Unlike with max(1, lower), a state's gap in that measure cannot exceed those of all its
   *   successors.
   * @param bounds the current bounds of all states.
   */
  constructor(
    problem: OptimumProblem,
    direction: Direction,
    componentStart: Uint32Array,
    rewarded: boolean,
    options: CheckedSolveOptions,
    bounds: () => Bounds,
  ) {
    const { precision, relative } = options;
    this.#problem = problem;
    this.#direction = direction;
    this.#componentStart = componentStart;
    this.#rewarded = rewarded;
    this.#options = options;
    this.#bounds = bounds;
    this.#budget = new WorkBudget({ slice: SLICE }, options);
    this.#components = componentStart.length - 1;
    this.#blocks = componentStart[this.#components];
    this.#offset = relative ? 0 : 1;
    this.#slope = relative || rewarded ? 1 : 0;
    // 1 + value is at most 2 * max(1, value).
    this.#allowed = rewarded && !relative ? precision : 2 * precision;
    let iterated = 0;
    for (let c = 0; c < this.#components; c++) if (componentStart[c + 1] - componentStart[c] > 1) iterated++;
    this.#share = this.#allowed / 2 / Math.max(1, iterated);
  }

  solve(): Solution {
    const { method } = this.#options;
    if (this.#components === 0) return this.#solution('exact', 'graph');
    if (method === 'value-iteration') {
      // Value iterates are not bounds: rounding can take them past their limit.
      const decided = this.#bounds();
      if (!this.#solveAll()) throw this.#notConverged('values still change', decided);
      const { lower } = this.#bounds();
      return { ...this.#solution('estimated', method), lower, upper: lower };
    }

    let gap = Number.POSITIVE_INFINITY;
    for (let pass = 0; pass < PASSES; pass++, this.#share /= 16) {
      const previousGap = gap;
      const finished = this.#solveAll();
      gap = this.#gap(0, this.#blocks);
      if (gap <= this.#allowed) return this.#solution('bounded', method === 'auto' ? 'topological' : method);
      if (!finished || !(gap < previousGap)) break;
    }
    throw this.#notConverged(`bounds are ${gap} apart${this.#slope ? ' relative to the lower one' : ''}`);
  }

  /** Visits all components; returns whether each that has more than one block was solved. */
  #solveAll(): boolean {
    const components = this.#components;
    const startOf = (component: number) => this.#componentStart[component];
    let finished = true;
    for (let c = 0; c < components; ) {
      const first = startOf(c);
      let last = first;
      while (c < components && startOf(c + 1) === last + 1 && last - first < SLICE) last = startOf(++c);
      if (last > first) {
        // Successors come first: one sweep is the closed form of each.
        if (this.#options.method === 'value-iteration') this.#problem.valueSweep(first, last, false);
        else this.#problem.sweeps(first, last, 0, 1);
        this.#spend(last - first, first, 0);
      } else if (!this.#solveComponent(first, startOf(++c))) finished = false;
    }
    return finished;
  }

  /**
   * Solves one component by the method asked for: narrows its bounds until the gap is at most the inherited gap plus a share, or estimates its values. False if
   * that fails.
   */
  #solveComponent(first: number, last: number): boolean {
    const { method, maxIterations } = this.#options;
    if (method === 'value-iteration') return this.#estimate(first, last);
    const allowed = this.#problem.inheritedGap(first, last, this.#offset, this.#slope) + this.#share;
    switch (method) {
      case 'interval-iteration':
        return this.#iterate(first, last, allowed, 0, maxIterations).gap <= allowed;
      case 'auto':
      case 'elimination':
        return this.#race(first, last, allowed);
    }
  }

  /**
   * Interval iteration and policy iteration in growing turns, until one of them is done. Together they take little more than
   * twice the time of the better one. Interval iteration continues past its turn while its gap shrinks fast enough to finish in
   * two more turns.
   */
  #race(first: number, last: number, allowed: number): boolean {
    const { maxIterations } = this.#options;
    const size = last - first;
    const policies = this.#adoptPolicies(first, last);
    let gap = this.#gap(first, last);
    let sweeps = 0;
    try {
      for (let turn = Math.max(TURN, LEAST_SWEEPS * size); ; turn *= 2) {
        let turnsLeft = 0;
        while (turnsLeft <= 2) {
          const before = gap;
          const until = Math.min(maxIterations, sweeps + Math.ceil(turn / size));
          ({ gap, sweeps } = this.#iterate(first, last, allowed, sweeps, until));
          if (gap <= allowed) return true;
          turnsLeft =
            sweeps < until || sweeps === maxIterations || gap === Number.POSITIVE_INFINITY
              ? Number.POSITIVE_INFINITY
              : Math.log(gap / allowed) / Math.log(before / gap);
        }
        for (let left = turn * Math.min(EAGERNESS, turnsLeft); left > 0; ) {
          const { value: work, done } = policies.next();
          if (done) return this.#iterate(first, last, allowed, sweeps, maxIterations).gap <= allowed;
          this.#spend(work, first, gap);
          left -= work;
        }
      }
    } finally {
      policies.return();
    }
  }

  /**
   * Interval iteration from sweep `from` until the gap is at most `allowed`, or no bound moves, or `to` sweeps are done;
   * returns the number done.
   */
  #iterate(first: number, last: number, allowed: number, from: number, to: number) {
    let gap = this.#gap(first, last);
    let sweeps = from;
    if (gap === Number.POSITIVE_INFINITY && this.#rewarded && sweeps < to) {
      sweeps = this.#boundAbove(first, last, from, to);
      gap = this.#gap(first, last);
      if (gap === Number.POSITIVE_INFINITY) return { gap, sweeps };
    }
    while (!(gap <= allowed) && sweeps < to) {
      // Checking the gap after every further eighth of the sweeps costs little and overshoots by little.
      const count = Math.min(1 + (sweeps >>> 3), Math.ceil(SLICE / (last - first)), to - sweeps);
      const moving = this.#problem.sweeps(first, last, sweeps, count);
      sweeps += moving;
      this.#iterations += moving;
      gap = this.#gap(first, last);
      if (moving < count) return { gap, sweeps };
      this.#spend(count * (last - first), first, gap);
    }
    if (!(gap <= allowed) && to === this.#options.maxIterations) this.#sweptOut = true;
    return { gap, sweeps };
  }

  /**
   * Finds upper bounds of expected rewards: guesses them from the lower bounds and tries until a sweep verifies them. Lower
   * bounds improve between guesses; a guess proportional to them and well above them finally becomes inductive. Runs from sweep
   * `from` up to `to`; returns the number of sweeps done, at least `to` if no bound was found.
   */
  #boundAbove(first: number, last: number, from: number, to: number): number {
    let [done, stuck] = [from, 0];
    for (let tries = SWEEPS_BEFORE_GUESS; done < to && stuck < LAST_GUESSES; tries *= 2) {
      for (let i = 0; i < tries; i++, done++) {
        if (this.#problem.sweeps(first, last, done, 1) === 0) {
          stuck++;
          break;
        }
        this.#spend(last - first, first, Number.POSITIVE_INFINITY);
      }
      this.#problem.guessUpper(first, last, 2 ** (1 + stuck));
      for (let i = 0; i < tries; i++, done++) {
        this.#iterations++;
        if (this.#problem.verifySweep(first, last)) return done;
        this.#spend(last - first, first, Number.POSITIVE_INFINITY);
      }
      this.#problem.forgetUpper(first, last);
    }
    if (stuck < LAST_GUESSES && to === this.#options.maxIterations) this.#sweptOut = true;
    return Math.max(done, to);
  }

  /**
   * Takes bounds from policies and yields the work done. One side bounds the value of the best policy found, which a scheduler
   * attains; if there is only one policy, so does the other side. Otherwise the other side is verified: values a little further
   * out satisfy the equations of all policies with a margin for rounding, which is increased until they do.
   */
  *#adoptPolicies(first: number, last: number): Generator<number, void> {
    const problem = this.#problem;
    const policies = new PolicyIteration(problem, first, last, this.#direction);
    if (policies.forced) {
      const only = yield* policies.only();
      if (only === undefined) return;
      const { lower, upper } = problem.bounds(first, last);
      problem.take(first, only.choices, {
        lower: lower.map((value, b) => Math.max(value, only.values.lower[b])),
        upper: upper.map((value, b) => Math.min(value, only.values.upper[b])),
      });
      return;
    }
    const [attained, other] =
      this.#direction === 'max' ? (['lower', 'upper'] as const) : (['upper', 'lower'] as const);
    const best = yield* policies.best(attained);
    if (best === undefined) return;
    problem.take(first, best.choices, { ...problem.bounds(first, last), [attained]: best.values[attained] });
    const same = yield* policies.best(other, best);
    if (same === undefined) return;
    if (other === 'lower' && this.#rewarded) yield* this.#adoptDiscounted(policies, same, first, last);
    else yield* this.#adoptWithSteps(policies, same, other, first, last);
  }

  /** Bounds further out than the values of a best policy, by a margin per expected step. */
  *#adoptWithSteps(
    policies: PolicyIteration,
    best: Policy,
    side: 'lower' | 'upper',
    first: number,
    last: number,
  ): Generator<number, void> {
    const steps = yield* policies.mostSteps(best, side);
    if (steps === undefined) return;
    const values = middle(best.values);
    const largest = values.reduce((most, value) => Math.max(most, value), 0);
    const sign = side === 'lower' ? -1 : 1;
    for (const room of ROOMS) {
      const candidate = values.map((value, b) => value + sign * room * largest * steps[b]);
      if (this.#problem.takeOver(first, last, candidate, side)) return;
      yield last - first;
    }
  }

  /**
   * Lower bounds of least rewards: the least rewards when each step is discounted by a margin. Counting steps fails here,
   * because policies that stay for ever at a cost have infinitely many, and a policy with a small cost per step is nearly as
   * good for a long time.
   */
  *#adoptDiscounted(
    policies: PolicyIteration,
    best: Policy,
    first: number,
    last: number,
  ): Generator<number, void> {
    for (const room of ROOMS) {
      const discounted = yield* policies.discounted(room).best('lower', best);
      if (discounted && this.#problem.takeOver(first, last, middle(discounted.values), 'lower')) return;
      yield last - first;
    }
  }

  /** Plain value iteration until a sweep changes at most `precision`, without any guarantee. */
  #estimate(first: number, last: number): boolean {
    const { precision, relative, maxIterations } = this.#options;
    for (let done = 1; done <= maxIterations; done++) {
      const change = this.#problem.valueSweep(first, last, relative);
      this.#iterations++;
      if (change <= precision) return true;
      this.#spend(last - first, first, change);
    }
    this.#sweptOut = true;
    return false;
  }

  #gap(first: number, last: number): number {
    return this.#problem.gap(first, last, this.#offset, this.#slope);
  }

  #spend(work: number, block: number, gap: number): void {
    this.#budget.charge(work, () => ({ fraction: block / this.#blocks, gap, iterations: this.#iterations }));
  }

  #solution(accuracy: Solution['accuracy'], method: string): Solution {
    return { ...this.#bounds(), accuracy, method, iterations: this.#iterations };
  }

  #notConverged(found: string, reached: Bounds = this.#bounds()): NotConvergedError {
    const { method, precision, maxIterations } = this.#options;
    const advice = this.#sweptOut
      ? `ask for less, or allow more sweeps than maxIterations = ${maxIterations}`
      : 'rounding does not let bounds come closer: ask for less';
    return new NotConvergedError(
      `${found} after ${this.#iterations} sweeps by method '${method}', where precision ${precision} was asked for: ${advice}`,
      reached,
    );
  }
}
