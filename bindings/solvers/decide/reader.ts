import { ParseError } from '../../base/errors.js';
import {
  compileCondition,
  type Evaluate,
  type Expression,
  type ExpressionNode,
  freeNames,
  isTruth,
  type NodeOf,
  printExpression,
} from '../../languages/expression/index.js';
import { enumerated, type Inputs } from '../../languages/inputs/index.js';
import { FALSE, NONE, TRUE } from '../../languages/regular/index.js';
import { constantOf, rename, substitute } from './constants.js';
import { type Formula, Formulas, type Value } from './formulas.js';
import { isRelation, MIRRORED, type Relation } from './relations.js';
import { reasonOf, Undecidable } from './undecidable.js';

/** A predicate of one variable, without connectives. */
export interface Atom {
  /** Its number in formulas. */
  readonly number: number;
  readonly node: ExpressionNode;
  /** Its value of a value of the variable. */
  evaluate(value: unknown): Value;
}

/** What a formula says of a list: how many of its elements fulfil a body. */
export interface ListAtom extends Atom {
  /** `all`, `exists` and `exists_one` as macros; `count` compares the number of elements for which the body is true with `bound`. */
  readonly quantifier: 'all' | 'exists' | 'exists_one' | 'count';
  readonly relation: Relation;
  readonly bound: number;
  /** A formula over the element's atoms. */
  readonly body: Formula;
}

/** A variable of a formula with its atoms. */
export interface Variable {
  readonly name: string;
  readonly atoms: Atom[];
  /** Of a list: its atoms again, with their bodies, and the atoms of an element. */
  readonly listAtoms: ListAtom[];
  readonly elementAtoms: Atom[];
}

/** The name of a list's element in bodies, which no input has. */
const ELEMENT = '(element)';

/** Greatest number that the size of a list or of a part of it is compared with. */
const MOST_COUNT = 1000;

/** Says that a predicate reads two inputs, of which this one has few values: look at each of these apart. */
export class SplitOn {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Reads expressions over inputs into formulas over atoms, each of one input. */
export class Reader {
  readonly formulas: Formulas;
  readonly variables = new Map<string, Variable>();
  /** Numbers of atoms that are not followed: they may have any value. */
  readonly open: number[] = [];
  /** Why atoms are not followed, in words, by their numbers. */
  readonly reasons = new Map<number, string>();
  readonly #inputs: Inputs;
  readonly #given: ReadonlyMap<string, string | number | boolean | null>;
  readonly #atoms = new Map<string, Formula>();
  /** Expressions that have been read: claims share them. */
  readonly #done = new Map<ExpressionNode, Formula>();
  #count = 0;

  /**
   * @param given inputs whose values are known
   * @param count is told of steps, and may throw
   */
  constructor(
    inputs: Inputs,
    given: ReadonlyMap<string, string | number | boolean | null>,
    count: (steps: number) => void,
  ) {
    this.formulas = new Formulas(count);
    this.#inputs = inputs;
    this.#given = given;
  }

  /** @throws SplitOn if a value must be given first */
  read({ root }: Expression): Formula {
    let formula = this.#done.get(root);
    if (formula === undefined) {
      let node = root;
      for (const [name, value] of this.#given) node = substitute(node, name, value);
      formula = this.#read(node, null);
      this.#done.set(root, formula);
    }
    return formula;
  }

  /** @param list the variable whose element is read; null outside of lists */
  #read(node: ExpressionNode, list: string | null): Formula {
    const { formulas } = this;
    const part = (one: ExpressionNode) => this.#read(one, list);
    if (node.kind === 'logical') {
      const parts = node.operands.map(part);
      return node.operator === '&&' ? formulas.and(...parts) : formulas.or(...parts);
    }
    if (node.kind === 'unary' && node.operator === '!') return formulas.not(part(node.operand));
    if (node.kind === 'conditional')
      return formulas.if(part(node.condition), part(node.whenTrue), part(node.whenFalse));
    // Equality of truth values is a connective: a == b is a ? b : !b.
    if (
      node.kind === 'binary' &&
      (node.operator === '==' || node.operator === '!=') &&
      isTruth(node.left) &&
      isTruth(node.right)
    ) {
      const right = part(node.right);
      const same = [right, formulas.not(right)] as const;
      const [whenTrue, whenFalse] = node.operator === '==' ? same : [same[1], same[0]];
      return formulas.if(part(node.left), whenTrue, whenFalse);
    }
    const unrolled = this.#unrolled(node, part);
    if (unrolled !== null) return unrolled;
    const names = freeNames({ name: '', root: node });
    if (names.length === 0) return formulas.constant(valueIn(node));
    if (comparesSizeWithNaN(node)) return formulas.constant(NONE);
    const key = `${list === null ? '' : `${list} `}${printExpression({ name: '', root: node })}`;
    let atom = this.#atoms.get(key);
    if (atom === undefined) {
      atom = this.#followed(node, names, list);
      this.#atoms.set(key, atom);
    }
    return atom;
  }

