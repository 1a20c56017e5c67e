import type { Bounds } from '../../base/bounds.js';
import { grown } from '../../base/grown.js';
import {
  type AtEnd,
  type Automaton,
  bindAutomaton,
  brokenAtEnd,
  OPEN,
  SATISFIED,
  type Stepper,
  statesAfterWords,
  VIOLATED,
} from '../../languages/automaton/index.js';
import {
  BitSet,
  getKernel,
  type KernelSolver,
  type Resolved,
  type RowUpdate,
  type SolveOptions,
} from '../kernel/index.js';
import { rowMean } from './backward.js';
import { refuseEstimates } from './refuseEstimates.js';
import { requireViolable } from './violationRisk.js';

/** A chain that grows and changes: states have permanent numbers from 1; 0 is the start as a state, and the end as a target. */
export interface LiveRows {
  readonly states: number;
  /** The row of a state, targets ascending, valid until the next call. Empty for a state without data. */
  row(state: number): {
    readonly size: number;
    readonly targets: ArrayLike<number>;
    readonly values: ArrayLike<number>;
  };
  /** Valuations of the states, that of state s at index s - 1. */
  readonly space: { readonly words: number; readonly valuations: Uint32Array };
}

/** Options for solving a live risk. */
export type LiveOptions = Pick<SolveOptions, 'precision' | 'relative' | 'method' | 'maxIterations'>;

/** The work done by an update: product states added, product rows replaced, and states solved again. */
export interface LiveUpdate {
  readonly added: number;
  readonly replaced: number;
  readonly solved: number;
}

/** Nodes that every product has: runs that ended well, runs that ended in violation, and runs without data. */
const [WELL, BROKEN, UNKNOWN] = [0, 1, 2];
const FIXED = 3;

/**
 * Bounds on the probability that a run of a changing chain violates a rule, from every state of their product: the bounds of
 * `violationRisk` on the current chain, at the same precision. Only the part that a change reaches is solved again; new states
 * extend the product. The caller must ensure that a strong rule is judged on almost every run.
 *
 * Nodes are in the order of chain states, after those of the end, so that a row copies its chain row entry by entry, columns
 * ascending. States without data lead to a separate node, which never violates the rule for the lower bounds and always does
 * for the upper ones. The upper bounds have a second solver, opened when the first such state is met.
 */
export class LiveViolationRisk {
  readonly automaton: Automaton;
  readonly #atEnd: AtEnd;
  readonly #options: LiveOptions;
  readonly #stepper: Stepper;
  /** Automaton states in which a run can enter a state with the rule undecided. */
  readonly #entering: readonly number[];
  /** At s * automaton.states + q: the node of state s with the automaton in q, and the node entered from q; -1 for none. */
  #nodeOf = new Int32Array(0);
  #entered = new Int32Array(0);
  #nodes = FIXED;
  /** The first node of each state, followed by the number of nodes; the nodes of a state are consecutive. */
  readonly #firstNode: number[] = [FIXED, FIXED];
  /** The automaton state of each node; the end nodes have none. */
  readonly #automatonState: number[] = Array.from({ length: FIXED }, () => -1);
  readonly #written = new ProductRows();
  readonly #never: KernelSolver;
  #always: KernelSolver | undefined;
  #withoutData = false;

  /**
   * @param predicates names in the order of the bits of valuations.
   * @param options the solver's; default precision 1e-6, absolute.
   * @throws as `violationRisk`
   */
  constructor(automaton: Automaton, atEnd: AtEnd, predicates: readonly string[], options: LiveOptions = {}) {
    refuseEstimates(options);
    requireViolable(automaton, atEnd);
    this.automaton = automaton;
    this.#atEnd = atEnd;
    this.#options = options;
    this.#stepper = bindAutomaton(automaton, predicates);
    const open = statesAfterWords(automaton).filter((q) => automaton.verdict[q] === OPEN);
    this.#entering = [...new Set([automaton.initial, ...open])];
    this.#never = this.#openSolver([BROKEN]);
  }

