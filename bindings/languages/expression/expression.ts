import { type FunctionName, isTextFunction } from './functions.js';

/** The place of a node in its source; lines and columns count from 1, offsets (in UTF-16 units) from 0. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

/** A parsed expression: its syntax tree, and the name of its source for messages. */
export interface Expression {
  readonly name: string;
  readonly root: ExpressionNode;
}

/** Operators on numbers; `+` also joins texts and lists. */
export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%';
/** Operators whose result is a truth value. */
export type RelationalOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in';
/** Macros of CEL, which bind a variable to each element of a list in turn. */
export type MacroName = 'exists' | 'all' | 'exists_one' | 'filter' | 'map';

/**
 * Syntax tree of the expression language. A chain of `&&` (or of `||`) is one node, so that long generated conditions stay flat. `x.size()`
 * and `size(x)` are the same node, with the receiver as first argument.
 */
export type ExpressionNode = { readonly place: Place } & (
  | { readonly kind: 'literal'; readonly value: number | string | boolean | null }
  | { readonly kind: 'list'; readonly elements: readonly ExpressionNode[] }
  | {
      readonly kind: 'map';
      readonly keys: readonly ExpressionNode[];
      readonly values: readonly ExpressionNode[];
    }
  /** A macro's variable, `time`, `action`, or otherwise a field of the state. */
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'field'; readonly object: ExpressionNode; readonly field: string }
  | { readonly kind: 'has'; readonly object: ExpressionNode; readonly field: string }
  | { readonly kind: 'index'; readonly object: ExpressionNode; readonly index: ExpressionNode }
  | { readonly kind: 'unary'; readonly operator: '!' | '-'; readonly operand: ExpressionNode }
  | {
      readonly kind: 'binary';
      readonly operator: ArithmeticOperator | RelationalOperator;
      readonly left: ExpressionNode;
      readonly right: ExpressionNode;
    }
  | { readonly kind: 'logical'; readonly operator: '&&' | '||'; readonly operands: readonly ExpressionNode[] }
  | {
      readonly kind: 'conditional';
      readonly condition: ExpressionNode;
      readonly whenTrue: ExpressionNode;
      readonly whenFalse: ExpressionNode;
    }
  | { readonly kind: 'call'; readonly function: FunctionName; readonly arguments: readonly ExpressionNode[] }
  | {
      readonly kind: 'macro';
      readonly macro: MacroName;
      readonly list: ExpressionNode;
      readonly variable: string;
      readonly body: ExpressionNode;
    }
);

/** A node of one kind. */
export type NodeOf<K extends ExpressionNode['kind']> = Extract<ExpressionNode, { kind: K }>;

/** The direct parts of a node, in the order of the source. */
export function children(node: ExpressionNode): readonly ExpressionNode[] {
  switch (node.kind) {
    case 'literal':
    case 'name':
      return [];
    case 'list':
      return node.elements;
    case 'map':
      return node.keys.flatMap((key, i) => [key, node.values[i]]);
    case 'field':
    case 'has':
      return [node.object];
    case 'index':
      return [node.object, node.index];
    case 'unary':
      return [node.operand];
    case 'binary':
      return [node.left, node.right];
    case 'logical':
      return node.operands;
    case 'conditional':
      return [node.condition, node.whenTrue, node.whenFalse];
    case 'call':
      return node.arguments;
    case 'macro':
      return [node.list, node.body];
  }
}

/** A free path of an expression, such as `speed`, `from.doorOpen` or `action.name`, and the place of its first occurrence. */
export interface FreePath {
  readonly path: string;
  readonly place: Place;
}

/**
 * The free paths of an expression: the dotted paths that it reads from the state or the step, in full length, each once, in source order.
 * Reads of macro variables are not included.
 */
export function freePaths(expression: Expression): FreePath[] {
  const places = new Map<string, Place>();
  const visit = (node: ExpressionNode, bound: readonly string[], suffix: string): void => {
    if (node.kind === 'name') {
      const path = node.name + suffix;
      if (!bound.includes(node.name) && !places.has(path)) places.set(path, node.place);
    } else if (node.kind === 'field' || node.kind === 'has') {
      visit(node.object, bound, `.${node.field}${suffix}`);
    } else if (node.kind === 'macro') {
      visit(node.list, bound, '');
      visit(node.body, [...bound, node.variable], '');
    } else for (const child of children(node)) visit(child, bound, '');
  };
  visit(expression.root, [], '');
  return Array.from(places, ([path, place]) => ({ path, place }));
}

/**
 * The free names of an expression: fields of the state, and `time` and `action` if used. These are the first parts of its `freePaths`, each once.
 */
export function freeNames(expression: Expression): string[] {
  return [...new Set(freePaths(expression).map(({ path }) => path.split('.', 1)[0]))];
}

/** Whether an expression calls `matches`, so that `loadRegexEngine` must be awaited before it is compiled. */
export function usesMatches(expression: Expression): boolean {
  return calls(expression, (name) => name === 'matches');
}

/** Whether an expression calls a function on texts, so that `loadTextOperations` must be awaited before its tree is compiled. */
export function usesTexts(expression: Expression): boolean {
  return calls(expression, isTextFunction);
}

/** Whether an expression calls this function. */
export function callsFunction(expression: Expression, name: FunctionName): boolean {
  return calls(expression, (one) => one === name);
}

function calls({ root }: Expression, isOne: (name: FunctionName) => boolean): boolean {
  const visit = (node: ExpressionNode): boolean =>
    (node.kind === 'call' && isOne(node.function)) || children(node).some(visit);
  return visit(root);
}