  /** An atom that is followed, or an open one. */
  #followed(node: ExpressionNode, names: readonly string[], list: string | null): Formula {
    try {
      return this.#atom(node, names, list);
    } catch (error) {
      if (error instanceof SplitOn) throw error;
      const isWhole = list === null || names.every((name) => name === ELEMENT);
      // A body that reads more than the element makes the whole predicate of the list one that is not followed.
      if (!isWhole) throw error;
      const number = this.#count++;
      this.reasons.set(number, reasonOf(error));
      // Of a list's elements it is an atom like others, of which nothing is known.
      if (list === null) this.open.push(number);
      else this.#variable(list).elementAtoms.push({ number, node, evaluate: evaluator(node, ELEMENT) });
      return this.formulas.atom(number);
    }
  }

  /** A quantifier over a list that is known, as a junction of its body for each element; null for another node. */
  #unrolled(node: ExpressionNode, part: (one: ExpressionNode) => Formula): Formula | null {
    if (node.kind !== 'macro' || (node.macro !== 'all' && node.macro !== 'exists')) return null;
    const list = constantOf(node.list)?.value;
    if (!Array.isArray(list) || !list.every(isScalar)) return null;
    const parts = list.map((one) => part(substitute(node.body, node.variable, one)));
    return node.macro === 'all' ? this.formulas.and(...parts) : this.formulas.or(...parts);
  }

  #atom(node: ExpressionNode, names: readonly string[], list: string | null): Formula {
    if (list === null) {
      for (const name of names)
        if (!Object.hasOwn(this.#inputs, name)) throw new Undecidable(node, `"${name}" is no input`);
    }
    const others = names.filter((name) => name !== ELEMENT || list === null);
    if (names.length > 1) this.#split(node, others);
    if (list !== null && others.length === 1) this.#split(node, others);
    const owner = list ?? names[0];
    const isList = list === null && this.#inputs[owner].type.kind === 'list';
    return isList ? this.#listAtom(node, owner) : this.#plainAtom(node, owner, list);
  }

  /** @throws SplitOn if one of the inputs has few values; Undecidable otherwise */
  #split(node: ExpressionNode, names: readonly string[]): never {
    for (const name of names)
      if (Object.hasOwn(this.#inputs, name) && enumerated(this.#inputs[name]) !== undefined)
        throw new SplitOn(name);
    throw new Undecidable(node, 'it depends on several inputs at once, and none of them has few values');
  }

  #plainAtom(node: ExpressionNode, owner: string, list: string | null): Formula {
    const variable = this.#variable(owner);
    const name = list === null ? owner : ELEMENT;
    const number = this.#count++;
    const atoms = list === null ? variable.atoms : variable.elementAtoms;
    atoms.push({ number, node, evaluate: evaluator(node, name) });
    return this.formulas.atom(number);
  }

  #listAtom(node: ExpressionNode, owner: string): Formula {
    const shape = this.#shapeOf(node, owner);
    const variable = this.#variable(owner);
    const number = this.#count++;
    const atom: ListAtom = { number, node, evaluate: evaluator(node, owner), ...shape };
    variable.atoms.push(atom);
    variable.listAtoms.push(atom);
    return this.formulas.atom(number);
  }

  #shapeOf(node: ExpressionNode, owner: string): Omit<ListAtom, keyof Atom> {
    const always = { relation: '==', bound: 0 } as const;
    const { type } = this.#inputs[owner];
    if (type.kind === 'list' && type.of.kind === 'record' && !isSizeOf(node, owner))
      throw new Undecidable(node, 'of a list of records only the size is followed');
    if (comparesWithNull(node, owner)) {
      // The same of every list that is there, as of a size that is always reached.
      const relation = (node as NodeOf<'binary'>).operator === '==' ? '<' : '>=';
      return { quantifier: 'count', relation, bound: 0, body: this.formulas.true };
    }
    if (node.kind === 'macro') {
      const { macro } = node;
      if (macro === 'filter' || macro === 'map')
        throw new Undecidable(node, 'it is a list, not a truth value');
      return { quantifier: macro, ...always, body: this.#body(node, owner) };
    }
    if (node.kind === 'binary' && node.operator === 'in') {
      const element = constantOf(node.left);
      if (element !== undefined && isName(node.right, owner)) {
        // The list has an element that is equal; one of another type has none.
        const { place } = node;
        const equal: ExpressionNode = {
          kind: 'binary',
          operator: '==',
          left: { kind: 'name', name: ELEMENT, place },
          right: node.left,
          place,
        };
        return { quantifier: 'exists', ...always, body: this.#read(equal, owner) };
      }
    }
    if (node.kind === 'binary' && isRelation(node.operator)) {
      const [left, right] = [constantOf(node.left), constantOf(node.right)];
      const bound = left ?? right;
      const counted = left === undefined ? node.left : node.right;
      const relation = left === undefined ? node.operator : MIRRORED[node.operator];
      if (bound !== undefined && counted.kind === 'call' && counted.function === 'size') {
        if (typeof bound.value !== 'number' || bound.value > MOST_COUNT)
          throw new Undecidable(node, `it compares the size of a list with no number up to ${MOST_COUNT}`);
        const [of] = counted.arguments;
        if (isName(of, owner))
          return { quantifier: 'count', relation, bound: bound.value, body: this.formulas.true };
        if (of.kind === 'macro' && of.macro === 'filter')
          return { quantifier: 'count', relation, bound: bound.value, body: this.#body(of, owner) };
      }
    }
    throw new Undecidable(
      node,
      'of a list only all, exists, exists_one, in, size and the size of a filter are followed',
    );
  }

  #body({ list, variable, body, ...node }: NodeOf<'macro'>, owner: string): Formula {
    if (!isName(list, owner))
      throw new Undecidable({ list, variable, body, ...node }, 'it reads no input of the kind list');
    return this.#read(rename(body, variable, ELEMENT), owner);
  }

  #variable(name: string): Variable {
    let variable = this.variables.get(name);
    if (variable === undefined) {
      variable = { name, atoms: [], listAtoms: [], elementAtoms: [] };
      this.variables.set(name, variable);
    }
    return variable;
  }
}

