import { NotSupportedError } from '../../base/errors.js';
import { type ExpressionNode, printExpression } from '../../languages/expression/index.js';
import {
  type ElementType,
  enumerated,
  type Input,
  type RecordType,
  simplest,
} from '../../languages/inputs/index.js';
import { FALSE, NONE, TRUE } from '../../languages/regular/index.js';
import type { InputCertificate } from '../recheck/index.js';
import { constantOf } from './constants.js';
import type { Formulas, Value } from './formulas.js';
import { listVectors } from './listVectors.js';
import { type Atom, ELEMENT_NAME, type Variable } from './reader.js';
import { isRelation } from './relations.js';
import type { Steps } from './steps.js';
import { vectorsOfText } from './textVectors.js';
import { reasonOf, Undecidable } from './undecidable.js';

/** What is found out beside vectors. */
export interface Notes {
  /** Why atoms are not followed, in words, by their numbers. */
  readonly reasons: Map<number, string>;
  readonly steps: Steps;
}

/** Most predicates of one input that may have any value: each makes three times as many vectors. */
const MOST_OPEN = 6;

/** Values that the atoms of a variable have together, in the order of the atoms. */
export interface AtomVector {
  readonly values: readonly Value[];
  /** A value of the variable of which the atoms have been evaluated to these values; absent if none was found, so that there may be none. */
  readonly witness?: { readonly value: unknown };
}

/** What the atoms of a variable can be together, and how that was found. */
export interface Found {
  readonly vectors: readonly AtomVector[];
  readonly certify: () => InputCertificate;
}

/**
 * All values that the atoms of a variable can have together; no value of the variable's type gives others. An atom that is not followed may have any.
 *
 * @throws NotSupportedError, OutOfSteps if they are too many
 */
export function vectorsOf(
  variable: Variable,
  { type, optional = false }: Input,
  formulas: Formulas,
  notes: Notes,
): Found {
  const { atoms, name } = variable;
  notes.steps.doing = `the values of ${atoms.length} predicates over ${name}`;
  if (type.kind !== 'list') return found(name, atoms, ofType(atoms, name, type, notes), optional);
  const elements = found(
    ELEMENT_NAME,
    variable.elementAtoms,
    ofType(variable.elementAtoms, ELEMENT_NAME, type.of, notes),
  );
  const vectors = listVectors(variable, type.most, elements.vectors, formulas, notes.steps.take);
  return found(name, atoms, { vectors, evidence: () => ({ elements: elements.certify() }) }, optional);
}

/** Vectors, and what a certificate has beside them. */
export interface Evident {
  readonly vectors: readonly AtomVector[];
  readonly evidence?: () => Pick<InputCertificate, 'text' | 'elements'>;
}

function found(
  input: string,
  atoms: readonly Atom[],
  { vectors: present, evidence }: Evident,
  optional = false,
): Found {
  const vectors = distinct(optional ? [...present, evaluatedAt(atoms, null)] : present);
  let certificate: InputCertificate | undefined;
  const certify = (): InputCertificate => {
    certificate ??= {
      input,
      atoms: atoms.map(({ node }) => printExpression({ name: '', root: node })),
      vectors: vectors.map(({ values }) => values),
      ...evidence?.(),
    };
    return certificate;
  };
  return { vectors, certify };
}

function ofType(atoms: readonly Atom[], name: string, type: ElementType | RecordType, notes: Notes): Evident {
  // No predicate reads a record's fields: of a list of them only the size is followed.
  if (type.kind === 'record') return { vectors: [evaluatedAt(atoms, simplest(type))] };
  if (type.kind === 'text') return vectorsOfText(atoms, name, type, notes);
  const few = enumerated({ type });
  if (few !== undefined) return { vectors: few.map((value) => evaluatedAt(atoms, value)) };
  const isNumber = type.kind === 'integer' || type.kind === 'number';
  return { vectors: isNumber ? vectorsOfNumber(atoms, name, type, notes) : [] };
}

function evaluatedAt(atoms: readonly Atom[], value: unknown): AtomVector {
  return { values: atoms.map((atom) => atom.evaluate(value)), witness: { value } };
}

/**
 * Numbers: between two constants that atoms compare the number with, all atoms say the same of every number.
 */
function vectorsOfNumber(
  atoms: readonly Atom[],
  name: string,
  type: Extract<ElementType, { kind: 'integer' | 'number' }>,
  notes: Notes,
): AtomVector[] {
  const isOpen = atoms.map(() => false);
  const found = atoms.flatMap(({ node, number }, i) => {
    try {
      return cutsOf(node, name);
    } catch (error) {
      notes.reasons.set(number, reasonOf(error));
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
