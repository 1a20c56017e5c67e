import type { Csr } from '../../kernel/index.js';
import { dyadic } from '../../rational.js';

/** A row of the chain that the doubles define: P(s, t) is a whole number over the row's total. */
export interface ExactRow {
  /** Weights of the moves that leave the state, by target. */
  readonly leaving: ReadonlyMap<number, bigint>;
  /** What they sum to. */
  readonly exit: bigint;
  /** `exit` and the weight to stay; a row whose entries off the diagonal sum to more than 1 is divided by that sum. */
  readonly total: bigint;
}

export function exactRow({ rowStart, columns, values }: Csr, s: number): ExactRow {
  const entries: { target: number; numerator: bigint; exponent: number }[] = [];
  for (let i = rowStart[s]; i < rowStart[s + 1]; i++) {
    if (columns[i] !== s && values[i] > 0) entries.push({ target: columns[i], ...dyadic(values[i]) });
  }
  const scale = Math.max(0, ...entries.map(({ exponent }) => exponent));
  const leaving = new Map<number, bigint>();
  let exit = 0n;
  for (const { target, numerator, exponent } of entries) {
    const weight = numerator << BigInt(scale - exponent);
    leaving.set(target, weight);
    exit += weight;
  }
  const one = 1n << BigInt(scale);
  return { leaving, exit, total: exit > one ? exit : one };
}
