import { FALSE, type LtlTerms, type Term, TRUE } from './terms.js';

/**
 * What is guessed of the unbounded operators of a formula in the long run: which untils hold again and again, and which
 * releases hold from some point on. The guess is right if all of `often` hold again and again, and `always` from now on; then a
 * rest of the formula holds if `rest` of it does. All of `rest` and `always` are safe, all of `often` co-safe.
 */
export interface Guess {
  readonly often: readonly Term[];
  readonly always: Term;
  rest(term: Term): Term;
}

/**
 * Guesses of which, for every word and every formula with the operators of `formulas`, one is right from some point on and its
 * `rest` of what is left of the formula holds, iff the word satisfies the formula. Those that no word can bear out are left out.
 *
 * Of a set X of untils and a set Y of releases: a rest φ holds if φ[X] does, where untils in X are weakened to `W` and others are
 * false; for each `a U b` in X, GF b[Y] confirms it, where releases in Y are true and others strengthened to `M`; for each `a R b`
 * in Y, FG b[X]. Only releases below untils of X matter in Y.
 *
 * @see Esparza, Křetínský, Sickert (2018), doi:10.1145/3209108.3209161, theorem 3.8
 */
export function* guesses(terms: LtlTerms, formulas: Iterable<Term>): Generator<Guess> {
  const all = subterms(terms, formulas);
  const untils = all.filter((term) => isUnbounded(terms, term, 'until'));
  for (const held of subsets(untils)) {
    const weaken = substitution(terms, 'until', held);
    const confirming = [...held].map((term) => rightOf(terms, term));
    const releases = subterms(terms, confirming).filter((term) => isUnbounded(terms, term, 'release'));
    for (const kept of subsets(releases)) {
      const strengthen = substitution(terms, 'release', kept);
      const often = [...new Set(confirming.map(strengthen))].filter((term) => term !== TRUE);
      const always = terms.release(
        FALSE,
        terms.and([...kept].map((term) => weaken(rightOf(terms, term)))),
        null,
      );
      if (often.includes(FALSE) || always === FALSE) continue;
      yield { often, always, rest: weaken };
    }
  }
}

function isUnbounded(terms: LtlTerms, term: Term, kind: 'until' | 'release'): boolean {
  const node = terms.node(term);
  return node.kind === kind && node.to === null;
}

function rightOf(terms: LtlTerms, term: Term): Term {
  const node = terms.node(term);
  if (node.kind !== 'until' && node.kind !== 'release')
    throw new RangeError(`term ${term} has no right side`);
  return node.right;
}

/**
 * Replaces unbounded operators of one kind: an until in `held` by a weak until, another by false; a release in `held` by true,
 * another by a strong release.
 */
function substitution(
  terms: LtlTerms,
  kind: 'until' | 'release',
  held: ReadonlySet<Term>,
): (term: Term) => Term {
  const known = new Map<Term, Term>();
  const replace = (term: Term): Term => {
    let result = known.get(term);
    if (result === undefined) {
      result = replaceNew(term);
      known.set(term, result);
    }
    return result;
  };
  const replaceNew = (term: Term): Term => {
    const node = terms.node(term);
    switch (node.kind) {
      case 'and':
        return terms.and(node.operands.map(replace));
      case 'or':
        return terms.or(node.operands.map(replace));
      case 'delay':
        return terms.delay(node.steps, replace(node.operand));
      case 'until':
      case 'release': {
        if (node.kind === kind && node.to === null) {
          if (held.has(term) !== (kind === 'until')) return kind === 'until' ? FALSE : TRUE;
          const [left, right] = [replace(node.left), replace(node.right)];
          return kind === 'until'
            ? terms.release(right, terms.or([left, right]), null)
            : terms.until(right, terms.and([left, right]), null);
        }
        const [left, right] = [replace(node.left), replace(node.right)];
        return node.kind === 'until'
          ? terms.until(left, right, node.to)
          : terms.release(left, right, node.to);
      }
      default:
        return term;
    }
  };
  return replace;
}

/** Terms and all that they are made of, each once. */
function subterms(terms: LtlTerms, roots: Iterable<Term>): Term[] {
  const found = new Set(roots);
  for (const term of found) {
    const node = terms.node(term);
    if (node.kind === 'and' || node.kind === 'or') for (const operand of node.operands) found.add(operand);
    else if (node.kind === 'delay') found.add(node.operand);
    else if (node.kind === 'until' || node.kind === 'release') found.add(node.left).add(node.right);
  }
  return [...found];
}

/** All subsets, the whole set first. */
function* subsets<T>(members: readonly T[]): Generator<ReadonlySet<T>> {
  for (let code = 2 ** members.length - 1; code >= 0; code--)
    yield new Set(members.filter((_, i) => Math.floor(code / 2 ** i) % 2 === 1));
}
