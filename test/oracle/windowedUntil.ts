import type { BitSet } from '../../bindings/solvers/kernel/index.js';
import type { ExactChain } from './chain.js';
import { Rational } from './rational.js';

/** P(remain U[from, to] target) of every state, position for position as the definition says; `to` null is unbounded. */
export function exactWindowedUntil(
  chain: ExactChain,
  remain: BitSet,
  target: BitSet,
  from: number,
  to: number | null,
): Rational[] {
  let values =
    to === null
      ? chain.until(remain, target)
      : chain.rows.map((_, s) => (target.has(s) ? Rational.ONE : Rational.ZERO));
  for (let i = (to ?? from) - 1; i >= 0; i--) {
    const later = values;
    values = chain.rows.map((row, s) => {
      if (i >= from && target.has(s)) return Rational.ONE;
      if (!remain.has(s)) return Rational.ZERO;
      return [...row].reduce((sum, [t, p]) => sum.plus(p.times(later[t])), Rational.ZERO);
    });
  }
  return values;
}
