import { EvaluationError, ParseError } from '../../base/errors.js';
import { wordsOf } from '../../base/words.js';
import {
  type Cell,
  type Closure,
  constantValue,
  type EvaluationContext,
  fieldRead,
  isReserved,
  pathOf,
} from './closure.js';
import { compileComparison } from './comparison.js';
import type { Expression, ExpressionNode, NodeOf } from './expression.js';
import { Failure, mismatch } from './failure.js';
import { compileMacro, type Selector } from './macro.js';
import {
  accessField,
  applyOperation,
  balanced,
  compileCall,
  compileConditional,
  compileHas,
  compileIndex,
  compileList,
  compileMap,
  compileName,
  compileUnary,
  readField,
} from './nodes.js';
import { binaryOperations, type Operation } from './operators.js';
import { cachedPatterns, compilePattern } from './regex.js';
import type { Fields } from './values.js';

/** A compiled expression. */
export type Evaluate<T = unknown> = (state: Fields, context: EvaluationContext) => T;

/**
 * Compiles an expression to a function of a state (own fields only) and an evaluation context. Comparisons with constants, Boolean
 * operators, `exists` and `all` allocate nothing. The function is not re-entrant from getters of the state.
 *
 * @returns a function that returns the value, or throws EvaluationError if there is none: for an absent field, a value of the wrong type or
 * an index out of range that `&&`, `||`, `exists` or `all` do not absorb.
 * @throws ParseError if a pattern of `matches` is invalid; NotSupportedError if `matches` is used and `loadRegexEngine` was not awaited,
 * or a function on texts is used in a tree and `loadTextOperations` was not.
 */
export function compileExpression(expression: Expression): Evaluate {
  return evaluator(expression, undefined, () => undefined);
}

/**
 * Compiles an expression that must be Boolean, as `compileExpression` does. Types are checked only during evaluation; `compilePredicate`
 * also checks them beforehand.
 *
 * @param predicate its name, for the `predicate` field of errors.
 */
export function compileCondition(expression: Expression, predicate?: string): Evaluate<boolean> {
  const { place } = expression.root;
  return evaluator(expression, predicate, (value) => mismatch(place, 'the predicate', 'a Boolean', value));
}

/**
 * Compiles a condition on values that the caller puts into cells, one for each name, in place of fields of a state: reading a cell takes a tenth of the time of
 * reading an own field by its name. The function returns null where `compileCondition` throws.
 */
export function compileOnCells(
  { name, root }: Expression,
  cells: ReadonlyMap<string, Cell>,
): () => boolean | null {
  // `time` and `action` are the step's, whatever a cell is called.
  const variables = new Map([...cells].filter(([cell]) => !isReserved(cell)));
  const closure = new Compiler(name).compile(root, variables);
  return () => {
    try {
      const value = closure(NOTHING, NOTHING);
      return typeof value === 'boolean' ? value : null;
    } catch {
      return null;
    }
  };
}

const NOTHING = Object.freeze({});

/** `reject` returns the failure for an unwanted value, or undefined to accept it. */
function evaluator<T>(
  expression: Expression,
  predicate: string | undefined,
  reject: (value: unknown) => Failure | undefined,
): Evaluate<T> {
  const { name, root } = expression;
  const closure = new Compiler(name).compile(root, new Map());
  return (state, context) => {
    let value: unknown;
    try {
      value = closure(state, context);
    } catch (cause) {
      // Caused by data nested too deep to compare, or by a getter that throws.
      const failed = `${name}: evaluation failed`;
      const details = { cause, withoutValues: failed, ...(predicate !== undefined && { predicate }) };
      throw new EvaluationError(`${failed}: ${wordsOf(cause)}`, details);
    }
    if (typeof value === 'boolean') return value as T;
    const failure = value instanceof Failure ? value : reject(value);
    if (failure !== undefined) throw failure.toError(name, predicate, state);
    return value as T;
  };
}

/** Macro variables in scope. */
type Variables = ReadonlyMap<string, Cell>;

class Compiler {
  readonly #name: string;
  constructor(name: string) {
    this.#name = name;
  }