  /** States of the product. */
  get nodes(): number {
    return this.#nodes;
  }

  /**
   * Adds the states after the first `before`, and updates the rows of the states in `changed`, which ascend.
   * @throws NotConvergedError as the solver; the bounds cannot be used then
   */
  update(chain: LiveRows, before: number, changed: readonly number[]): LiveUpdate {
    const first = this.#nodes;
    for (let state = before + 1; state <= chain.states; state++) this.#enter(chain, state);
    const fresh = Array.from({ length: chain.states - before }, (_, i) => before + 1 + i);
    let solved = 0;
    if (fresh.length > 0) {
      const added = this.#rows(chain, fresh);
      for (const solver of this.#solvers()) solved += this.#add(solver, added).states;
    }
    const replaced = this.#rows(chain, changed);
    if (replaced.rows.length > 0) {
      for (const solver of this.#solvers()) solved += solver.replaceRows(replaced).states;
    }
    const count = replaced.rows.length;
    if (this.#withoutData && this.#always === undefined) {
      this.#always = this.#openSolver([BROKEN, UNKNOWN]);
      const all = Array.from({ length: chain.states }, (_, i) => i + 1);
      solved += this.#add(this.#always, this.#rows(chain, all)).states;
    }
    return { added: this.#nodes - first, replaced: count, solved };
  }

  /** Bounds for a chain state and an automaton state; 0 to 1 if the product has no such state. */
  at(state: number, automatonState: number): Bounds<number> {
    const verdict = this.automaton.verdict[automatonState];
    if (verdict === VIOLATED) return { lower: 1, upper: 1 };
    if (verdict === SATISFIED) return { lower: 0, upper: 0 };
    const node = this.#nodeOf[state * this.automaton.states + automatonState] ?? -1;
    return node < 0 ? { lower: 0, upper: 1 } : this.#boundsOf(node);
  }

  /** Before the first step: the mean over the first states; 0 to 1 if there are none. */
  start(chain: LiveRows): Bounds<number> {
    const { size, targets, values } = chain.row(0);
    if (size === 0) return { lower: 0, upper: 1 };
    const { initial } = this.automaton;
    const bounds = Array.from({ length: size }, (_, i) =>
      this.#boundsOf(
        targets[i] > 0 ? this.#entered[targets[i] * this.automaton.states + initial] : this.#ended(initial),
      ),
    );
    // Row 0 of a chain in which state 0 is the start and the other states are its successors.
    const row = {
      rowStart: Uint32Array.of(0, size),
      columns: Uint32Array.from(bounds.keys(), (i) => i + 1),
      values: Float64Array.from({ length: size }, (_, i) => values[i]),
    };
    const [lower, upper] = rowMean(row, 0, {
      lower: Float64Array.of(0, ...bounds.map((one) => one.lower)),
      upper: Float64Array.of(0, ...bounds.map((one) => one.upper)),
    });
    return { lower, upper };
  }

  /** Frees its memory; call it once. */
  free(): void {
    this.#never.free();
    this.#always?.free();
  }

  #boundsOf(node: number): Bounds<number> {
    return { lower: this.#never.lower(node), upper: (this.#always ?? this.#never).upper(node) };
  }

  #solvers(): KernelSolver[] {
    return this.#always === undefined ? [this.#never] : [this.#never, this.#always];
  }

  #openSolver(target: readonly number[]): KernelSolver {
    using chain = getKernel().chain({
      rowStart: Uint32Array.from({ length: FIXED + 1 }, (_, i) => i),
      columns: Uint32Array.from({ length: FIXED }, (_, i) => i),
      values: new Float64Array(FIXED).fill(1),
    });
    return chain.openSolver(BitSet.full(FIXED), BitSet.of(FIXED, target), this.#options);
  }

  /** Creates the nodes of a state: one per automaton state that a run can be in after it. */
  #enter({ space }: LiveRows, state: number): void {
    const width = this.automaton.states;
    if ((state + 1) * width > this.#nodeOf.length) {
      this.#nodeOf = grownByNone(this.#nodeOf, 2 * (state + 1) * width);
      this.#entered = grownByNone(this.#entered, 2 * (state + 1) * width);
    }
    const { words, valuations } = space;
    for (const q of this.#entering) {
      const next = this.#stepper.step(q, valuations, (state - 1) * words);
      const at = state * width + next;
      if (this.#nodeOf[at] < 0) {
        this.#nodeOf[at] = this.#nodes++;
        this.#automatonState.push(next);
      }
      this.#entered[state * width + q] = this.#nodeOf[at];
    }
    this.#firstNode.push(this.#nodes);
  }

