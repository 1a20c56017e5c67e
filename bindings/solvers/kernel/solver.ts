import { InvalidArgumentError } from '../../base/errors.js';
import { checkNotAborted } from '../../base/workBudget.js';
import type { BitSet } from './bitSet.js';
import type { EngineChain, SolverProblem } from './engine.js';
import { Handle } from './handle.js';
import { Incremental, type UpdateOptions } from './incremental.js';
import type { CheckedSolveOptions } from './options.js';
import { checkAdded, checkRows } from './rowUpdate.js';
import type { AddedStates, KernelSolver, Resolved, RowUpdate, Solution } from './types/index.js';

/** The data of a handle, in a separate object, so that it can be freed after a forgotten handle. */
class Held {
  problem: SolverProblem;

  constructor(problem: SolverProblem) {
    this.problem = problem;
  }

  free(): void {
    this.problem.close();
  }
}

/** Solves P(remain U target), checked by the caller, and keeps it. */
export function openSolver(
  chain: EngineChain,
  remain: BitSet,
  target: BitSet,
  options: CheckedSolveOptions,
): KernelSolver {
  if (options.method === 'value-iteration') {
    throw new InvalidArgumentError(
      "method is 'value-iteration', whose results bound nothing, so that no update could rely on them: use 'auto'",
    );
  }
  const solver = new Incremental(options);
  return new SolverHandle(solver, solver.open(chain, remain, target, options));
}

/** Checks arguments and ownership for every engine. */
class SolverHandle extends Handle<Held> implements KernelSolver {
  readonly #solver: Incremental;
  /** Whether the bounds are those of the current chain. */
  #current = true;

  constructor(solver: Incremental, problem: SolverProblem) {
    super('solver', new Held(problem), 'updated');
    this.#solver = solver;
  }

  get states(): number {
    return this.held().problem.states;
  }

  lower(state: number): number {
    return this.#read(state).lower(state);
  }

  upper(state: number): number {
    return this.#read(state).upper(state);
  }

  solution(): Solution {
    return this.#solver.solution(this.#read());
  }

  replaceRows(update: RowUpdate, options: UpdateOptions = {}): Resolved {
    const { problem } = this.#idle();
    checkRows(update, problem.states);
    return this.#update(() => problem.replaceRows(update), options);
  }

  addStates(added: AddedStates, options: UpdateOptions = {}): Resolved {
    const { problem } = this.#idle();
    checkAdded(added, problem.states);
    return this.#update(() => problem.addStates(added), options);
  }

  solve(options: UpdateOptions = {}): Resolved {
    this.#idle();
    return this.#update(() => {
      this.#current = false;
    }, options);
  }

  #update(change: () => void, options: UpdateOptions): Resolved {
    checkNotAborted(options);
    const held = this.held();
    return this.working(() => {
      change();
      const known = this.#current;
      this.#current = false;
      if (known) {
        const { narrow, ...resolved } = this.#solver.update(held.problem, options);
        this.#current = narrow;
        if (narrow) return resolved;
      }
      const { problem, resolved } = this.#solver.restart(held.problem, options);
      held.problem = problem;
      this.#current = true;
      return resolved;
    });
  }

  #idle(): Held {
    const held = this.held();
    this.requireIdle();
    return held;
  }

  #read(state = 0): SolverProblem {
    const { problem } = this.#idle();
    if (!this.#current) {
      throw new InvalidArgumentError(
        'the last update was not finished, so the bounds are unknown: call solve(), or update again',
      );
    }
    if (!Number.isInteger(state) || state < 0 || state >= problem.states) {
      throw new InvalidArgumentError(`state is ${state}: states are 0 to ${problem.states - 1}`);
    }
    return problem;
  }
}
