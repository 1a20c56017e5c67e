import { NotSupportedError } from '../../../base/errors.js';
import { FALSE_TERM, type LtlTerms, type Term, TRUE_TERM } from './terms.js';

/** Guesses are examined one by one; this many take about a second. */
const MAX_GUESSES = 100_000;

/**
 * A guess about the unbounded operators of some formulas in the long run. If the guess is right, all of `often` hold infinitely often, and
 * a formula holds if its entry in `safe` does. The entries of `safe` are safety formulas, those of `often` co-safety formulas.
 */
export interface Guess {
  readonly often: readonly Term[];
  /** For each formula, a sufficient safety condition; `FALSE` if the guess cannot show the formula. */
  readonly safe: ReadonlyMap<Term, Term>;
}

/**
 * Computes guesses such that a word satisfies one of `formulas`, or the rest of it after some prefix, iff one of the guesses shows it from
 * some point on. Guesses that show nothing, or no more than others, are omitted; those with the weakest safety conditions come first.
 *
 * A guess consists of a set X of untils that hold infinitely often, and a set Y of releases that hold from some point on. Then φ[X], in
 * which untils in X are weakened to `W` and others are false, implies φ. Each `a U b` in X is confirmed by GF b[Y], in which releases in Y
 * are true and others are strengthened to `M`; each `a R b` in Y is confirmed by G b[X]. Only releases below untils of X matter in Y.
 *
 * @throws NotSupportedError if there are too many to examine: their number doubles with each unbounded operator
 * @see Esparza, Křetínský, Sickert (2018), doi:10.1145/3209108.3209161, theorem 3.8
 */
export function guesses(terms: LtlTerms, formulas: readonly Term[]): Guess[] {
  const untils = subterms(terms, formulas).filter((term) => isUnbounded(terms, term, 'until'));
  const found: Guess[] = [];
  let count = 0;
  for (const held of subsets(untils)) {
    if (++count > MAX_GUESSES) tooMany(untils.length);
    const weaken = substitution(terms, 'until', held);
    const rests = formulas.map((formula) => [formula, weaken(formula)] as const);
    if (rests.every(([, rest]) => rest === FALSE_TERM)) continue;
    const confirming = [...held].map((term) => rightOf(terms, term));
    const releases = subterms(terms, confirming).filter((term) => isUnbounded(terms, term, 'release'));
    for (const kept of subsets(releases)) {
      if (++count > MAX_GUESSES) tooMany(untils.length);
      const strengthen = substitution(terms, 'release', kept);
      const often = [...new Set(confirming.map(strengthen))].filter((term) => term !== TRUE_TERM);
      if (often.includes(FALSE_TERM)) continue;
      const invariants = [...kept].map((term) => weaken(rightOf(terms, term)));
      const always = terms.release(FALSE_TERM, terms.and(invariants), null);
      const safe = new Map(rests.map(([formula, rest]) => [formula, terms.and([rest, always])]));
      if ([...safe.values()].every((term) => term === FALSE_TERM)) continue;
      const guess = { often, safe };
      if (!found.some((other) => showsMore(terms, other, guess))) found.push(guess);
    }
  }
  return found.reverse();
}

function tooMany(untils: number): never {
  throw new NotSupportedError(
    `the path formula has ${untils} operators such as F and U without a bound, and more than ${MAX_GUESSES} ways for them to hold in the long run: split it into smaller formulas`,
  );
}

/** Whether guess `one` is right, and shows a formula, whenever guess `other` does. */
function showsMore(terms: LtlTerms, one: Guess, other: Guess): boolean {
  if (!one.often.every((term) => other.often.includes(term))) return false;
  for (const [formula, strong] of other.safe) {
    const weak = one.safe.get(formula) as Term;
    if (weak === strong || strong === FALSE_TERM || weak === TRUE_TERM) continue;
    const parts = new Set(conjuncts(terms, strong));
    if (!conjuncts(terms, weak).every((part) => parts.has(part))) return false;
  }
  return true;
}

function conjuncts(terms: LtlTerms, term: Term): readonly Term[] {
  const node = terms.node(term);
  return node.kind === 'and' ? node.operands : [term];
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
          if (held.has(term) !== (kind === 'until')) return kind === 'until' ? FALSE_TERM : TRUE_TERM;
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

/** Terms and all their subterms, each once. */
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

/** All subsets; each is preceded by all of its own subsets. */
function* subsets<T>(members: readonly T[]): Generator<ReadonlySet<T>> {
  for (let code = 0; code < 2 ** members.length; code++) {
    yield new Set(members.filter((_, i) => Math.floor(code / 2 ** i) % 2 === 1));
  }
}
