import { NotSupportedError } from '../../base/errors.js';
import { type ExpressionNode, printExpression } from '../../languages/expression/index.js';
import {
  type ElementType,
  enumerated,
  type Input,
  type RecordType,
  simplest,
} from '../../languages/inputs/index.js';
import {
  Alphabet,
  FALSE,
  type Machine,
  NONE,
  TRUE,
  tabulate,
  textVectors,
} from '../../languages/regular/index.js';
import { constantOf } from './constants.js';
import type { Formulas, Value } from './formulas.js';
import { listVectors } from './listVectors.js';
import { type Atom, comparesWithNull, ELEMENT_NAME, type Variable } from './reader.js';
import { isRelation } from './relations.js';
import { machineOfText, possibleTogether } from './textAtoms.js';
import { reasonOf, Undecidable } from './undecidable.js';

/** Why parts of expressions are not followed, in words. */
export type Reasons = Set<string>;

/** Most predicates of one input that may have any value: each makes three times as many vectors. */
const MOST_OPEN = 6;

/** All three values, as bits. */
const ANY = FALSE | TRUE | NONE;

/** Values that the atoms of a variable have together, in the order of the atoms. */
export interface AtomVector {
  readonly values: readonly Value[];
  /** A value of the variable of which the atoms have been evaluated to these values; absent if none was found, so that there may be none. */
  readonly witness?: { readonly value: unknown };
}

/**
 * All values that the atoms of a variable can have together; no value of the variable's type gives others. An atom that is not followed may have any.
 *
 * @param open receives why atoms are not followed
 */
export function vectorsOf(
  variable: Variable,
  { type, optional = false }: Input,
  formulas: Formulas,
  open: Reasons,
): AtomVector[] {
  const { atoms } = variable;
  const present =
    type.kind === 'list'
      ? listVectors(variable, type.most, elementVectors(variable, type.of, open), formulas)
      : vectorsOfType(atoms, variable.name, type, open);
  return distinct(optional ? [...present, evaluatedAt(atoms, null)] : present);
}

function elementVectors(
  { elementAtoms }: Variable,
  type: ElementType | RecordType,
  open: Reasons,
): AtomVector[] {
  // No predicate reads a record's fields: of a list of them only the size is followed.
  if (type.kind === 'record') return [evaluatedAt(elementAtoms, simplest(type))];
  return distinct(vectorsOfType(elementAtoms, ELEMENT_NAME, type, open));
}

function vectorsOfType(atoms: readonly Atom[], name: string, type: ElementType, open: Reasons): AtomVector[] {
  if (type.kind === 'text') return vectorsOfText(atoms, name, type, open);
  const few = enumerated({ type });
  if (few !== undefined) return few.map((value) => evaluatedAt(atoms, value));
  return type.kind === 'integer' || type.kind === 'number' ? vectorsOfNumber(atoms, name, type, open) : [];
}

function evaluatedAt(atoms: readonly Atom[], value: unknown): AtomVector {
  return { values: atoms.map((atom) => atom.evaluate(value)), witness: { value } };
}

function vectorsOfText(
  atoms: readonly Atom[],
  name: string,
  { most }: Extract<ElementType, { kind: 'text' }>,
  open: Reasons,
): AtomVector[] {
  const machines = atoms.map((atom) => machineOf(atom, name, open));
  const alphabet = new Alphabet(machines.flatMap(({ sets }) => sets));
  const tables = machines.map((machine) => tabulate(machine, alphabet));
  const isPossible = possibleTogether(atoms.map(({ node }) => node));
  return textVectors(tables, { isPossible, longest: most }).map(({ values, witnesses }) => {
    const value = witnesses.find(
      (text) => text.length <= most && atoms.every((atom, i) => atom.evaluate(text) === values[i]),
    );
    return value === undefined ? { values } : { values, witness: { value } };
  });
}

/** The machine of an atom; one that says nothing if it is not followed. */
function machineOf({ node, evaluate }: Atom, name: string, open: Reasons): Machine {
  // A comparison with null says the same of every text.
  const constant = comparesWithNull(node, name) ? evaluate('') : undefined;
  if (constant === undefined) {
    try {
      return machineOfText(node, name);
    } catch (error) {
      open.add(reasonOf(error));
    }
  }
  return { sets: [], start: 0, next: () => 0, outcomes: () => constant ?? ANY };
}

/**
 * Numbers: between two constants that atoms compare the number with, all atoms say the same of every number.
 */
