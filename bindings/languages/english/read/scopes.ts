import type { Formula } from '../../logic/index.js';
import { and, binary, implies, not, or } from '../core/index.js';
import type { Tree } from '../grammar/chart.js';
import type { Choices } from './choices.js';
import { conditionAt } from './conditions.js';
import { finallyHolds as F, globally as G } from './visits.js';

const U = (one: Formula, other: Formula): Formula => binary('U', one, other);
const W = (one: Formula, other: Formula): Formula => binary('W', one, other);

/** `scope SCOPE CLAIM`: the patterns of Dwyer, Avrunin and Corbett (1999), absence to precedence, in their scopes. */
export function scoped([, scope, claim]: readonly Tree[], choices: Choices): Formula {
  const [where, ...ends] = scope as readonly Tree[];
  const [one, other] = ends.map(conditionAt);
  const [kind, ...parts] = claim as readonly Tree[];
  const [p, s] = parts.map(conditionAt);
  switch (where) {
    case 'globally':
      return everywhere(kind as string, p, s);
    case 'before':
      return before(kind as string, p, s, one, choices);
    case 'after': {
      const inside = everywhere(kind as string, p, s);
      const first = kind === 'existence' || kind === 'precedence';
      if (first && choices.pick('first', ['first', 'every']) === 'first')
        return or(G(not(one)), F(and(one, inside)));
      return G(implies(one, inside));
    }
    case 'between':
      return G(implies(and(and(one, not(other)), F(other)), upTo('U', kind as string, p, s, other)));
    default:
      return G(implies(and(one, not(other)), upTo('W', kind as string, p, s, other)));
  }
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

function before(kind: string, p: Formula, s: Formula, r: Formula, choices: Choices): Formula {
  if (kind === 'existence') return W(not(r), and(p, not(r)));
  const closed = choices.pick('scopeEnd', ['closed', 'open']) === 'closed';
  return closed ? implies(F(r), upTo('U', kind, p, s, r)) : upTo('W', kind, p, s, r);
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
