import { NotSupportedError } from '../../base/errors.js';
import { FALSE, NONE, TRUE } from '../../languages/regular/index.js';
import type { Formulas, Value } from './formulas.js';
import type { ListAtom, Variable } from './reader.js';
import { compares } from './relations.js';
import type { AtomVector } from './vectors.js';

/** Most summaries of lists that are looked at. */
const MOST_SUMMARIES = 100_000;

/**
 * All values that the atoms of a list can have together. A list is summed up by what its atoms count, each up to the number beyond which it does not matter
 * (small lists suffice); a breadth-first search adds elements until no new summary is found.
 *
 * @param most longest list
 * @param count is told of steps, and may throw
 * @param elements what the atoms of an element can be together
 */
export function listVectors(
  { listAtoms, elementAtoms }: Variable,
  most: number,
  elements: readonly AtomVector[],
  formulas: Formulas,
  count: (steps: number) => void,
): AtomVector[] {
  const numbers = elementAtoms.map(({ number }) => number);
  const kinds = kindsOfElements(listAtoms, elements, (values) =>
    listAtoms.map(({ body }) => formulas.valueOf(formulas.assign(body, numbers, values))!),
  );
  const found = new Map<string, Summary>();
  const empty: Summary = { counts: listAtoms.flatMap(() => [0, 0, 0]), list: [], isReal: true };
  found.set(empty.counts.join(), empty);
  let layer = [empty];
  for (let length = 1; length <= most && layer.length > 0; length++) {
    const next: Summary[] = [];
    for (const summary of layer) {
      count(kinds.length * listAtoms.length);
      for (const kind of kinds) {
        const counts = added(listAtoms, summary.counts, kind.values);
        const key = counts.join();
        if (found.has(key)) continue;
        const isReal = summary.isReal && kind.witness !== undefined;
        const longer = { counts, list: [...summary.list, kind.witness?.value], isReal };
        found.set(key, longer);
        next.push(longer);
      }
      if (found.size > MOST_SUMMARIES)
        throw new NotSupportedError(
          `the predicates over one list have more than ${MOST_SUMMARIES} summaries; compare its size with smaller numbers, or use fewer predicates`,
        );
    }
    layer = next;
  }
  return [...found.values()].map(({ counts, list, isReal }) => {
    const values = listAtoms.map((atom, i) => outcome(atom, counts.slice(3 * i, 3 * i + 3)));
    const isConfirmed = isReal && listAtoms.every((atom, i) => atom.evaluate(list) === values[i]);
    return isConfirmed ? { values, witness: { value: list } } : { values };
  });
}

interface Summary {
  /** For each atom the elements whose body is false, true, and without a value, each up to the atom's cap. */
  readonly counts: readonly number[];
  readonly list: readonly unknown[];
  /** Whether every element is known to exist. */
  readonly isReal: boolean;
}

/** The values of the bodies that one element can have, each once; those that are known to exist first. */
function kindsOfElements(
  listAtoms: readonly ListAtom[],
  elements: readonly AtomVector[],
  bodiesOf: (values: readonly Value[]) => Value[],
): AtomVector[] {
  const found = new Map<string, AtomVector>();
  for (const { values, witness } of elements) {
    const bodies = bodiesOf(values);
    const key = bodies.join();
    const known = found.get(key);
    if (known === undefined || (known.witness === undefined && witness !== undefined))
      found.set(key, witness === undefined ? { values: bodies } : { values: bodies, witness });
  }
  return listAtoms.length === 0 ? [] : [...found.values()];
}

/** Number beyond which more elements of a kind change nothing. */
function capOf({ quantifier, bound }: ListAtom): number {
  if (quantifier === 'count') return Math.max(0, Math.floor(bound)) + 2;
  return quantifier === 'exists_one' ? 2 : 1;
}

function added(
  listAtoms: readonly ListAtom[],
  counts: readonly number[],
  bodies: readonly Value[],
): number[] {
  return counts.map((count, i) => {
    const atom = Math.floor(i / 3);
    const isCounted = bodies[atom] === [FALSE, TRUE, NONE][i % 3];
    return isCounted ? Math.min(count + 1, capOf(listAtoms[atom])) : count;
  });
}

function outcome({ quantifier, relation, bound }: ListAtom, [no, yes, none]: readonly number[]): Value {
  switch (quantifier) {
    case 'exists':
      return yes > 0 ? TRUE : none > 0 ? NONE : FALSE;
    case 'all':
      return no > 0 ? FALSE : none > 0 ? NONE : TRUE;
    case 'exists_one':
      return none > 0 ? NONE : yes === 1 ? TRUE : FALSE;
    case 'count':
      return none > 0 ? NONE : compares(relation, yes, bound) ? TRUE : FALSE;
  }
}
