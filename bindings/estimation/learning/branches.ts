import { InvalidArgumentError } from '../../base/errors.js';
import { grown } from '../../base/grown.js';

/** Rows of a learnt chain under construction: each branch's target, probability, count and first draw. */
export class Branches {
  #size = 0;
  #columns = new Uint32Array(1024);
  #values = new Float64Array(1024);
  #counts = new Float64Array(1024);
  #firstDraws = new Float64Array(1024);
  readonly #limit: number;
  readonly #states: number;

  /**
   * @param limit maximal number of branches.
   * @param states number of states of the chain, for the error message.
   */
  constructor(limit: number, states: number) {
    this.#limit = limit;
    this.#states = states;
  }

  get size(): number {
    return this.#size;
  }

  /** @throws InvalidArgumentError beyond the limit, with the count and a remedy */
  push(column: number, value: number, count: number, firstDraw: number): void {
    const at = this.#size++;
    if (at >= this.#limit) throw this.#tooMany();
    if (at === this.#columns.length) this.#grow();
    this.#columns[at] = column;
    this.#values[at] = value;
    this.#counts[at] = count;
    this.#firstDraws[at] = firstDraw;
  }

  /** The arrays, trimmed to size. */
  finish(): Record<'values' | 'counts' | 'firstDraws', Float64Array> & { columns: Uint32Array } {
    return {
      columns: this.#columns.slice(0, this.#size),
      values: this.#values.slice(0, this.#size),
      counts: this.#counts.slice(0, this.#size),
      firstDraws: this.#firstDraws.slice(0, this.#size),
    };
  }

  #grow(): void {
    const capacity = Math.min(2 * this.#columns.length, Math.max(this.#limit, 1024));
    this.#columns = grown(this.#columns, capacity);
    this.#values = grown(this.#values, capacity);
    this.#counts = grown(this.#counts, capacity);
    this.#firstDraws = grown(this.#firstDraws, capacity);
  }

  #tooMany(): InvalidArgumentError {
    const count = (n: number): string => n.toLocaleString('en');
    return new InvalidArgumentError(
      `the chain has more than ${count(this.#limit)} transitions, the limit: up to ${count(this.#states ** 2)} between ${count(this.#states)} states. ` +
        'Smoothing gives a probability to every transition that the constraints allow: use smoothing: 0, states: observed, ' +
        'a tighter constraints.transition or fewer predicates, or raise maxTransitions',
    );
  }
}
