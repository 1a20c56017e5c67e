import type { Bounds } from '../../base/bounds.js';
import { NotConvergedError } from '../../base/errors.js';
import { WorkBudget } from '../../base/workBudget.js';
import type { Elimination, Iteration, UntilProblem } from './engine.js';
import { type CheckedSolveOptions, SLICE, type SolveProgress } from './options.js';
import { Status } from './status.js';
import type { Solution } from './types/index.js';

/**
 * Components of up to this many states are eliminated at once, which is cheaper than trying iteration. The kernel's
 * assembly/solve/until.ts repeats it.
 */
export const SMALL_STATES = 32;

/** The least work, in entries of rows or in products, after which `auto` tries the other method. */
const TURN = 1 << 14;

/** The least number of sweeps in such a turn: setting up an elimination takes about as long as a few sweeps. */
const LEAST_SWEEPS = 16;

/**
 * An iteration continues if it expects to finish within this many further turns, because an elimination's turn takes that much
 * longer in large components.
 */
const TURNS_AHEAD = 8;

/** The number of sweeps that may move a guess before it is dropped, and the number done at a time. */
const PATIENCE = 80;
const GUESSES = 8;

/** The number of passes over all components before the accumulated gap is final. */
const PASSES = 4;

/**
 * Solves a problem component by component, successors first, so that each is solved with its successors' bounds given.
 *
 * Every iterated component may widen the gap inherited from its successors by an equal share of `precision`. All shares
 * together use at most half of the allowed gap; the other half is for the error bounds of eliminations and for rounding. The
 * resulting gap is measured; if it is too wide, another pass starts from these bounds with smaller shares.
 */
export function solveUntil(problem: UntilProblem, options: CheckedSolveOptions): Solution {
  return new UntilSolver(problem, options).solve();
}

/**
 * Solves the components of a problem once; each may widen its inherited gap by `share`. The caller must check the resulting
 * width. Returns the number of sweeps.
 */
export function solveOnce(problem: UntilProblem, options: CheckedSolveOptions, share: number): number {
  return new UntilSolver(problem, options, share).solveOnce();
}

class UntilSolver {
  readonly #problem: UntilProblem;
  readonly #options: CheckedSolveOptions;
  readonly #budget: WorkBudget<SolveProgress>;
  readonly #components: number;
  #iterations = 0;
  #pass = 0;
  #share: number;
  /** The reason why the first component that should have been eliminated was not, if any. */
  #obstacle = '';

