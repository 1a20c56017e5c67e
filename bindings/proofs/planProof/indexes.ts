import { NOWHERE, type Term, termOf } from './terms.js';

/** What is true where a term has a value: each list that it reads an element of by its number has that element. */
export function elementsThere(term: Term): Term[] {
  switch (term.kind) {
    case 'field':
    case 'has':
      return elementsThere(term.object);
    case 'index': {
      const inner = elementsThere(term.object);
      const { index } = term;
      const isPlace = index.kind === 'literal' && typeof index.value === 'number';
      return isPlace ? [...inner, isThere(term.object, index.value as number)] : inner;
    }
    case 'unary':
      return elementsThere(term.operand);
    case 'binary':
      return [...elementsThere(term.left), ...elementsThere(term.right)];
    case 'call':
      return term.arguments.flatMap(elementsThere);
    case 'list':
      return term.elements.flatMap(elementsThere);
    case 'map':
      return term.values.flatMap(elementsThere);
    default:
      // Of other terms a part may have no value though the term has one.
      return [];
  }
}

/** That a list has an element of this number. */
export function isThere(list: Term, index: number): Term {
  const size: Term = { kind: 'call', function: 'size', arguments: [list], place: NOWHERE };
  return { kind: 'binary', operator: '>=', left: size, right: termOf(index + 1), place: NOWHERE };
}
