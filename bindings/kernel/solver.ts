import { InvalidArgumentError } from '../errors.js';
import { checkArrays } from './arrays.js';
import type { BitSet } from './bitSet.js';
import { DONE, type EngineChain, PAUSE, type SolverProblem, type UntilProblem } from './engine.js';
import { checkLengths, invalidModel } from './invalidModel.js';
import type { CheckedSolveOptions } from './options.js';
import { rowStatus } from './rowStatus.js';
import { checkSets } from './sets.js';
import { checkNotAborted, SLICE, Slices } from './slices.js';
import { Status } from './status.js';
import type { AddedStates, Csr, KernelSolver, Resolved, RowUpdate, Solution, SolveOptions } from './types.js';
import { SMALL_STATES, solveOnce, solveUntil } from './until.js';

type UpdateOptions = Pick<SolveOptions, 'onProgress' | 'signal'>;

/** What a handle holds, apart from it, so that it can be freed after a handle that was forgotten. */
interface Held {
  problem: SolverProblem;
}

const forgotten = new FinalizationRegistry((held: Held) => held.problem.close());

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

/**
 * Decides what is solved when. Of the gap of 2 * precision, one quarter is for bounds that are kept or shifted although they
 * could be narrower, and half for shares of iterated components, as in `solveUntil`: bounds of a component are at most
 * as wide as the larger of a quarter, and the widest of its successors and a share together. Should a change create so many
 * components to iterate that this becomes too wide, everything is solved anew with smaller shares.
 */
class Incremental {
  private readonly options: CheckedSolveOptions;
  private readonly small: number;
  private share = 0;

  constructor(options: CheckedSolveOptions) {
    this.options = options;
    this.small = options.method === 'auto' ? SMALL_STATES : 1;
  }

  open(chain: EngineChain, remain: BitSet, target: BitSet, options: UpdateOptions): SolverProblem {
    return chain.openSolver(remain, target, (problem) => {
      solveUntil(problem, this.with(options));
      this.share = this.options.precision / Math.max(1, this.iterated(problem));
    });
  }

  /** Solves what waits; returns the sweeps it took, and whether bounds are narrow enough. */
  update(problem: SolverProblem, options: UpdateOptions): Resolved & { readonly narrow: boolean } {
    const start = performance.now();
    const { precision, relative } = this.options;
    const tolerance = precision / 2;
    const slices = new Slices(options);
    let solved = 0;
    let iterations = 0;
    const progress = (gap: number, sweeps: number) => ({
      fraction: Math.min(1, solved / problem.states),
      gap,
      iterations: iterations + sweeps,
    });
    const inner: UpdateOptions = { ...options };
    const { onProgress } = options;
    if (onProgress) inner.onProgress = ({ gap, iterations: sweeps }) => onProgress(progress(gap, sweeps));
    const checked = this.with(inner);
    for (;;) {
      const component = problem.nextComponent(this.small, tolerance, relative, SLICE);
      if (component === DONE) break;
      if (component === PAUSE) {
        slices.spend(SLICE, () => progress(0, 0));
        continue;
      }
      const view = problem.component(component);
      iterations += solveOnce(view, checked, this.share);
      problem.settle(component, tolerance, relative);
      solved += view.componentStart[1];
      slices.spend(view.componentStart[1], () => progress(0, 0));
    }
    const { gap, states, components } = problem.finish(relative);
    const seconds = (performance.now() - start) / 1000;
    return { states, components, anew: false, iterations, seconds, narrow: gap <= 2 * precision };
  }

  /** Solves everything anew; returns the problem that replaces the one given, which is closed then. */
  restart(problem: SolverProblem, options: UpdateOptions): { problem: SolverProblem; resolved: Resolved } {
    const start = performance.now();
    const { chain, remain, target } = problem.restart();
    let resolved = { states: 0, components: 0, anew: true, iterations: 0, seconds: 0 };
    try {
      const next = chain.openSolver(remain, target, (until) => {
        const { iterations } = solveUntil(until, this.with(options));
        const { componentStart } = until;
        const components = componentStart.length - 1;
        resolved = { ...resolved, states: componentStart[components], components, iterations };
        this.share = this.options.precision / Math.max(1, this.iterated(until));
      });
      problem.close();
      return { problem: next, resolved: { ...resolved, seconds: (performance.now() - start) / 1000 } };
    } finally {
      chain.free();
    }
  }

  solution(problem: SolverProblem): Solution {
    const { method } = this.options;
    return {
      ...problem.bounds(),
      accuracy: 'bounded',
      method: method === 'auto' ? 'topological' : method,
      iterations: 0,
    };
  }

  private with({ onProgress, signal }: UpdateOptions): CheckedSolveOptions {
    const { onProgress: _, signal: __, ...checked } = this.options;
    return { ...checked, ...(onProgress && { onProgress }), ...(signal && { signal }) };
  }

