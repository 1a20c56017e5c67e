import { freeNames } from '../../../languages/expression/index.js';
import { parsed, type Value } from '../../workflow/index.js';
import { isThere } from '../indexes.js';
import { join, type Label } from '../label.js';
import { labelsAt, whole } from '../labels.js';
import { folded, partOf, type Term } from '../terms.js';
import { typeOfTerm } from '../termTypes.js';
import { hasField, isTotal, type Totality } from '../total.js';
import type { WalkState } from './state.js';

/**
 * What is told of data when the run goes on after a value was asked for: the label of what decides whether there is one. Null: there always is.
 *
 * @param isScalar whether the value must be a text, a number or a truth value
 */
export function endingOf(walk: WalkState, value: Value, isScalar = false): Label | null {
  switch (value.kind) {
    case 'literal':
      return null;
    case 'reference': {
      let { term, labels } = walk.names.get(value.name);
      let found: Label | null = null;
      for (const key of value.path) {
        const isPart =
          typeof key === 'number' ? isElement(walk, term, key) : hasField(term, key, walk.options);
        if (!isPart) found = both(found, labels.here);
        term = folded(partOf(term, key));
        labels = labelsAt(labels, key, term);
      }
      return isScalar && !isText(walk, term) ? both(found, whole(labels)) : found;
    }
    case 'list':
      return value.of.map((one) => endingOf(walk, one)).reduce(both, null);
    case 'record':
      return Object.values(value.fields)
        .map((one) => endingOf(walk, one))
        .reduce(both, null);
    case 'text':
      return value.of.map((one) => endingOf(walk, one, true)).reduce(both, null);
    case 'expression': {
      const { term } = walk.names.expression(value.expression);
      if (isTotal(term, totality(walk)) && (!isScalar || isText(walk, term))) return null;
      return freeNames(parsed(value.expression))
        .map((name) => whole(walk.names.get(name).labels))
        .reduce<Label | null>(both, null);
    }
  }
}

function totality(walk: WalkState): Totality {
  return { types: walk.options.types, isThere: (list, index) => isElement(walk, list, index) };
}

/** Whether a list has an element of this number in every run that gets here. */
function isElement(walk: WalkState, list: Term, index: number): boolean {
  if (list.kind === 'list') return index < list.elements.length;
  const type = typeOfTerm(list, walk.options.types);
  if (type.kind !== 'list') return false;
  return (
    (type.least ?? 0) > index ||
    walk.options.prover.proves(walk.facts.terms, isThere(list, index)).kind === 'proved'
  );
}

function isText(walk: WalkState, term: Term): boolean {
  return ['text', 'integer', 'number', 'boolean'].includes(typeOfTerm(term, walk.options.types).kind);
}

function both(a: Label | null, b: Label | null): Label | null {
  return a === null || b === null ? (a ?? b) : join(a, b);
}