  /** The end node of a run that ends with the automaton in q. */
  #ended(q: number): number {
    return brokenAtEnd(this.automaton, q, this.#atEnd) ? BROKEN : WELL;
  }

  /** Rows of all nodes of the given states, in the order of nodes. */
  #rows(chain: LiveRows, states: readonly number[]): RowUpdate {
    const width = this.automaton.states;
    const rows = this.#written;
    rows.clear();
    for (const state of states) {
      const { size, targets, values } = chain.row(state);
      for (let node = this.#firstNode[state]; node < this.#firstNode[state + 1]; node++) {
        const q = this.#automatonState[node];
        const isOpen = this.automaton.verdict[q] === OPEN;
        rows.begin(node, size);
        if (!isOpen) rows.push(node, 1);
        else if (size === 0) {
          this.#withoutData = true;
          rows.push(UNKNOWN, 1);
        } else {
          for (let i = 0; i < size; i++) {
            const t = targets[i];
            rows.push(t > 0 ? this.#entered[t * width + q] : this.#ended(q), values[i]);
          }
        }
      }
    }
    return rows.finish();
  }

  /** Adds nodes with all their rows; violated nodes are targets. */
  #add(solver: KernelSolver, { rows, rowStart, columns, values }: RowUpdate): Resolved {
    const isViolated = (i: number): boolean =>
      this.automaton.verdict[this.#automatonState[rows[i]]] === VIOLATED;
    const target = BitSet.where(rows.length, isViolated);
    return solver.addStates({ remain: BitSet.full(rows.length), target, rowStart, columns, values });
  }
}

/** Copies an array to a larger one, with -1 in the new entries. */
function grownByNone(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  return (grown(array, length) as Int32Array<ArrayBuffer>).fill(-1, array.length);
}

/** A buffer for product rows; finished rows are valid until it is cleared. */
class ProductRows {
  #count = 0;
  #size = 0;
  #rows = new Uint32Array(1024);
  #rowStart = new Uint32Array(1025);
  #columns = new Uint32Array(4096);
  #values = new Float64Array(4096);

  clear(): void {
    this.#count = 0;
    this.#size = 0;
  }

  /** Begins the row of a node, with at most max(`size`, 1) entries. */
  begin(node: number, size: number): void {
    if (this.#count === this.#rows.length) {
      this.#rows = grown(this.#rows, 2 * this.#count);
      this.#rowStart = grown(this.#rowStart, 2 * this.#count + 1);
    }
    const needed = this.#size + size + 1;
    if (needed > this.#columns.length) {
      this.#columns = grown(this.#columns, 2 * needed);
      this.#values = grown(this.#values, 2 * needed);
    }
    this.#rows[this.#count++] = node;
    this.#rowStart[this.#count] = this.#size;
  }

  push(column: number, value: number): void {
    this.#columns[this.#size] = column;
    this.#values[this.#size++] = value;
    this.#rowStart[this.#count] = this.#size;
  }

  finish(): RowUpdate {
    return {
      rows: this.#rows.subarray(0, this.#count),
      rowStart: this.#rowStart.subarray(0, this.#count + 1),
      columns: this.#columns.subarray(0, this.#size),
      values: this.#values.subarray(0, this.#size),
    };
  }
}
