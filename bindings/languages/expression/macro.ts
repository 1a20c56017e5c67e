import { type Cell, type Closure, condition } from './closure.js';
import type { NodeOf } from './expression.js';
import { Failure, mismatch } from './failure.js';
import { isMap } from './values.js';

/** A condition `variable.field == "text"` that the body requires: the body is false for elements whose field is another text. */
export interface Selector {
  readonly field: string;
  readonly text: string;
}

/** Compiles a macro from its compiled list and body; the body reads the current element from `cell`. */
export function compileMacro(
  { macro, place }: NodeOf<'macro'>,
  list: Closure,
  cell: Cell,
  body: Closure,
  selector: Selector | undefined,
): Closure {
  const operation = `"${macro}"`;
  const elementsOf = (value: unknown): readonly unknown[] | Failure => {
    if (Array.isArray(value)) return value;
    // As in CEL, a macro iterates over the keys of a map.
    if (value instanceof Failure || !isMap(value))
      return mismatch(place, operation, 'a list or a map', value);
    return Object.keys(value);
  };

  /** `exists` is a disjunction and `all` a conjunction: a failure counts only if no element decides. */
  const quantifier: Closure = (state, context) => {
    const deciding = macro === 'exists';
    const elements = elementsOf(list(state, context));
    if (elements instanceof Failure) return elements;
    let result: boolean | Failure = !deciding;
    for (let i = 0; i < elements.length; i++) {
      if (selector !== undefined && isOther(elements[i], selector)) continue;
      cell.value = elements[i];
      const holds = body(state, context);
      if (holds === deciding) {
        result = deciding;
        break;
      }
      if (holds !== !deciding && !(result instanceof Failure)) result = condition(holds, place, operation);
    }
    cell.value = undefined;
    return result;
  };

  /** The other macros visit every element, and the first failure is their result. */
  const collector: Closure = (state, context) => {
    const elements = elementsOf(list(state, context));
    if (elements instanceof Failure) return elements;
    const collected: unknown[] = [];
    for (const element of elements) {
      cell.value = element;
      const value = body(state, context);
      cell.value = undefined;
      const result = macro === 'map' ? value : condition(value, place, operation);
      if (result instanceof Failure) return result;
      if (macro === 'map') collected.push(result);
      else if (result) collected.push(element);
    }
    return macro === 'exists_one' ? collected.length === 1 : collected;
  };

  return macro === 'exists' || macro === 'all' ? quantifier : collector;
}

/** Whether the selector's field is certainly another text, so that the body need not be called. */
function isOther(element: unknown, { field, text }: Selector): boolean {
  const value = (element as Record<string, unknown> | null | undefined)?.[field];
  return typeof value === 'string' && value !== text && Object.hasOwn(element as object, field);
}
