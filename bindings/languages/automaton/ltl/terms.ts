import type { LtlFormula, LtlWindow } from './ltlFormula.js';

/** A formula in negation normal form, by its number in `LtlTerms`. */
export type Term = number;

/**
 * The nodes of the normal form. `delay` by n is X nested n times; `until` and `release` are judged from their own position up to position
 * `to`. All other operators are expressed with these: `a U[l,u] b` is `G<l a & X^l (a U[0,u-l] b)`, and dually for R.
 */
export type TermNode =
  | { readonly kind: 'true' | 'false' }
  | { readonly kind: 'literal'; readonly atom: number; readonly positive: boolean }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Term[] }
  | { readonly kind: 'delay'; readonly steps: number; readonly operand: Term }
  | {
      readonly kind: 'until' | 'release';
      readonly left: Term;
      readonly right: Term;
      readonly to: number | null;
    };

/** Syntactic properties of a term that restrict the words it allows. */
export interface Traits {
  /** No unbounded release: satisfaction has a finite witness. */
  readonly cosafe: boolean;
  /** No unbounded until: violation has a finite witness. */
  readonly safe: boolean;
  /** Its truth is the same at every position: a Boolean combination of `GF a` and `FG a`. */
  readonly suspendable: boolean;
  /** Depends on a single position only. */
  readonly propositional: boolean;
}

export const FALSE_TERM: Term = 0;
export const TRUE_TERM: Term = 1;

const CONSTANT: Traits = { cosafe: true, safe: true, suspendable: true, propositional: true };

/**
 * Formulas in negation normal form. Each is stored once, so equal formulas have the same number. They are simplified on creation, only by equivalences.
 *
 * With `readsAhead`, the moment at which a formula is known to hold matters, as for rewards accumulated until then: `X true` requires one
 * more position and is not simplified.
 */
export class LtlTerms {
  readonly #nodes: TermNode[] = [];
  readonly #traits: Traits[] = [];
  readonly #numbers = new Map<string, Term>();
  readonly #duals: (Term | undefined)[] = [];
  readonly readsAhead: boolean;

  constructor({ readsAhead = false }: { readsAhead?: boolean } = {}) {
    this.readsAhead = readsAhead;
    this.#add('false', { kind: 'false' }, CONSTANT);
    this.#add('true', { kind: 'true' }, CONSTANT);
  }

  /** The outermost operator of a term, and its operands. */
  node(term: Term): TermNode {
    return this.#nodes[term];
  }

  /** The syntactic properties of a term. */
  traitsOf(term: Term): Traits {
    return this.#traits[term];
  }

  /** Converts a formula, or its negation, to negation normal form. */
  of(formula: LtlFormula, negated = false): Term {
    switch (formula.kind) {
      case 'boolean':
        return formula.value !== negated ? TRUE_TERM : FALSE_TERM;
      case 'atom':
        return this.literal(formula.atom, !negated);
      case 'not':
        return this.of(formula.operand, !negated);
      case 'next':
        return this.delay(1, this.of(formula.operand, negated));
      case 'and':
      case 'or': {
        const operands = [this.of(formula.left, negated), this.of(formula.right, negated)];
        return (formula.kind === 'and') !== negated ? this.and(operands) : this.or(operands);
      }
      case 'finally':
      case 'globally': {
        const existential = (formula.kind === 'finally') !== negated;
        const operand = this.of(formula.operand, negated);
        return existential
          ? this.#windowed('until', TRUE_TERM, operand, formula.window)
          : this.#windowed('release', FALSE_TERM, operand, formula.window);
      }
      default: {
        const left = this.of(formula.left, negated);
        const right = this.of(formula.right, negated);
        if (formula.kind === 'weakUntil') return this.#weakUntil(left, right, negated, formula.window);
        const kind = (formula.kind === 'until') !== negated ? 'until' : 'release';
        return this.#windowed(kind, left, right, formula.window);
      }
    }
  }

