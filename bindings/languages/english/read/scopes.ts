import type { Formula } from '../../logic/index.js';
import { and, binary, implies, not, or } from '../core/index.js';
import type { Tree } from '../grammar/chart.js';
import { chainClaim } from './chains.js';
import type { Choices } from './choices.js';
import { conditionAt } from './conditions.js';
import { finallyHolds as F, globally as G } from './visits.js';

const U = (one: Formula, other: Formula): Formula => binary('U', one, other);
const W = (one: Formula, other: Formula): Formula => binary('W', one, other);

/** A claim without an end of its scope, and up to one; `W` where the scope need not end. */
interface Claim {
  readonly everywhere: Formula;
  upTo(until: 'U' | 'W', end: Formula): Formula;
}

/** `scope SCOPE CLAIM`: the patterns of Dwyer, Avrunin and Corbett (1999) in their scopes. */
export function scoped([, scope, claim]: readonly Tree[], choices: Choices): Formula {
  const [where, ...ends] = scope as readonly Tree[];
  const [one, other] = ends.map(conditionAt);
  const kind = (claim as readonly Tree[])[0] as string;
  const { everywhere, upTo } = claimOf(claim as readonly Tree[]);
  switch (where) {
    case 'globally':
      return everywhere;
    case 'before':
      if (kind === 'existence') return upTo('U', one);
      return choices.pick('scopeEnd', ['closed', 'open']) === 'closed'
        ? implies(F(one), upTo('U', one))
        : upTo('W', one);
    case 'after': {
      const isOnce = /^(existence|bounded|precedence)/.test(kind);
      const way = isOnce ? choices.pick('first', ['first', 'every', 'some']) : 'every';
      if (way === 'every') return G(implies(one, everywhere));
      const start = and(one, everywhere);
      return or(G(not(one)), way === 'first' ? U(not(one), start) : F(start));
    }
    case 'between':
      return G(implies(and(and(one, not(other)), F(other)), upTo('U', other)));
    default:
      return G(implies(and(one, not(other)), upTo('W', other)));
  }
}

function claimOf(claim: readonly Tree[]): Claim {
  const chain = chainClaim(claim);
  if (chain !== null) return chain;
  const [kind, ...parts] = claim;
  const [p, s] = parts.map(conditionAt);
  return {
    everywhere: everywhere(kind as string, p, s),
    upTo: (until, end) => upTo(until, kind as string, p, s, end),
  };
}

function everywhere(kind: string, p: Formula, s: Formula): Formula {
  switch (kind) {
    case 'absence':
      return G(not(p));
    case 'universality':
      return G(p);
    case 'existence':
      return F(p);
    case 'response':
      return G(implies(p, F(s)));
    default:
      return W(not(p), s);
  }
}

/** What holds from a step up to the next at which the scope ends; `W` where it need not end. */
function upTo(until: 'U' | 'W', kind: string, p: Formula, s: Formula, end: Formula): Formula {
  const upToEnd = (formula: Formula): Formula => binary(until, formula, end);
  switch (kind) {
    case 'absence':
      return upToEnd(not(p));
    case 'universality':
      return upToEnd(p);
    case 'existence':
      return until === 'U' ? W(not(end), and(p, not(end))) : U(not(end), and(p, not(end)));
    case 'response':
      return upToEnd(implies(p, U(not(end), and(s, not(end)))));
    default:
      return binary(until, not(p), or(s, end));
  }
}
