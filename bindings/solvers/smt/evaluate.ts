import { operate } from './operations.js';
import type { Sort, Term, TermValue } from './term.js';

/** Values of variables, by name. */
export type Model = ReadonlyMap<string, TermValue>;

/** The value that a variable has which a model leaves out. */
const DEFAULTS: Readonly<Record<Sort, TermValue>> = { Bool: false, Int: 0n, Float: 0, Text: '' };

/** The value of a term under a model. */
export function evaluateTerm(term: Term, model: Model): TermValue {
  const known = new Map<Term, TermValue>();
  const visit = (at: Term): TermValue => {
    let value = known.get(at);
    if (value === undefined) {
      value = compute(at);
      known.set(at, value);
    }
    return value;
  };
  const compute = (at: Term): TermValue => {
    if (at.kind === 'constant') return at.value;
    if (at.kind === 'variable') return model.get(at.name) ?? DEFAULTS[at.sort];
    // What is not chosen may have no value.
    if (at.operator === 'ite') return visit(at.arguments[visit(at.arguments[0]) === true ? 1 : 2]);
    return operate(at.operator, at.arguments.map(visit), at.set);
  };
  return visit(term);
}
