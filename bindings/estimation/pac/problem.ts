import {
  type AtEnd,
  type Automaton,
  bindAutomaton,
  brokenAtEnd,
  OPEN,
  SATISFIED,
  statesAfterWords,
  VIOLATED,
} from '../../languages/automaton/index.js';
import type { ChainView } from '../../solvers/checker/index.js';
import { BitSet } from '../../solvers/kernel/index.js';
import type { DrawnRows } from './drawnRows.js';

/** An entry that stands for all successors not seen. */
export const UNSEEN = -1;

/**
 * The problem of reaching a bad set of nodes whose rows are copies of drawn rows. One drawn row may feed many nodes, as a chain state does
 * in a product with a rule's automaton. Each copy has the entries of its drawn row, in order, with targets of its own; if successors are
 * not known, it has one more entry, which leads to `unseen`.
 */
export interface CertificateProblem {
  readonly rows: DrawnRows;
  readonly nodes: number;
  /** Uint32Array(nodes + 1): the rows of a node, its choices. A chain has one row per node. */
  readonly rowGroupStart: Uint32Array;
  /** Int32Array: the drawn row that each row copies, or -1 for a row with a single certain successor, such as that of an absorbing node. */
  readonly source: Int32Array;
  /** Uint32Array(rows + 1). */
  readonly rowStart: Uint32Array;
  /** Uint32Array(entries): target nodes, ascending within a row. */
  readonly columns: Uint32Array;
  /** Int32Array(entries): the entry of the drawn row, or `UNSEEN`; -1 in rows that copy none. */
  readonly entry: Int32Array;
  /** The nodes in which the bad event has occurred. */
  readonly violated: BitSet;
  /** The nodes in which it can no longer occur. */
  readonly safe: BitSet;
  /** The target of unseen outcomes: anything may follow. */
  readonly unseen: number;
  /** The node before the first step. It is not a position: the move to the first position is not a step of a horizon. */
  readonly start: number;
}

/** A rule's product, with the nodes of its states. */
export interface RuleProblem extends CertificateProblem {
  readonly automaton: Automaton;
  /** Int32Array(model states * automaton states): the node of (s, q) at s * automaton.states + q, or -1 if no word leads to q in s. */
  readonly nodeOf: Int32Array;
}

/**
 * Builds the product of a chain's or decision process's drawn rows with the automaton of a rule, from every state with every automaton
 * state that some word ending in its valuation leads to. `end` is a violation iff the automaton is open, the rule is strong, and the
 * automaton does not accept.
 */
export function ruleProblem(
  rows: DrawnRows,
  {
    states,
    start,
    end,
    predicates,
    words,
    valuations,
  }: Omit<ChainView, 'rowStart' | 'columns' | 'values' | 'draws'>,
  automaton: Automaton,
  atEnd: AtEnd,
): RuleProblem {
  const stepper = bindAutomaton(automaton, predicates);
  const width = automaton.states;
  const nodeOf = new Int32Array(states * width).fill(-1);
  const entered = [automaton.initial, ...statesAfterWords(automaton)];
  for (let s = 0; s < states; s++) {
    if (s === start || s === end) continue;
    for (const q of entered) nodeOf[s * width + stepper.step(q, valuations, s * words)] = 0;
  }
  const chainState: number[] = [];
  const automatonState: number[] = [];
  for (let i = 0; i < nodeOf.length; i++) {
    if (nodeOf[i] < 0) continue;
    nodeOf[i] = chainState.length;
    chainState.push(Math.floor(i / width));
    automatonState.push(i % width);
  }
  const open = chainState.length;
  const [endedWell, endedBadly, unseen] = [open, open + 1, open + 2];
  const nodes = open + 4;
  const builder = new RowBuilder(nodes);
  const violated = BitSet.of(nodes, [endedBadly]);
  const safe = BitSet.of(nodes, [endedWell]);
  const targetFrom =
    (q: number) =>
    (t: number): number => {
      if (t !== end) return nodeOf[t * width + stepper.step(q, valuations, t * words)];
      return brokenAtEnd(automaton, q, atEnd) ? endedBadly : endedWell;
    };
  for (let node = 0; node < open; node++) {
    const q = automatonState[node];
    const verdict = automaton.verdict[q];
    if (verdict === VIOLATED) violated.add(node);
    if (verdict === SATISFIED) safe.add(node);
    if (verdict === OPEN) builder.copy(rows, chainState[node], targetFrom(q), unseen);
    else builder.stay(node);
  }
  builder.stay(endedWell);
  builder.stay(endedBadly);
  builder.stay(unseen);
  builder.copy(rows, start, targetFrom(automaton.initial), unseen);
  return { ...builder.finish(rows, violated, safe, unseen), automaton, nodeOf };
}

/** The drawn rows of a model's state: the first, and the one after the last. */
export function rowsOf({ rowGroupStart }: DrawnRows, state: number): readonly [first: number, end: number] {
  return rowGroupStart === undefined ? [state, state + 1] : [rowGroupStart[state], rowGroupStart[state + 1]];
}

/** Builds the rows of a problem, node by node. */
export class RowBuilder {
  readonly #rowGroupStart: number[] = [0];
  readonly #source: number[] = [];
  readonly #rowStart: number[] = [0];
  readonly #columns: number[] = [];
  readonly #entry: number[] = [];
  readonly #nodes: number;

  constructor(nodes: number) {
    this.#nodes = nodes;
  }

  /** Adds an absorbing node. */
  stay(node: number): void {
    this.move(node);
  }

  /** Adds a node with a single certain successor, without draws. */
  move(target: number): void {
    this.#push(target, -1);
    this.#closeRow(-1);
    this.#closeNode();
  }

  /** Adds a node with copies of the drawn rows of a state; `targetOf` maps successors and keeps their order. */
  copy(rows: DrawnRows, state: number, targetOf: (successor: number) => number, unseen: number): void {
    const [first, end] = rowsOf(rows, state);
    for (let row = first; row < end; row++) {
      for (let e = rows.rowStart[row]; e < rows.rowStart[row + 1]; e++)
        this.#push(targetOf(rows.columns[e]), e);
      if (!rows.known || rows.rowStart[row] === rows.rowStart[row + 1]) this.#push(unseen, UNSEEN);
      this.#closeRow(row);
    }
    this.#closeNode();
  }

  /** The problem; its start is the last node. */
  finish(rows: DrawnRows, violated: BitSet, safe: BitSet, unseen: number): CertificateProblem {
    return {
      rows,
      nodes: this.#nodes,
      violated,
      safe,
      unseen,
      start: this.#nodes - 1,
      rowGroupStart: Uint32Array.from(this.#rowGroupStart),
      source: Int32Array.from(this.#source),
      rowStart: Uint32Array.from(this.#rowStart),
      columns: Uint32Array.from(this.#columns),
      entry: Int32Array.from(this.#entry),
    };
  }

  #push(target: number, entry: number): void {
    if (!(target >= 0 && target < this.#nodes)) throw new RangeError(`there is no node ${target}`);
    this.#columns.push(target);
    this.#entry.push(entry);
  }

  #closeRow(source: number): void {
    this.#source.push(source);
    this.#rowStart.push(this.#columns.length);
  }

  #closeNode(): void {
    this.#rowGroupStart.push(this.#source.length);
  }
}
