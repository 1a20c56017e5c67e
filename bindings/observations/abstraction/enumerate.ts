import { InvalidArgumentError } from '../../base/errors.js';
import type { ValuationConstraint } from './constraint.js';
import { ValuationTable } from './valuationTable.js';

/**
 * Enumerates the valuations of `predicates` that satisfy `constraint` (absent: all 2^k), by backtracking: predicates are assigned one after
 * another, and the constraint is evaluated in three-valued logic on the partial assignment. Predicates that it mentions come first, so that
 * a dead end is not repeated for each value of the others.
 *
 * @throws InvalidArgumentError if there are more than `limit`
 */
export function enumerateValuations(
  predicates: readonly string[],
  constraint: ValuationConstraint | undefined,
  limit: number,
): ValuationTable {
  const table = new ValuationTable(Math.max(1, Math.ceil(predicates.length / 32)));
  const valuation = new Uint32Array(table.words);
  const decided = new Map<string, boolean>();
  const lookup = (name: string): boolean | undefined => decided.get(name);
  const mentioned = new Set(constraint?.mentioned);
  const order = [...mentioned, ...predicates.filter((name) => !mentioned.has(name))];
  const bits = new Map(predicates.map((name, i) => [name, i]));

  const decide = (depth: number, settled: boolean): void => {
    if (constraint && !settled) {
      const verdict = constraint.partially(lookup);
      if (verdict === false) return;
      settled = verdict === true;
    }
    if (depth === order.length) {
      if (table.size === limit) throw tooMany(limit, predicates.length);
      table.insert(valuation);
      return;
    }
    const name = order[depth];
    const i = bits.get(name)!;
    for (const value of [false, true]) {
      decided.set(name, value);
      if (value) valuation[i >>> 5] |= 1 << (i & 31);
      else valuation[i >>> 5] &= ~(1 << (i & 31));
      decide(depth + 1, settled);
    }
    valuation[i >>> 5] &= ~(1 << (i & 31));
    decided.delete(name);
  };
  decide(0, constraint === undefined);
  return table;
}

function tooMany(limit: number, predicates: number): InvalidArgumentError {
  return new InvalidArgumentError(
    `the constraint on states allows more than the ${limit.toLocaleString('en')} valuations of ${predicates} predicates counted ` +
      'so far, the limit; write a tighter constraints.state, use the states observed (states: observed), or raise the limit',
  );
}
