import type { Formula } from '../../logic/index.js';
import { and, binary, implies, not, or, unary } from '../core/index.js';
import type { Tree } from '../grammar/chart.js';
import { conditionAt } from './conditions.js';
import { stretches } from './count.js';
import { finallyHolds as F, globally as G } from './visits.js';

const U = (one: Formula, other: Formula): Formula => binary('U', one, other);
const X = (formula: Formula): Formula => unary('X', formula);

/** A claim about one thing and another after it, or about how often, without and with an end of its scope. */
interface ChainClaim {
  readonly everywhere: Formula;
  /** Up to the next step at which the scope ends; `W` where it need not end. */
  upTo(until: 'U' | 'W', end: Formula): Formula;
}

/** The patterns of Dwyer, Avrunin and Corbett (1999) with chains, and bounded existence; null for another kind. */
export function chainClaim(claim: readonly Tree[]): ChainClaim | null {
  const [kind, one, two, three] = claim;
  if (kind === 'bounded') return bounded(conditionAt(one), two as number);
  if (kind !== 'response12' && kind !== 'response21' && kind !== 'precedence21' && kind !== 'precedence12')
    return null;
  const [s, t] = (two as readonly Tree[]).map(conditionAt);
  const p = conditionAt(one);
  if (kind === 'response12') return response12(p, s, t, (three ?? null) === null ? null : conditionAt(three));
  return { response21, precedence21, precedence12 }[kind](p, s, t);
}

function bounded(p: Formula, n: number): ChainClaim {
  return {
    everywhere: not(stretches(p, n + 1)),
    upTo(until, end) {
      const inScope = (formula: Formula, rest: Formula): Formula => U(and(formula, not(end)), or(end, rest));
      let rest = until === 'U' ? U(not(p), end) : or(binary('W', not(p), end), G(p));
      for (let i = 0; i < n; i++) rest = inScope(not(p), inScope(p, rest));
      return rest;
    },
  };
}

/** p is followed by s and after it t, without `none` from s up to t. */
function response12(p: Formula, s: Formula, t: Formula, none: Formula | null): ChainClaim {
  const free = (formula: Formula): Formula => (none === null ? formula : and(formula, not(none)));
  return {
    everywhere: G(implies(p, F(and(free(s), X(none === null ? F(t) : U(not(none), t)))))),
    upTo(until, end) {
      const chain = and(free(and(s, not(end))), X(U(free(not(end)), t)));
      return binary(until, implies(p, U(not(end), chain)), end);
    },
  };
}

/** s and after it t are followed by p. */
function response21(p: Formula, s: Formula, t: Formula): ChainClaim {
  return {
    everywhere: G(implies(and(s, X(F(t))), X(F(and(t, F(p)))))),
    upTo(until, end) {
      const inScope = (formula: Formula): Formula => U(not(end), formula);
      const answered = X(inScope(and(and(t, not(end)), inScope(and(p, not(end))))));
      return binary(until, implies(and(s, X(inScope(and(t, not(end))))), answered), end);
    },
  };
}

/** s and after it t come before p. */
function precedence21(p: Formula, s: Formula, t: Formula): ChainClaim {
  const chain = and(and(s, not(p)), X(U(not(p), t)));
  return {
    everywhere: implies(F(p), U(not(p), chain)),
    upTo: (until, end) => {
      const kept = U(not(p), or(end, chain));
      return until === 'U' ? kept : implies(F(p), kept);
    },
  };
}

/** p comes before s and after it t. */
function precedence12(p: Formula, s: Formula, t: Formula): ChainClaim {
  return {
    everywhere: implies(F(and(s, X(F(t)))), U(not(s), p)),
    upTo: (until, end) =>
      binary(until, not(and(and(s, not(end)), X(U(not(end), and(t, not(end)))))), or(end, p)),
  };
}
