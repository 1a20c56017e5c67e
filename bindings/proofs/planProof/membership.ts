import type { ValueType } from '../contract/index.js';
import { equality, NOWHERE, negation, type Term, termOf } from './terms.js';

/** Functions that have a value exactly of the texts of a format. */
const READERS = { email: 'domainOf', url: 'hostOf' } as const;

/** What is true of a value that is of a type, beyond its kind, as far as expressions can say it. */
export function membership(type: ValueType, value: Term): Term[] {
  switch (type.kind) {
    case 'integer':
    case 'number':
      return [
        ...(type.least === undefined ? [] : [compare('>=', value, type.least)]),
        ...(type.most === undefined ? [] : [compare('<=', value, type.most)]),
      ];
    case 'text':
      if (type.values !== undefined)
        return [{ kind: 'binary', operator: 'in', left: value, right: termOf(type.values), place: NOWHERE }];
      return type.format === 'email' || type.format === 'url' ? [isRead(READERS[type.format], value)] : [];
    case 'list':
      return type.of.kind === 'text' ? elements(type.of, value) : [];
    default:
      return [];
  }
}

function elements(type: ValueType, list: Term): Term[] {
  const element: Term = { kind: 'name', name: ELEMENT, place: NOWHERE };
  return membership(type, element).map((body) => ({
    kind: 'macro',
    macro: 'all',
    list,
    variable: ELEMENT,
    body,
    place: NOWHERE,
  }));
}

const ELEMENT = 'element';

function compare(operator: '>=' | '<=', left: Term, bound: number): Term {
  return { kind: 'binary', operator, left, right: termOf(bound), place: NOWHERE };
}

/** That a function has a value. */
function isRead(name: 'domainOf' | 'hostOf', value: Term): Term {
  const read: Term = { kind: 'call', function: name, arguments: [value], place: NOWHERE };
  const isEmpty = equality(read, termOf(''));
  return { kind: 'logical', operator: '||', operands: [isEmpty, negation(isEmpty)], place: NOWHERE };
}