  private iterated({ componentStart }: UntilProblem): number {
    let count = 0;
    for (let c = 1; c < componentStart.length; c++)
      if (componentStart[c] - componentStart[c - 1] > this.small) count++;
    return count;
  }
}

/** Checks arguments and ownership on behalf of every engine. */
class SolverHandle implements KernelSolver {
  private readonly solver: Incremental;
  private held: Held | undefined;
  /** Whether the bounds are those of the chain as it is. */
  private current = true;
  private updating = false;

  constructor(solver: Incremental, problem: SolverProblem) {
    this.solver = solver;
    this.held = { problem };
    forgotten.register(this, this.held, this);
  }

  get states(): number {
    return this.open().problem.states;
  }

  lower(state: number): number {
    return this.read(state).lower(state);
  }

  upper(state: number): number {
    return this.read(state).upper(state);
  }

  solution(): Solution {
    return this.solver.solution(this.read());
  }

  replaceRows(update: RowUpdate, options: UpdateOptions = {}): Resolved {
    const { problem } = this.idle();
    checkRows(update, problem.states);
    return this.update(() => problem.replaceRows(update), options);
  }

  addStates(added: AddedStates, options: UpdateOptions = {}): Resolved {
    const { problem } = this.idle();
    checkAdded(added, problem.states);
    return this.update(() => problem.addStates(added), options);
  }

  solve(options: UpdateOptions = {}): Resolved {
    this.idle();
    this.current = false;
    return this.update(() => {}, options);
  }

  free(): void {
    const { problem } = this.idle();
    this.held = undefined;
    forgotten.unregister(this);
    problem.close();
  }

  [Symbol.dispose](): void {
    this.free();
  }

  private update(change: () => void, options: UpdateOptions): Resolved {
    checkNotAborted(options);
    const held = this.open();
    this.updating = true;
    try {
      change();
      const known = this.current;
      this.current = false;
      if (known) {
        const { narrow, ...resolved } = this.solver.update(held.problem, options);
        this.current = narrow;
        if (narrow) return resolved;
      }
      const { problem, resolved } = this.solver.restart(held.problem, options);
      held.problem = problem;
      this.current = true;
      return resolved;
    } finally {
      this.updating = false;
    }
  }

  private open(): Held {
    if (this.held === undefined) {
      throw new InvalidArgumentError('this solver was freed already: free it once, after its last use');
    }
    return this.held;
  }

  private idle(): Held {
    const held = this.open();
    if (this.updating) {
      throw new InvalidArgumentError('this solver is being updated: change or free it after that');
    }
    return held;
  }

  private read(state = 0): SolverProblem {
    const { problem } = this.idle();
    if (!this.current) {
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

function checkRows(update: RowUpdate, states: number): void {
  const { rows, rowStart } = update;
  checkArrays({ rows, rowStart }, 'Uint32Array');
  if (rowStart.length !== rows.length + 1) {
    throw new InvalidArgumentError(
      `rows names ${rows.length} states, but rowStart has ${rowStart.length} entries: it has one more`,
    );
  }
  for (let i = 0; i < rows.length; i++) {
    if (i > 0 && rows[i] <= rows[i - 1]) {
      throw new InvalidArgumentError(
        `rows names state ${rows[i]} after ${rows[i - 1]}: states ascend strictly`,
      );
    }
    if (rows[i] >= states) {
      throw new InvalidArgumentError(`rows names state ${rows[i]}, but states are 0 to ${states - 1}`);
    }
  }
  checkMatrix(update, states, (row) => rows[row]);
}

function checkAdded(added: AddedStates, before: number): void {
  const { remain, target, rowStart } = added;
  checkArrays({ rowStart }, 'Uint32Array');
  const count = Math.max(0, rowStart.length - 1);
  checkSets({ remain, target }, count, 'the addition');
  checkMatrix(added, before + count, (row) => before + row);
}

/** Refuses rows that are no distributions over `states` states; row i is that of state `stateOf(i)`. */
function checkMatrix(matrix: Csr, states: number, stateOf: (row: number) => number): void {
  const { rowStart, columns, values } = matrix;
  if (rowStart.length > 1) checkLengths(matrix);
  const refuse = (status: Status, row: number): never => {
    throw invalidModel(matrix, status, stateOf(row), { row, states });
  };
  const rows = rowStart.length - 1;
  if (rowStart[0] !== 0) refuse(Status.RowStart, 0);
  for (let row = 0; row < rows; row++) {
    const [start, end] = [rowStart[row], rowStart[row + 1]];
    if (end < start || end > columns.length) refuse(Status.RowStart, row);
    const status = rowStatus(columns, values, start, end, states);
    if (status !== Status.Ok) refuse(status, row);
  }
  if (rowStart[rows] !== columns.length) refuse(Status.RowStart, Math.max(0, rows - 1));
}