  constructor(problem: UntilProblem, options: CheckedSolveOptions, share?: number) {
    this.#problem = problem;
    this.#options = options;
    this.#budget = new WorkBudget({ slice: SLICE }, options);
    this.#components = problem.componentStart.length - 1;
    const smallestIterated = options.method === 'auto' ? SMALL_STATES + 1 : 2;
    let iterated = 0;
    for (let c = 0; c < this.#components; c++) if (this.#sizeOf(c) >= smallestIterated) iterated++;
    this.#share = share ?? options.precision / Math.max(1, iterated);
  }

  solveOnce(): number {
    this.#solveAll();
    return this.#iterations;
  }

  solve(): Solution {
    const { method, precision, relative } = this.#options;
    if (this.#components === 0) return this.#solution('exact', 'graph');
    if (method === 'value-iteration') {
      // Value iterates are not bounds: rounding can take them past their limit.
      const decided = this.#problem.bounds();
      if (!this.#solveAll()) throw this.#notConverged('values still change', decided);
      return { ...this.#solution('estimated', method), upper: this.#problem.bounds().lower };
    }

    let gap = Number.POSITIVE_INFINITY;
    for (let previousGap = gap; this.#pass < PASSES; this.#pass++, this.#share /= 16, previousGap = gap) {
      const finished = this.#solveAll();
      gap = this.#problem.widestGap(0, this.#components, relative);
      if (gap <= 2 * precision) return this.#solution('bounded', method === 'auto' ? 'topological' : method);
      if (!finished || !(gap < previousGap)) break;
    }
    throw this.#notConverged(`bounds are ${gap} apart${relative ? ' relative to the lower one' : ''}`);
  }

  /** Visits all components; returns whether each was solved. */
  #solveAll(): boolean {
    // On later passes small components may have to be iterated, because elimination has an error of its own.
    const small = this.#options.method === 'auto' && this.#pass === 0 ? SMALL_STATES : 1;
    let finished = true;
    for (let component = 0; component < this.#components; ) {
      const first = component;
      let work = 0;
      for (; component < this.#components && work < SLICE && this.#sizeOf(component) <= small; component++)
        work += this.#sizeOf(component) ** 3;
      if (component > first) {
        component = this.#problem.solveSmall(first, component);
        this.#spend(work, first, 0);
        if (component > first) continue;
      }
      if (!this.#solveComponent(component++)) finished = false;
    }
    return finished;
  }

  /** Solves one component by the method asked for. */
  #solveComponent(component: number): boolean {
    const { method, relative, maxIterations } = this.#options;
    if (method === 'elimination') return this.#eliminate(component);
    if (method === 'value-iteration') return this.#estimate(component);
    const allowedGap = this.#problem.inheritedGap(component, relative) + this.#share;
    const iteration = this.#openIteration(component);
    try {
      this.#guess(component, iteration);
      switch (method) {
        case 'auto':
          return this.#race(component, iteration, allowedGap);
        case 'interval-iteration':
          return this.#iterate(component, iteration, allowedGap, 0, maxIterations).gap <= allowedGap;
      }
    } finally {
      iteration.close();
    }
  }

  #openIteration(component: number): Iteration {
    const problem = this.#problem;
    return (
      problem.openIteration?.(component) ?? {
        sweeps: (from, count) => problem.intervalSweeps(component, from, count),
        gap: (relative) => problem.widestGap(component, component + 1, relative),
        close() {},
      }
    );
  }

  /** Warm start from an earlier solution, if there is one; if it leads to no bounds, PATIENCE sweeps are lost. */
  #guess(component: number, { guess }: Iteration): void {
    if (guess === undefined) return;
    guess.load();
    for (let sweeps = 0; sweeps < PATIENCE; sweeps += GUESSES) {
      const moving = guess.sweeps(GUESSES);
      this.#iterations += moving;
      if (moving < GUESSES) return;
      this.#spend(GUESSES * this.#sizeOf(component), component, 1);
    }
    guess.drop();
  }

  /**
   * Interval iteration and elimination in growing turns, until one of them is done; the worse one costs at most a small
   * multiple of the better one. Iteration continues past its turn while its gap shrinks fast enough to finish in TURNS_AHEAD
   * more turns.
   */
  #race(component: number, iteration: Iteration, allowedGap: number): boolean {
    const { relative, maxIterations } = this.#options;
    const size = this.#sizeOf(component);
    let gap = iteration.gap(relative);
    let sweeps = 0;
    let elimination: Elimination | undefined;
    try {
      const leastSweeps = iteration.leastSweeps ?? LEAST_SWEEPS;
      for (let turn = Math.max(TURN, leastSweeps * size); ; turn *= 2) {
        for (let turnsLeft = 0; turnsLeft <= TURNS_AHEAD; ) {
          const before = gap;
          const until = Math.min(maxIterations, sweeps + Math.ceil(turn / size));
          ({ gap, sweeps } = this.#iterate(component, iteration, allowedGap, sweeps, until));
          if (gap <= allowedGap) return true;
          turnsLeft =
            sweeps < until || sweeps === maxIterations
              ? Infinity
              : Math.log(gap / allowedGap) / Math.log(before / gap);
        }
        elimination ??= this.#problem.openElimination(component);
        const status = this.#advance(elimination, turn, component, gap);
        if (status === Status.Unfinished) continue;
        // Small components were eliminated before; bounds that were too wide then can only be narrowed by iteration.
        if (status === Status.Ok && (this.#pass === 0 || size > SMALL_STATES)) return true;
        return this.#iterate(component, iteration, allowedGap, sweeps, maxIterations).gap <= allowedGap;
      }
    } finally {
      elimination?.close();
    }
  }

  /**
   * Interval iteration from sweep `from` until the gap is at most `allowedGap`, or no bound moves, or `to` sweeps are done;
   * returns the number done.
   */
  #iterate(component: number, iteration: Iteration, allowedGap: number, from: number, to: number) {
    const size = this.#sizeOf(component);
    const { relative } = this.#options;
    let gap = iteration.gap(relative);
    let sweeps = from;
    while (!(gap <= allowedGap) && sweeps < to) {
      // Checking the gap after every further eighth of the sweeps costs little and overshoots by little.
      const count = Math.min(1 + (sweeps >>> 3), Math.ceil(SLICE / size), to - sweeps);
      const moving = iteration.sweeps(sweeps, count);
      sweeps += moving;
      this.#iterations += moving;
      gap = iteration.gap(relative);
      if (moving < count) break;
      this.#spend(count * size, component, gap);
    }
    return { gap, sweeps };
  }

  /** Direct elimination; false if numbers became too small for its error bound, or there were too many entries. */
  #eliminate(component: number): boolean {
    const elimination = this.#problem.openElimination(component);
    try {
      let status: Status = Status.Unfinished;
      while (status === Status.Unfinished) status = this.#advance(elimination, SLICE, component, 1);
      return status === Status.Ok;
    } finally {
      elimination.close();
    }
  }

  /** Advances an elimination by `work` products, in slices. */
  #advance(elimination: Elimination, work: number, component: number, gap: number): Status {
    for (let left = work; left > 0; ) {
      const { status, work: done } = elimination.advance(Math.min(left, SLICE));
      if (status !== Status.Unfinished) {
        if (status !== Status.Ok) this.#obstacle ||= obstacleOf(status, this.#sizeOf(component));
        return status;
      }
      this.#spend(done, component, gap);
      left -= Math.max(1, done);
    }
    return Status.Unfinished;
  }

  /** Plain value iteration until a sweep changes at most `precision`, without any guarantee. */
  #estimate(component: number): boolean {
    const { precision, relative, maxIterations } = this.#options;
    for (let done = 1; done <= maxIterations; done++) {
      const change = this.#problem.valueSweep(component, relative);
      this.#iterations++;
      if (change <= precision) return true;
      this.#spend(this.#sizeOf(component), component, change);
    }
    return false;
  }

