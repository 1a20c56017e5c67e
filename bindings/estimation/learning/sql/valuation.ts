import type { SqlDialect } from '../../../languages/expression/index.js';

/** Maximal number of predicates that fit into the bits of a number. */
const MAX_BITS = 62;
/** Maximal number of predicates for a smaller type, to save memory. */
const SMALL_BITS = 30;

/** Codes beside valuations in the columns of states: the start of a trace, its end, and a cut. */
export type Outside = 'start' | 'end' | 'cut';

const CODES: Readonly<Record<Outside, number>> = { start: -1, end: -2, cut: -3 };

/** Codes of valuations in SQL: a number with predicate i as bit i, or a text of 0 and 1 if there are many predicates. */
export class ValuationCode {
  readonly #predicates: number;
  readonly #dialect: SqlDialect;

  constructor(predicates: number, dialect: SqlDialect) {
    this.#predicates = predicates;
    this.#dialect = dialect;
  }

  get #isNumber(): boolean {
    return this.#predicates <= MAX_BITS;
  }

  get #type(): string {
    if (!this.#isNumber) return this.#dialect.varchar;
    return this.#predicates <= SMALL_BITS ? 'INTEGER' : 'BIGINT';
  }

  /** The code of truth values, none of them NULL. */
  of(truths: readonly string[]): string {
    if (!this.#isNumber)
      return truths.map((truth) => `CASE WHEN ${truth} THEN '1' ELSE '0' END`).join(' || ');
    const bits = truths.map((truth, i) => `CASE WHEN ${truth} THEN ${2n ** BigInt(i)} ELSE 0 END`);
    return `CAST(${['0', ...bits].join(' + ')} AS ${this.#type})`;
  }

  outside(what: Outside): string {
    return this.#isNumber ? `CAST(${CODES[what]} AS ${this.#type})` : `'${what}'`;
  }

  /** NULL with the type of codes. */
  get null(): string {
    return `CAST(NULL AS ${this.#type})`;
  }

  /** Whether predicate i holds in a code. */
  holds(code: string, i: number): string {
    return this.#isNumber ? `((${code} & ${2n ** BigInt(i)}) <> 0)` : `(substr(${code}, ${i + 1}, 1) = '1')`;
  }

  /** Reads a code that the statement returned; writes it into `words` if it is a valuation. */
  read(code: unknown, words: Uint32Array): Outside | 'valuation' {
    const text = String(code);
    const outside = (['start', 'end', 'cut'] as const).find(
      (what) => text === (this.#isNumber ? String(CODES[what]) : what),
    );
    if (outside !== undefined) return outside;
    words.fill(0);
    const bits = this.#isNumber
      ? BigInt(text).toString(2).padStart(this.#predicates, '0').split('').reverse().join('')
      : text;
    for (let i = 0; i < this.#predicates; i++) {
      if (bits[i] === '1') words[i >>> 5] |= 1 << (i & 31);
    }
    return 'valuation';
  }
}
