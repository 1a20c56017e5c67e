import { WorkBudget } from '../../base/workBudget.js';
import type { BitSet } from './bitSet.js';
import { DONE, type EngineChain, PAUSE, type SolverProblem, type UntilProblem } from './engine.js';
import { type CheckedSolveOptions, SLICE } from './options.js';
import type { Resolved, Solution, SolveOptions } from './types/index.js';
import { SMALL_STATES, solveOnce, solveUntil } from './until.js';

export type UpdateOptions = Pick<SolveOptions, 'onProgress' | 'signal'>;

/**
 * Schedules the components to solve. One quarter of the gap of 2 * precision is for bounds that are kept or shifted although
 * they could be narrower; half is for the shares of iterated components, as in `solveUntil`. The bounds of a component are
 * therefore at most as wide as the larger of two widths: a quarter, or the widest of its successors plus a share. If a change
 * creates so many components to iterate that this becomes too wide, everything is solved anew with smaller shares.
 */
export class Incremental {
  readonly #options: CheckedSolveOptions;
  readonly #small: number;
  #share = 0;

  constructor(options: CheckedSolveOptions) {
    this.#options = options;
    this.#small = options.method === 'auto' ? SMALL_STATES : 1;
  }

  open(chain: EngineChain, remain: BitSet, target: BitSet, options: UpdateOptions): SolverProblem {
    return chain.openSolver(remain, target, (problem) => {
      solveUntil(problem, this.#with(options));
      this.#share = this.#options.precision / Math.max(1, this.#iterated(problem));
    });
  }

  /** Solves the waiting components; returns the number of sweeps, and whether the bounds are narrow enough. */
  update(problem: SolverProblem, options: UpdateOptions): Resolved & { readonly narrow: boolean } {
    const start = performance.now();
    const { precision, relative } = this.#options;
    const tolerance = precision / 2;
    const budget = new WorkBudget({ slice: SLICE }, options);
    let iterations = 0;
    const progress = (gap: number, sweeps: number) => ({
      fraction: Math.min(1, problem.solvedStates() / problem.states),
      gap,
      iterations: iterations + sweeps,
    });
    const inner: UpdateOptions = { ...options };
    const { onProgress } = options;
    if (onProgress) inner.onProgress = ({ gap, iterations: sweeps }) => onProgress(progress(gap, sweeps));
    const checked = this.#with(inner);
    for (;;) {
      const component = problem.nextComponent(this.#small, tolerance, relative, SLICE);
      if (component === DONE) break;
      if (component === PAUSE) {
        budget.charge(SLICE, () => progress(0, 0));
        continue;
      }
      const view = problem.component(component);
      iterations += solveOnce(view, checked, this.#share);
      problem.settle(component, tolerance, relative);
      budget.charge(view.componentStart[1], () => progress(0, 0));
    }
    const { gap, states, components } = problem.finish(relative);
    const seconds = (performance.now() - start) / 1000;
    return { states, components, anew: false, iterations, seconds, narrow: gap <= 2 * precision };
  }

  /** Solves everything anew; closes the given problem and returns its replacement. */
  restart(problem: SolverProblem, options: UpdateOptions): { problem: SolverProblem; resolved: Resolved } {
    const start = performance.now();
    const { chain, remain, target } = problem.restart();
    let resolved = { states: 0, components: 0, anew: true, iterations: 0, seconds: 0 };
    try {
      const next = chain.openSolver(remain, target, (until) => {
        const { iterations } = solveUntil(until, this.#with(options));
        const { componentStart } = until;
        const components = componentStart.length - 1;
        resolved = { ...resolved, states: componentStart[components], components, iterations };
        this.#share = this.#options.precision / Math.max(1, this.#iterated(until));
      });
      problem.close();
      return { problem: next, resolved: { ...resolved, seconds: (performance.now() - start) / 1000 } };
    } finally {
      chain.free();
    }
  }

  solution(problem: SolverProblem): Solution {
    const { method } = this.#options;
    return {
      ...problem.bounds(),
      accuracy: 'bounded',
      method: method === 'auto' ? 'topological' : method,
      iterations: 0,
    };
  }

  #with({ onProgress, signal }: UpdateOptions): CheckedSolveOptions {
    const { onProgress: _, signal: __, ...checked } = this.#options;
    return { ...checked, ...(onProgress && { onProgress }), ...(signal && { signal }) };
  }

  #iterated({ componentStart }: UntilProblem): number {
    let count = 0;
    for (let c = 1; c < componentStart.length; c++)
      if (componentStart[c] - componentStart[c - 1] > this.#small) count++;
    return count;
  }
}
