import { BitSet } from '../../../bindings/solvers/kernel/bitSet.js';
import { type ReferenceMdp, staysIn } from './mdp.js';

/**
 * What is left of an MDP while states and rows are taken away: a row goes when one of its successors does, a state when its
 * last row does, unless it is spared.
 */
export class Remainder {
  readonly states: BitSet;
  /** Rows left. A state taken by `takeState` alone keeps its own, which nobody comes to take. */
  readonly rows: BitSet;
  /** How many rows each state has left. */
  readonly choices: Uint32Array;
  private readonly mdp: ReferenceMdp;
  private readonly spared: BitSet;
  /** States taken whose predecessors have not been told. */
  private readonly taken: number[] = [];

  /** The part on `subset` that rows among `rows` cannot leave. */
  constructor(mdp: ReferenceMdp, subset: BitSet, rows: BitSet, spared: BitSet) {
    this.mdp = mdp;
    this.spared = spared;
    this.states = subset.clone();
    this.choices = new Uint32Array(mdp.states);
    this.rows = BitSet.where(
      rows.size,
      (row) => rows.has(row) && subset.has(mdp.stateOf[row]) && staysIn(mdp, row, subset),
    );
    for (const row of this.rows) this.choices[mdp.stateOf[row]]++;
    for (const s of subset) if (this.choices[s] === 0 && !spared.has(s)) this.takeState(s);
    this.settle();
  }

  takeState(s: number): void {
    this.states.delete(s);
    this.taken.push(s);
  }

  takeRow(row: number): void {
    const s = this.mdp.stateOf[row];
    this.rows.delete(row);
    if (this.states.has(s) && --this.choices[s] === 0 && !this.spared.has(s)) this.takeState(s);
  }

  /** Takes all rows into states taken, and the states that lose their last row by it. */
  settle(): void {
    const { predecessors } = this.mdp;
    for (let t = this.taken.pop(); t !== undefined; t = this.taken.pop()) {
      for (const row of predecessors[t]) if (this.rows.has(row)) this.takeRow(row);
    }
  }
}