  compile(node: ExpressionNode, variables: Variables): Closure {
    const constant = constantValue(node);
    if (constant !== undefined) return () => constant;
    const read = fieldRead(node, variables);
    if (read !== undefined) return readField(read, node, pathOf(node, variables));
    const part = (child: ExpressionNode) => this.compile(child, variables);
    switch (node.kind) {
      case 'name':
        return compileName(node, variables);
      case 'field':
        return accessField(part(node.object), node.field, node.place, pathOf(node, variables));
      case 'has':
        return compileHas(part(node.object), node, variables);
      case 'index':
        return compileIndex(part(node.object), part(node.index), node);
      case 'list':
        return compileList(node.elements.map(part));
      case 'map':
        return compileMap(node.keys.map(part), node.values.map(part), node);
      case 'unary':
        return compileUnary(part(node.operand), node);
      case 'binary':
        return this.#binary(node, variables);
      case 'logical':
        return balanced(node.operands.map(part), node);
      case 'conditional':
        return compileConditional(part(node.condition), part(node.whenTrue), part(node.whenFalse), node);
      case 'call':
        return node.function === 'matches'
          ? this.#matches(node, part)
          : compileCall(node, node.arguments.map(part));
      case 'macro':
        return this.#macro(node, variables);
      default:
        throw new TypeError(`a literal of no value at ${node.place.line}:${node.place.column}`);
    }
  }

  #binary(node: NodeOf<'binary'>, variables: Variables): Closure {
    const { operator, left, right } = node;
    const a = this.compile(left, variables);
    const b = this.compile(right, variables);
    const general = applyOperation(binaryOperations[operator], `"${operator}"`, a, b, node);
    return compileComparison(node, variables, general) ?? general;
  }

  #macro(node: NodeOf<'macro'>, variables: Variables): Closure {
    const cell: Cell = { value: undefined, path: pathOf(node.list, variables) };
    const inner = new Map(variables).set(node.variable, cell);
    const list = this.compile(node.list, variables);
    return compileMacro(node, list, cell, this.compile(node.body, inner), selectorOf(node));
  }

  #matches(node: NodeOf<'call'>, part: (child: ExpressionNode) => Closure): Closure {
    const [text, pattern] = node.arguments;
    let find: (pattern: string) => ReturnType<typeof compilePattern>;
    if (pattern.kind === 'literal' && typeof pattern.value === 'string') {
      const matcher = compilePattern(pattern.value);
      if (typeof matcher === 'string') {
        const { line, column } = pattern.place;
        const expected = 'a pattern in RE2 syntax';
        throw new ParseError(`found ${matcher}`, { source: this.#name, line, column, expected });
      }
      find = () => matcher;
    } else find = cachedPatterns();
    const operation: Operation = {
      apply: (value, source) => {
        if (typeof value !== 'string' || typeof source !== 'string') return undefined;
        const matcher = find(source);
        return typeof matcher === 'string'
          ? new Failure(
              node.place,
              `"matches" found ${matcher}`,
              undefined,
              '"matches" expected a pattern in RE2 syntax',
            )
          : matcher(value);
      },
      expected: 'two strings',
    };
    return applyOperation(operation, '"matches"', part(text), part(pattern), node);
  }
}

/**
 * Finds a condition on a text field among the conditions that a body joins by `&&`. A false condition makes the body false even if others
 * fail, and `exists` skips an element with a false body.
 */
function selectorOf({ macro, variable, body }: NodeOf<'macro'>): Selector | undefined {
  if (macro !== 'exists') return undefined;
  const conditions = body.kind === 'logical' && body.operator === '&&' ? body.operands : [body];
  for (const node of conditions) {
    if (node.kind !== 'binary' || node.operator !== '==') continue;
    const { left, right } = node;
    const ofElement = left.kind === 'field' && left.object.kind === 'name' && left.object.name === variable;
    if (ofElement && left.field !== 'length' && right.kind === 'literal' && typeof right.value === 'string') {
      return { field: left.field, text: right.value };
    }
  }
  return undefined;
}
