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

/** A chain that grows and changes: states are numbered from 1 for good; 0 is the start as a state, and the end as a target. */
export interface LiveRows {
  readonly states: number;
  /** The row of a state, targets ascending; read before the next call. Empty: a state without data. */
  row(state: number): {
    readonly size: number;
    readonly targets: ArrayLike<number>;
    readonly values: ArrayLike<number>;
  };
  /** Valuations of the states, that of state s at index s - 1. */
  readonly space: { readonly words: number; readonly valuations: Uint32Array };
}

/** How a live risk is solved. */
export type LiveOptions = Pick<SolveOptions, 'precision' | 'relative' | 'method' | 'maxIterations'>;

/** What came of an update: states of the product that were added, rows of it replaced, and states solved again. */
export interface LiveUpdate {
  readonly added: number;
  readonly replaced: number;
  readonly solved: number;
}

/** Nodes that every product has: runs that ended well, those that ended in violation, and what nobody knows. */
const [WELL, BROKEN, UNKNOWN] = [0, 1, 2];
const FIXED = 3;

/**
 * Bounds on the probability that a run of a changing chain violates a rule, from every state of their product: those of
 * `violationRisk` on the chain as it is, at the same precision. Only what a change reaches is solved again; new states extend the
 * product. That a strong rule is judged at all is for the caller to see to.
 *
 * Nodes are numbered as chain states are, behind those of the end, so that a row copies its chain row entry by entry, columns
 * ascending. States without data lead to a node of their own, which never violates the rule for the lower bounds, and always for
 * the upper ones: in a second solver, kept from when the first such state is met.
 */
export class LiveViolationRisk {
  readonly automaton: Automaton;
  readonly #atEnd: AtEnd;
  readonly #options: LiveOptions;
  readonly #stepper: Stepper;
  /** Automaton states in which a run can enter a state with the rule undecided. */
  readonly #entering: readonly number[];
  /** At s * automaton.states + q: the node of state s with the automaton in q; and that which is entered from q. -1: none. */
  #nodeOf = new Int32Array(0);
  #entered = new Int32Array(0);
  #nodes = FIXED;
  /** Per state its first node, and behind them all how many there are; the nodes of a state follow each other. */
  readonly #firstNode: number[] = [FIXED, FIXED];
  /** Per node; those of the end have none. */
  readonly #automatonState: number[] = Array.from({ length: FIXED }, () => -1);
  readonly #written = new ProductRows();
  readonly #never: KernelSolver;
  #always: KernelSolver | undefined;
  #withoutData = false;

  /**
   * @param predicates names in the order of the bits of valuations.
   * @param options precision 1e-6, absolute, where omitted.
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
   * Takes over states after the first `before`, and rows of those in `changed`, which ascend.
   * @throws NotConvergedError as the solver: what is known is of no use then
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

  /** Bounds in a chain state with the automaton in a state; 0 to 1 where the product has no such state. */
  at(state: number, automatonState: number): Bounds<number> {
    const verdict = this.automaton.verdict[automatonState];
    if (verdict === VIOLATED) return { lower: 1, upper: 1 };
    if (verdict === SATISFIED) return { lower: 0, upper: 0 };
    const node = this.#nodeOf[state * this.automaton.states + automatonState] ?? -1;
    return node < 0 ? { lower: 0, upper: 1 } : this.#boundsOf(node);
  }

  /** Before the first step: the mean over the first states; 0 to 1 where there are none. */
  start(chain: LiveRows): Bounds<number> {
    const { size, targets, values } = chain.row(0);
    if (size === 0) return { lower: 0, upper: 1 };
    const { initial } = this.automaton;
    const bounds = Array.from({ length: size }, (_, i) =>
      this.#boundsOf(
        targets[i] > 0 ? this.#entered[targets[i] * this.automaton.states + initial] : this.#ended(initial),
      ),
    );
    // Row 0 of a chain whose state 0 is the start, and the others its successors.
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

  /** Gives its memory back; once. */
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

  /** Gives a state its nodes: one for each automaton state that a run can be in after it. */
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

  /** The node in which a run ends with the automaton in q. */
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

  /** Adds nodes with all their rows; violated ones are targets. */
  #add(solver: KernelSolver, { rows, rowStart, columns, values }: RowUpdate): Resolved {
    const isViolated = (i: number): boolean =>
      this.automaton.verdict[this.#automatonState[rows[i]]] === VIOLATED;
    const target = BitSet.where(rows.length, isViolated);
    return solver.addStates({ remain: BitSet.full(rows.length), target, rowStart, columns, values });
  }
}

/** The same with -1 in the entries that are new. */
function grownByNone(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  return (grown(array, length) as Int32Array<ArrayBuffer>).fill(-1, array.length);
}

/** Rows of a product while they are written; what was finished is valid until they are cleared. */
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

  /** Begins the row of a node, of at most `size` entries or one. */
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
