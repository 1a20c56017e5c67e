import {
  children,
  compileExpression,
  type ExpressionNode,
  freeNames,
  type NodeOf,
} from '../../languages/expression/index.js';
import type { Json } from '../workflow/index.js';

/*
 * Terms say how a value comes from what a plan has at hand: expressions over symbols. A symbol is a name of the plan behind an @, so that no variable of a macro
 * and no argument of a tool is called so.
 */

export type Term = ExpressionNode;

/** Terms have no source. */
export const NOWHERE = { line: 1, column: 1, offset: 0 } as const;

/** The symbol for what a plan calls so. */
export function symbol(name: string): Term {
  return { kind: 'name', name: `@${name}`, place: NOWHERE };
}

/** A value as a term. */
export function termOf(value: Json): Term {
  if (typeof value !== 'object' || value === null) return { kind: 'literal', value, place: NOWHERE };
  if (isList(value)) return { kind: 'list', elements: value.map(termOf), place: NOWHERE };
  const keys = Object.keys(value).map(termOf);
  return { kind: 'map', keys, values: Object.values(value).map(termOf), place: NOWHERE };
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** The value of a term without symbols; undefined if it has symbols, or no value. */
export function constantOf(term: Term): { readonly value: Json } | undefined {
  if (term.kind === 'literal') return { value: term.value };
  if (term.kind === 'name' || freeNames({ name: '', root: term }).length > 0) return undefined;
  try {
    return { value: compileExpression({ name: '', root: term })({}, {}) as Json };
  } catch {
    return undefined;
  }
}

/** The term with its constant parts computed. */
export function folded(term: Term): Term {
  if (term.kind === 'literal' || term.kind === 'list' || term.kind === 'map') return term;
  const constant = constantOf(term);
  return constant === undefined ? term : termOf(constant.value);
}

/** A part of a term: a field, or an element counted from 0. */
export function partOf(term: Term, key: string | number): Term {
  if (typeof key === 'number') {
    if (term.kind === 'list' && key < term.elements.length) return term.elements[key];
    return { kind: 'index', object: term, index: termOf(key), place: NOWHERE };
  }
  if (term.kind === 'map') {
    // A map whose keys are computed, or not different, may have no value, and neither has its part.
    const keys = term.keys.map((one) => (one.kind === 'literal' ? one.value : null));
    const at = keys.indexOf(key);
    if (at >= 0 && !keys.includes(null) && new Set(keys).size === keys.length) return term.values[at];
  }
  return { kind: 'field', object: term, field: key, place: NOWHERE };
}

/** The expression with terms in place of its free names; names without a term stay. */
export function instantiate(node: ExpressionNode, termOfName: (name: string) => Term | undefined): Term {
  const visit = (at: ExpressionNode, bound: readonly string[]): ExpressionNode => {
    const part = (child: ExpressionNode) => visit(child, bound);
    switch (at.kind) {
      case 'literal':
        return at;
      case 'name':
        return (bound.includes(at.name) ? undefined : termOfName(at.name)) ?? at;
      case 'list':
        return { ...at, elements: at.elements.map(part) };
      case 'map':
        return { ...at, keys: at.keys.map(part), values: at.values.map(part) };
      case 'field':
        return partOf(part(at.object), at.field);
      case 'has': {
        const object = part(at.object);
        if (object.kind !== 'map') return { ...at, object };
        if (object.keys.some((key) => key.kind === 'literal' && key.value === at.field)) return termOf(true);
        // A key that is computed may be the field.
        return object.keys.every(({ kind }) => kind === 'literal') ? termOf(false) : { ...at, object };
      }
      case 'index': {
        const index = part(at.index);
        const key = index.kind === 'literal' ? index.value : null;
        const object = part(at.object);
        if (typeof key === 'number' && Number.isInteger(key) && key >= 0) return partOf(object, key);
        return typeof key === 'string' && object.kind === 'map'
          ? partOf(object, key)
          : { ...at, object, index };
      }
      case 'unary':
        return { ...at, operand: part(at.operand) };
      case 'binary':
        return { ...at, left: part(at.left), right: part(at.right) };
      case 'logical':
        return { ...at, operands: at.operands.map(part) };
      case 'conditional':
        return {
          ...at,
          condition: part(at.condition),
          whenTrue: part(at.whenTrue),
          whenFalse: part(at.whenFalse),
        };
      case 'call': {
        const [first, ...rest] = at.arguments.map(part);
        if (at.function === 'size' && first.kind === 'list') return termOf(first.elements.length);
        return { ...at, arguments: [first, ...rest] };
      }
      case 'macro':
        return unrolled({ ...at, list: part(at.list), body: visit(at.body, [...bound, at.variable]) });
    }
  };
  return visit(node, []);
}

/** Longest list that quantifiers are written out over. */
const MOST_UNROLLED = 32;

/** A quantifier over a list that is written out, as a junction of its body for each element. */
function unrolled(node: NodeOf<'macro'>): Term {
  const { macro, list, variable, body, place } = node;
  const isQuantifier = macro === 'all' || macro === 'exists';
  if (!isQuantifier || list.kind !== 'list' || list.elements.length > MOST_UNROLLED) return node;
  // An element that reads the variable of a macro around would read that of a macro within, if both are called so.
  if (binds(body, new Set(list.elements.flatMap(symbolsOf)))) return node;
  const operands = list.elements.map((element) =>
    instantiate(body, (name) => (name === variable ? element : undefined)),
  );
  if (operands.length === 0) return termOf(macro === 'all');
  return operands.length === 1
    ? operands[0]
    : { kind: 'logical', operator: macro === 'all' ? '&&' : '||', operands, place };
}

/** Whether something has more parts than that, each counted as often as it occurs. */
export function isLarge(value: unknown, most: number): boolean {
  let left = most;
  const visit = (part: unknown): boolean => {
    if (typeof part !== 'object' || part === null) return false;
    return --left < 0 || Object.values(part).some(visit);
  };
  return visit(value);
}

/** Whether a macro of the expression has a variable of one of the names. */
function binds(node: ExpressionNode, names: ReadonlySet<string>): boolean {
  if (node.kind === 'macro' && names.has(node.variable)) return true;
  return names.size > 0 && children(node).some((child) => binds(child, names));
}

export function negation(term: Term): Term {
  if (term.kind === 'unary' && term.operator === '!') return term.operand;
  return { kind: 'unary', operator: '!', operand: term, place: NOWHERE };
}

export function equality(left: Term, right: Term): Term {
  return { kind: 'binary', operator: '==', left, right, place: NOWHERE };
}

/** The symbols that a term reads. */
export function symbolsOf(term: Term): string[] {
  return freeNames({ name: '', root: term });
}

/** Whether a symbol is one of a round, or was one and is kept under another name. */
export function isLocal(name: string, local: ReadonlySet<string>): boolean {
  return local.has(name.split('#', 1)[0]);
}
