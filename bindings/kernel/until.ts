import { NotConvergedError } from '../errors.js';
import type { UntilProblem } from './engine.js';
import type { CheckedSolveOptions } from './options.js';
import { SLICE, Slices } from './slices.js';
import { Status } from './status.js';
import type { Solution } from './types.js';

/** `auto` eliminates components up to this many states at once: cheaper than finding out whether iteration is. */
const DIRECT_STATES = 32;

/** Above this many states `auto` does not eliminate: its time grows with n³, and so does its error bound. */
const ELIMINATION_STATES = 2000;

/** How often all components are gone through before the gap that accumulated is taken as final. */
const PASSES = 4;

/**
 * Solves a problem component by component, successors first, so that each is solved with its successors' bounds given.
 *
 * Every iterated component may widen the gap that it inherits from its successors by an equal share of `precision`: all
 * together stay below half of what is allowed, and the other half is for the error bounds of eliminations and for rounding.
 * What came out is measured; where it is too wide, another pass starts from these bounds with smaller shares.
 */
export function solveUntil(problem: UntilProblem, options: CheckedSolveOptions): Solution {
  return new UntilSolver(problem, options).solve();
}

class UntilSolver {
  private readonly problem: UntilProblem;
  private readonly options: CheckedSolveOptions;
  private readonly slices: Slices;
  private readonly components: number;
  private iterations = 0;
  private pass = 0;
  private share: number;

  constructor(problem: UntilProblem, options: CheckedSolveOptions) {
    this.problem = problem;
    this.options = options;
    this.slices = new Slices(options);
    this.components = problem.componentStart.length - 1;
    const smallestIterated = options.method === 'auto' ? DIRECT_STATES + 1 : 2;
    let iterated = 0;
    for (let c = 0; c < this.components; c++) if (this.sizeOf(c) >= smallestIterated) iterated++;
    this.share = options.precision / Math.max(1, iterated);
  }

  solve(): Solution {
    const { method, precision, relative } = this.options;
    if (this.components === 0) return this.solution('exact', 'graph');
    if (method === 'value-iteration') {
      if (!this.solveAll((component) => this.estimate(component)))
        throw this.notConverged('values still change');
      return { ...this.solution('estimated', method), upper: this.problem.bounds().lower };
    }

    let gap = Number.POSITIVE_INFINITY;
    for (let previousGap = gap; this.pass < PASSES; this.pass++, this.share /= 16, previousGap = gap) {
      const finished = this.solveAll((component) => this.bracket(component));
      gap = this.problem.widestGap(0, this.components, relative);
      if (gap <= 2 * precision) return this.solution('bounded', method === 'auto' ? 'topological' : method);
      if (!finished || !(gap < previousGap)) break;
    }
    throw this.notConverged(`bounds are ${gap} apart${relative ? ' relative to the lower one' : ''}`);
  }

  /** Goes through all components; returns whether `solveComponent` was content with each of more than one state. */
  private solveAll(solveComponent: (component: number) => boolean): boolean {
    let finished = true;
    for (let component = 0; component < this.components; ) {
      const first = component;
      while (component < this.components && component - first < SLICE && this.sizeOf(component) === 1)
        component++;
      if (component > first) {
        this.problem.solveSingletons(first, component);
        this.spend(component - first, first, 0);
      } else if (!solveComponent(component++)) finished = false;
    }
    return finished;
  }

  private bracket(component: number): boolean {
    const { method, relative, maxIterations } = this.options;
    if (method === 'elimination') return this.eliminate(component);
    const allowedGap = this.problem.inheritedGap(component, relative) + this.share;
    if (method === 'interval-iteration') return this.iterate(component, allowedGap, maxIterations);

    const size = this.sizeOf(component);
    if (size <= DIRECT_STATES) {
      return (
        (this.eliminate(component) && this.pass === 0) || this.iterate(component, allowedGap, maxIterations)
      );
    }
    if (size > ELIMINATION_STATES) return this.iterate(component, allowedGap, maxIterations);
    // Iterating first for about as long as an elimination takes is never much slower than the better of the two.
    const trial = Math.min((size ** 2) >>> 3, maxIterations);
    return (
      this.iterate(component, allowedGap, trial) ||
      this.eliminate(component) ||
      this.iterate(component, allowedGap, maxIterations - trial)
    );
  }

  /** Interval iteration until the gap is at most `allowedGap`; false if `sweeps` were not enough or rounding stops it. */
  private iterate(component: number, allowedGap: number, sweeps: number): boolean {
    const size = this.sizeOf(component);
    const { relative } = this.options;
    let gap = this.problem.widestGap(component, component + 1, relative);
    for (let done = 0; !(gap <= allowedGap) && done < sweeps; ) {
      // Looking at the gap after every eighth of the sweeps done so far costs little and overshoots by little.
      const count = Math.min(1 + (done >>> 3), Math.ceil(SLICE / size), sweeps - done);
      const moving = this.problem.intervalSweeps(component, done, count);
      done += moving;
      this.iterations += moving;
      gap = this.problem.widestGap(component, component + 1, relative);
      if (moving < count) break;
      this.spend(count * size, component, gap);
    }
    return gap <= allowedGap;
  }

  /** Direct elimination; false if numbers became too small for its error bound. */
  private eliminate(component: number): boolean {
    const elimination = this.problem.openElimination(component);
    try {
      for (let from = this.sizeOf(component); from > 0; ) {
        const count = Math.min(from, Math.ceil(SLICE / from ** 2));
        if (elimination.eliminate(from, count) !== Status.Ok) return false;
        this.spend(count * from ** 2, component, 1);
        from -= count;
      }
      return elimination.substitute() === Status.Ok;
    } finally {
      elimination.close();
    }
  }

  /** Plain value iteration until a sweep changes at most `precision`, which promises nothing. */
  private estimate(component: number): boolean {
    const { precision, relative, maxIterations } = this.options;
    for (let done = 1; done <= maxIterations; done++) {
      const change = this.problem.valueSweep(component, relative);
      this.iterations++;
      if (change <= precision) return true;
      this.spend(this.sizeOf(component), component, change);
    }
    return false;
  }

  private sizeOf(component: number): number {
    return this.problem.componentStart[component + 1] - this.problem.componentStart[component];
  }

  private spend(work: number, component: number, gap: number): void {
    const { componentStart } = this.problem;
    this.slices.spend(work, () => ({
      fraction: componentStart[component] / componentStart[this.components],
      gap,
      iterations: this.iterations,
    }));
  }

  private solution(accuracy: Solution['accuracy'], method: string): Solution {
    return { ...this.problem.bounds(), accuracy, method, iterations: this.iterations };
  }

  private notConverged(found: string): NotConvergedError {
    const { method, precision, maxIterations } = this.options;
    return new NotConvergedError(
      `${found} after ${this.iterations} sweeps by method '${method}', where precision ${precision} was asked for: ask for ` +
        `less, allow more sweeps than maxIterations = ${maxIterations}, or use another method`,
      this.problem.bounds(),
    );
  }
}