function vectorsOfNumber(
  atoms: readonly Atom[],
  name: string,
  type: Extract<ElementType, { kind: 'integer' | 'number' }>,
  open: Reasons,
): AtomVector[] {
  const isOpen = atoms.map(() => false);
  const found = atoms.flatMap(({ node }, i) => {
    try {
      return cutsOf(node, name);
    } catch (error) {
      open.add(reasonOf(error));
      isOpen[i] = true;
      return [];
    }
  });
  const cuts = [...new Set(found)].sort((a, b) => a - b);
  const candidates =
    type.kind === 'integer' ? integersAround(cuts, type.least, type.most) : doublesAround(cuts);
  return candidates.flatMap((value) => withOpen(evaluatedAt(atoms, value), isOpen));
}

/** A vector, and those in which atoms that are not followed have other values. */
export function withOpen(vector: AtomVector, isOpen: readonly boolean[]): AtomVector[] {
  if (isOpen.filter((one) => one).length > MOST_OPEN)
    throw new NotSupportedError(
      `more than ${MOST_OPEN} predicates of one number compute, and are not followed`,
    );
  const others = vector.values.reduce<Value[][]>(
    (all, value, i) =>
      all.flatMap((before) => (isOpen[i] ? [FALSE, TRUE, NONE] : [value]).map((one) => [...before, one])),
    [[]],
  );
  return isOpen.includes(true) ? [vector, ...others.map((values) => ({ values }))] : [vector];
}

/** The numbers with which an atom compares. */
function cutsOf(node: ExpressionNode, name: string): number[] {
  if (node.kind === 'binary') {
    const isName = (side: ExpressionNode) => side.kind === 'name' && side.name === name;
    const [left, right] = [constantOf(node.left), constantOf(node.right)];
    if (node.operator === 'in' && isName(node.left) && Array.isArray(right?.value))
      return right.value.filter((one): one is number => typeof one === 'number');
    const constant = left ?? right;
    if (isRelation(node.operator) && constant !== undefined && (isName(node.left) || isName(node.right)))
      return typeof constant.value === 'number' && Number.isFinite(constant.value) ? [constant.value] : [];
  }
  throw new Undecidable(
    node,
    `compare ${name} itself with a number; ${printExpression({ name: '', root: node })} computes`,
  );
}

function integersAround(cuts: readonly number[], least: number, most: number): number[] {
  const near = cuts.flatMap((cut) => {
    const below = Math.floor(cut);
    return [below - 1, below, below + 1, below + 2];
  });
  const inside = [0, least, most, ...near].filter((one) => least <= one && one <= most);
  return [...new Set(inside)].sort((a, b) => Math.abs(a) - Math.abs(b));
}

function doublesAround(cuts: readonly number[]): number[] {
  const all = [-Number.MAX_VALUE, ...cuts, Number.MAX_VALUE];
  const between = all.slice(1).flatMap((high, i) => readableBetween(all[i], high));
  const found = new Set([...cuts, ...between, -Number.MAX_VALUE, Number.MAX_VALUE]);
  return [...found].sort((a, b) => Math.abs(a) - Math.abs(b));
}

/** A number strictly between two, a whole and small one if there is one; none if the two are neighbours. */
function readableBetween(low: number, high: number): number[] {
  if (!(low < high)) return [];
  if (low < 0 && high > 0) return [0];
  const whole = low >= 0 ? Math.floor(low) + 1 : Math.ceil(high) - 1;
  if (low < whole && whole < high) return [whole];
  const middle = low / 2 + high / 2;
  return low < middle && middle < high ? [middle] : [];
}

/** The length of the witness as JSON; of equal ones those with fewer signs come first, as they are easier to read. */
function sizeOf({ witness }: AtomVector): number {
  if (witness === undefined) return Number.POSITIVE_INFINITY;
  const text = JSON.stringify(witness.value);
  return text.length + text.replace(/[A-Za-z0-9]/g, '').length / (text.length + 1);
}

/** Each vector once; first those with a witness, the smallest first, so that what is found is as small as can be. */
function distinct(vectors: readonly AtomVector[]): AtomVector[] {
  const found = new Map<string, AtomVector>();
  for (const vector of vectors) {
    const key = vector.values.join();
    const known = found.get(key);
    if (known === undefined || (known.witness === undefined && vector.witness !== undefined))
      found.set(key, vector);
  }
  return [...found.values()]
    .map((vector) => ({ vector, size: sizeOf(vector) }))
    .sort((a, b) => (a.size === b.size ? 0 : a.size - b.size))
    .map(({ vector }) => vector);
}