/** The name under which atoms of elements read their element. */
export const ELEMENT_NAME = ELEMENT;

function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function isName(node: ExpressionNode, name: string): boolean {
  return node.kind === 'name' && node.name === name;
}

function isSizeOf(node: ExpressionNode, list: string): boolean {
  if (node.kind !== 'binary') return false;
  const isSize = (side: ExpressionNode): boolean =>
    side.kind === 'call' && side.function === 'size' && isName(side.arguments[0], list);
  return isSize(node.left) || isSize(node.right) || comparesWithNull(node, list);
}

/** Whether a size is compared with a constant that is NaN, as `n / n` is where n is given as 0: the comparison has no value, of whatever list or text. */
function comparesSizeWithNaN(node: ExpressionNode): boolean {
  if (node.kind !== 'binary' || !isRelation(node.operator)) return false;
  const isSize = (side: ExpressionNode): boolean => side.kind === 'call' && side.function === 'size';
  const hasNone = (side: ExpressionNode): boolean => Number.isNaN(constantOf(side)?.value);
  return (isSize(node.left) && hasNone(node.right)) || (hasNone(node.left) && isSize(node.right));
}

/** Whether an input itself is compared with null: what is read of it by a function may have no value. */
export function comparesWithNull(node: ExpressionNode, name: string): boolean {
  if (node.kind !== 'binary' || (node.operator !== '==' && node.operator !== '!=')) return false;
  const isNull = (side: ExpressionNode): boolean => side.kind === 'literal' && side.value === null;
  return (isName(node.left, name) && isNull(node.right)) || (isNull(node.left) && isName(node.right, name));
}

function evaluator(node: ExpressionNode, name: string): (value: unknown) => Value {
  let evaluate: Evaluate<boolean>;
  try {
    evaluate = compileCondition({ name: '', root: node });
  } catch (error) {
    // A pattern that is none, which a value of an input has become.
    if (error instanceof ParseError) return () => NONE;
    throw error;
  }
  return (value) => evaluated(evaluate, { [name]: value });
}

function valueIn(node: ExpressionNode): Value {
  return evaluator(node, '')(null);
}

function evaluated(evaluate: Evaluate<boolean>, state: Readonly<Record<string, unknown>>): Value {
  try {
    return evaluate(state, {}) ? TRUE : FALSE;
  } catch {
    return NONE;
  }
}
