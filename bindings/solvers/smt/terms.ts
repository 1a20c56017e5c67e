import { operate } from './operations.js';
import type { RegLan } from './regLan.js';
import type { Operator, Sort, Term, TermValue } from './term.js';

const RESULTS: Readonly<Partial<Record<Operator, Sort>>> = {
  '+': 'Int',
  '-': 'Int',
  '*': 'Int',
  mod: 'Int',
  'fp.add': 'Float',
  'fp.sub': 'Float',
  'fp.mul': 'Float',
  'fp.div': 'Float',
  'fp.neg': 'Float',
  'fp.roundToIntegral': 'Float',
  'str.++': 'Text',
  'str.len': 'Int',
};

/** Makes terms: equal ones once, and simpler ones where a constant decides. */
export class Terms {
  readonly #kept = new Map<string, Term>();
  readonly true = this.bool(true);
  readonly false = this.bool(false);

  bool(value: boolean): Term {
    return this.constant('Bool', value);
  }

  /** A whole number. */
  int(value: number | bigint): Term {
    return this.constant('Int', BigInt(value));
  }

  float(value: number): Term {
    return this.constant('Float', value);
  }

  text(value: string): Term {
    return this.constant('Text', value);
  }

  constant(sort: Sort, value: TermValue): Term {
    const written = typeof value === 'number' && Object.is(value, -0) ? '-0' : String(value);
    return this.#keep(`${sort} ${written}`, (id) => ({ id, sort, kind: 'constant', value }));
  }

  variable(sort: Sort, name: string): Term {
    return this.#keep(`variable ${name}`, (id) => ({ id, sort, kind: 'variable', name }));
  }

  not(of: Term): Term {
    if (of.kind === 'constant') return this.bool(!of.value);
    if (of.kind === 'apply' && of.operator === 'not') return of.arguments[0];
    return this.#apply('not', [of]);
  }

  and(...of: readonly Term[]): Term {
    return this.#junction('and', of, this.false, this.true);
  }

  or(...of: readonly Term[]): Term {
    return this.#junction('or', of, this.true, this.false);
  }

  implies(given: Term, then: Term): Term {
    return this.or(this.not(given), then);
  }

  equal(a: Term, b: Term): Term {
    if (a === b) return this.true;
    if (a === this.true) return b;
    if (b === this.true) return a;
    return this.#apply('=', a.id < b.id ? [a, b] : [b, a]);
  }

  if(condition: Term, then: Term, otherwise: Term): Term {
    if (condition === this.true || then === otherwise) return then;
    if (condition === this.false) return otherwise;
    if (then.sort === 'Bool')
      return this.or(this.and(condition, then), this.and(this.not(condition), otherwise));
    return this.#apply('ite', [condition, then, otherwise]);
  }

  /** Any other operator. */
  of(
    operator: Exclude<Operator, 'not' | 'and' | 'or' | '=' | 'ite' | 'str.in_re'>,
    ...of: readonly Term[]
  ): Term {
    return this.#apply(operator, of);
  }

  /** Whether a text is in a regular set. */
  isIn(text: Term, set: RegLan): Term {
    return this.#apply('str.in_re', [text], set);
  }

  #junction(operator: 'and' | 'or', of: readonly Term[], zero: Term, one: Term): Term {
    const parts = new Map<number, Term>();
    for (const part of of) {
      const inner = part.kind === 'apply' && part.operator === operator ? part.arguments : [part];
      for (const each of inner) {
        if (each === zero || parts.has(this.not(each).id)) return zero;
        if (each !== one) parts.set(each.id, each);
      }
    }
    const sorted = [...parts.values()].sort((a, b) => a.id - b.id);
    if (sorted.length < 2) return sorted[0] ?? one;
    return this.#apply(operator, sorted);
  }

  #apply(operator: Operator, of: readonly Term[], set?: RegLan): Term {
    const values = of.map((term) => (term.kind === 'constant' ? term.value : undefined));
    const sort = RESULTS[operator] ?? (operator === 'ite' ? of[1].sort : 'Bool');
    if (!values.includes(undefined))
      return this.constant(sort, operate(operator, values as TermValue[], set));
    const written = set === undefined ? '' : writtenOf(set);
    return this.#keep(`${operator} ${of.map(({ id }) => id).join()} ${written}`, (id) => ({
      id,
      sort,
      kind: 'apply',
      operator,
      arguments: of,
      ...(set !== undefined && { set }),
    }));
  }

  #keep(key: string, make: (id: number) => Term): Term {
    let term = this.#kept.get(key);
    if (term === undefined) {
      term = make(this.#kept.size);
      this.#kept.set(key, term);
    }
    return term;
  }
}

const written = new WeakMap<RegLan, string>();

/** A set as text, made once: sets are constants, and large. */
function writtenOf(set: RegLan): string {
  let text = written.get(set);
  if (text === undefined) {
    text = JSON.stringify(set);
    written.set(set, text);
  }
  return text;
}