  #sizeOf(component: number): number {
    return this.#problem.componentStart[component + 1] - this.#problem.componentStart[component];
  }

  #spend(work: number, component: number, gap: number): void {
    const { componentStart } = this.#problem;
    this.#budget.charge(work, () => ({
      fraction: componentStart[component] / componentStart[this.#components],
      gap,
      iterations: this.#iterations,
    }));
  }

  #solution(accuracy: Solution['accuracy'], method: string): Solution {
    return { ...this.#problem.bounds(), accuracy, method, iterations: this.#iterations };
  }

  #notConverged(found: string, reached: Bounds = this.#problem.bounds()): NotConvergedError {
    const { method, precision, maxIterations } = this.#options;
    return new NotConvergedError(
      `${found} after ${this.#iterations} sweeps by method '${method}', where precision ${precision} was asked for: ask for ` +
        `less, allow more sweeps than maxIterations = ${maxIterations}, or use another method${this.#obstacle}`,
      reached,
    );
  }
}

function obstacleOf(status: Status, states: number): string {
  const component = `; a component of ${states} states was not eliminated, because`;
  return status === Status.Underflow
    ? `${component} numbers fell below 2^-1000: where it is left that rarely, only fewer states or likelier ways out of it help`
    : `${component} that takes a dense matrix of more than 2000 states, or too many entries, as its rows fill up`;
}
