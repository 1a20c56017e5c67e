import { type ExpressionNode, printExpression } from '../../languages/expression/index.js';
import { type Sort, type Term, Terms } from '../smt/index.js';

/** Says that a part of an expression has no translation: it may have any value. */
export class Untranslated extends Error {
  constructor(node: ExpressionNode, why: string) {
    super(`${printExpression({ name: '', root: node })}: ${why}`);
  }
}

/** Says that whole numbers do not do, since results may be beyond 2^53 or no whole numbers: all numbers must be doubles. */
export class NeedsDoubles extends Error {}

/** With how many others a result is compared. */
const MOST_CONGRUENT = 12;

/** The terms of one question, and what holds of the variables in them. */
export class Context {
  readonly terms = new Terms();
  /** Whether whole numbers are doubles, too. */
  readonly areDoubles: boolean;
  /** What defines the variables that stand for parts of expressions. */
  readonly definitions: Term[] = [];
  /** Why parts are not translated, in words. */
  readonly reasons = new Set<string>();
  /** The variables that stand for parts: for which function, of which terms. */
  readonly standIns: { readonly variable: Term; readonly what: string; readonly of: readonly Term[] }[] = [];
  readonly #parts = new Map<string, unknown>();
  readonly #results = new Map<string, readonly { readonly of: Term; readonly results: readonly Term[] }[]>();
  #count = 0;

  constructor(areDoubles: boolean) {
    this.areDoubles = areDoubles;
  }

  /** A new variable for something about these terms. */
  fresh(sort: Sort, what: string, ...of: readonly Term[]): Term {
    const variable = this.terms.variable(sort, `${what}.${this.#count++}`);
    this.standIns.push({ variable, what, of });
    return variable;
  }

  /** What was made for a function of these terms, so that equal arguments have equal results. */
  once<T>(what: string, of: readonly Term[], make: () => T): T {
    const key = `${what} ${of.map(({ id }) => id).join()}`;
    if (!this.#parts.has(key)) this.#parts.set(key, make());
    return this.#parts.get(key) as T;
  }

  /** Results of a function: those of equal texts are equal, which follows from what defines them, but is hard to find. */
  congruent(what: string, of: Term, results: readonly Term[]): void {
    const { terms } = this;
    const others = this.#results.get(what) ?? [];
    this.#results.set(what, [...others, { of, results }]);
    for (const other of others.slice(-MOST_CONGRUENT)) {
      const areEqual = results.map((result, i) => terms.equal(result, other.results[i]));
      this.define(terms.implies(terms.equal(of, other.of), terms.and(...areEqual)));
    }
  }

  define(...of: readonly Term[]): void {
    this.definitions.push(...of);
  }
}