  /** `a`, or `!a`. */
  literal(atom: number, positive: boolean): Term {
    const traits = { cosafe: true, safe: true, suspendable: false, propositional: true };
    return this.#add(`${positive ? '' : '!'}${atom}`, { kind: 'literal', atom, positive }, traits);
  }

  /** The conjunction; true if there are no operands. */
  and(operands: readonly Term[]): Term {
    return this.#junction('and', operands);
  }

  /** The disjunction; false if there are no operands. */
  or(operands: readonly Term[]): Term {
    return this.#junction('or', operands);
  }

  /** X nested `steps` times. */
  delay(steps: number, operand: Term): Term {
    if (steps === 0 || operand === FALSE_TERM) return operand;
    const node = this.#nodes[operand];
    if (node.kind === 'delay') return this.delay(steps + node.steps, node.operand);
    const { suspendable, ...traits } = this.#traits[operand];
    if (suspendable && !this.readsAhead) return operand;
    return this.#add(
      `X${steps},${operand}`,
      { kind: 'delay', steps, operand },
      { ...traits, suspendable: false, propositional: false },
    );
  }

  /** `left U right` with `right` at position `to` or before. */
  until(left: Term, right: Term, to: number | null): Term {
    return this.#binary('until', left, right, to);
  }

  /** `left R right`, judged up to position `to`. */
  release(left: Term, right: Term, to: number | null): Term {
    return this.#binary('release', left, right, to);
  }

  /** The negation of a term. */
  dual(term: Term): Term {
    const known = this.#duals[term];
    if (known !== undefined) return known;
    const negation = this.#negate(this.#nodes[term]);
    this.#duals[term] = negation;
    return negation;
  }

  #negate(node: TermNode): Term {
    switch (node.kind) {
      case 'true':
        return FALSE_TERM;
      case 'false':
        return TRUE_TERM;
      case 'literal':
        return this.literal(node.atom, !node.positive);
      case 'and':
      case 'or':
        return this.#junction(
          node.kind === 'and' ? 'or' : 'and',
          node.operands.map((operand) => this.dual(operand)),
        );
      case 'delay':
        return this.delay(node.steps, this.dual(node.operand));
      default:
        return this.#binary(
          node.kind === 'until' ? 'release' : 'until',
          this.dual(node.left),
          this.dual(node.right),
          node.to,
        );
    }
  }

  /** Converts `left W right`, or its negation if `negated` (both sides are then negated already). */
  #weakUntil(left: Term, right: Term, negated: boolean, window?: LtlWindow): Term {
    // If the window opens late, the right side counts from the first position without the left; otherwise this makes no difference.
    const late = window !== undefined && window.from > 0;
    const [kind, both, either] = negated
      ? (['until', this.and([left, right]), (term: Term) => this.and([this.dual(left), term])] as const)
      : (['release', this.or([left, right]), (term: Term) => this.or([this.dual(left), term])] as const);
    return this.#windowed(kind, late ? either(right) : right, both, window);
  }

  #windowed(kind: 'until' | 'release', left: Term, right: Term, window?: LtlWindow): Term {
    const { from, to } = window ?? { from: 0, to: null };
    if (to !== null && to < from) return kind === 'until' ? FALSE_TERM : TRUE_TERM;
    const later = this.delay(from, this.#binary(kind, left, right, to === null ? null : to - from));
    if (from === 0) return later;
    // Before the window opens, `left` must hold throughout or, for the dual, hold once.
    return kind === 'until'
      ? this.and([this.#binary('release', FALSE_TERM, left, from - 1), later])
      : this.or([this.#binary('until', TRUE_TERM, left, from - 1), later]);
  }

  #junction(kind: 'and' | 'or', operands: readonly Term[]): Term {
    const [neutral, decisive] = kind === 'and' ? [TRUE_TERM, FALSE_TERM] : [FALSE_TERM, TRUE_TERM];
    const set = new Set<Term>();
    for (const operand of operands) {
      const node = this.#nodes[operand];
      for (const part of node.kind === kind ? node.operands : [operand]) if (part !== neutral) set.add(part);
    }
    for (const part of set) {
      const node = this.#nodes[part];
      if (part === decisive || (node.kind === 'literal' && set.has(this.dual(part)))) return decisive;
      // a & (a | b) is a.
      if ((node.kind === 'and' || node.kind === 'or') && node.operands.some((inner) => set.has(inner)))
        set.delete(part);
    }
    if (set.size === 0) return neutral;
    const parts = [...set].sort((a, b) => a - b);
    if (parts.length === 1) return parts[0];
    return this.#add(`${kind}${parts}`, { kind, operands: parts }, this.#shared(parts));
  }

  #binary(kind: 'until' | 'release', left: Term, right: Term, to: number | null): Term {
    const [neutral, decisive] = kind === 'until' ? [FALSE_TERM, TRUE_TERM] : [TRUE_TERM, FALSE_TERM];
    // For release, `decisive` is false: a R false is false, a R true is true, true R b is b, b R b is b; dually for until.
    if (right === decisive || right === neutral) return right;
    if (left === neutral || left === right || to === 0 || this.#traits[right].suspendable) return right;
    const inner = this.#nodes[right];
    if (to === null && inner.kind === kind && inner.to === null) {
      if (inner.left === left) return right;
      if (left === decisive) return this.#binary(kind, left, inner.right, null);
    }
    const eventual = this.#distributes(kind, left, inner, to);
    if (eventual !== null) return eventual;
    const shared = this.#shared([left, right]);
    const unbounded = to === null;
    const operand = this.#nodes[right];
    return this.#add(
      `${kind === 'until' ? 'U' : 'R'}${left},${right},${to}`,
      { kind, left, right, to },
      {
        cosafe: shared.cosafe && !(unbounded && kind === 'release'),
        safe: shared.safe && !(unbounded && kind === 'until'),
        suspendable:
          unbounded &&
          left === decisive &&
          (operand.kind === 'until' || operand.kind === 'release') &&
          operand.kind !== kind &&
          operand.to === null &&
          operand.left === neutral,
        propositional: false,
      },
    );
  }

  /** Rewrites `G ((F a) & (F b))` as `(GF a) & (GF b)`, and `F ((G a) | (G b))` as `(FG a) | (FG b)`, which makes both suspendable. */
  #distributes(kind: 'until' | 'release', left: Term, inner: TermNode, to: number | null): Term | null {
    const junction = kind === 'until' ? 'or' : 'and';
    const [neutral, decisive] = kind === 'until' ? [FALSE_TERM, TRUE_TERM] : [TRUE_TERM, FALSE_TERM];
    if (left !== decisive || to !== null || inner.kind !== junction) return null;
    const all = inner.operands.every((operand) => {
      const node = this.#nodes[operand];
      if (this.#traits[operand].suspendable) return true;
      return (
        (node.kind === 'until' || node.kind === 'release') &&
        node.kind !== kind &&
        node.to === null &&
        node.left === neutral
      );
    });
    if (!all) return null;
    return this.#junction(
      junction,
      inner.operands.map((operand) => this.#binary(kind, left, operand, null)),
    );
  }

  #shared(parts: readonly Term[]): Traits {
    const every = (trait: keyof Traits) => parts.every((part) => this.#traits[part][trait]);
    return {
      cosafe: every('cosafe'),
      safe: every('safe'),
      suspendable: every('suspendable'),
      propositional: every('propositional'),
    };
  }

  #add(key: string, node: TermNode, traits: Traits): Term {
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const term = this.#nodes.length;
    this.#nodes.push(node);
    this.#traits.push(traits);
    this.#numbers.set(key, term);
    return term;
  }
}
