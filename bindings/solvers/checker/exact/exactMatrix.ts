import { Rational } from '../../../base/rational.js';
import type { Csr } from '../../kernel/index.js';
import type { Dtmc, Mdp } from '../../model/index.js';
import type { ExactSubject } from './exactQuantities.js';
import { type ExactRow, exactRow } from './exactRow.js';

/** Choices of a state, one in a chain. */
export type ChoicesOf = (state: number) => readonly ExactRow[];

/** The rows of a chain or a decision process in whole numbers. */
export class ExactMatrix {
  readonly states: number;
  /** Whether some entry has no fraction other than the exact value of its double. */
  readonly fromDoubles: boolean;
  readonly warnings: readonly string[];
  readonly #choices: ExactRow[][] = [];
  readonly #rowGroupStart: Uint32Array | undefined;
  readonly #fractions: ExactSubject['exactValues'];

  constructor(
    readonly model: Dtmc | Mdp,
    fractions: ExactSubject['exactValues'],
  ) {
    this.#fractions = fractions;
    this.states = model.states;
    this.#rowGroupStart = model.type === 'mdp' ? model.rowGroupStart : undefined;
    this.fromDoubles = model.values.some((value, i) => fractions?.[i] === undefined && value !== 1);
    this.warnings = fractions ? [...this.#missedSums()] : [];
  }

  /** The choices of a state, in order, made on first use. */
  readonly choicesOf: ChoicesOf = (state) => {
    let rows = this.#choices[state];
    if (rows === undefined) {
      rows = [];
      for (let row = this.firstRow(state); row < this.firstRow(state + 1); row++) {
        rows.push(exactRow(this.model, row, state, this.#fractions));
      }
      this.#choices[state] = rows;
    }
    return rows;
  };

  /** Index of the first row of a state. */
  firstRow(state: number): number {
    return this.#rowGroupStart === undefined ? state : this.#rowGroupStart[state];
  }

  /** The given probability of an entry of the matrix. */
  entry(i: number): Rational {
    return this.#fractions?.[i] ?? Rational.fromDouble(this.model.values[i]);
  }

  /** Warnings about source fractions that do not sum to 1; for doubles that is normal. */
  *#missedSums(): Generator<string> {
    const { rowStart }: Csr = this.model;
    let rows = 0;
    let example = '';
    for (let s = 0; s < this.states; s++) {
      for (let r = this.firstRow(s); r < this.firstRow(s + 1); r++) {
        let sum = Rational.ZERO;
        let known = true;
        for (let i = rowStart[r]; i < rowStart[r + 1]; i++) {
          known &&= this.#fractions?.[i] !== undefined;
          if (known) sum = sum.plus(this.entry(i));
        }
        if (!known || sum.compare(Rational.ONE) === 0) continue;
        if (rows++ === 0) example = `state ${s}: ${sum}`;
      }
    }
    if (rows === 0) return;
    yield `${rows} rows do not sum to exactly 1 (${example}): what is missing counts as staying, and rows above 1 are divided by their sum`;
  }
}
