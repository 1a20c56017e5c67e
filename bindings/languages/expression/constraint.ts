import { NotSupportedError } from '../../base/errors.js';
import type { Expression, ExpressionNode } from './expression.js';
import { printExpression } from './print.js';
import { quote } from './quote.js';

/** True, false, or undefined if not yet decided. */
export type Trilean = boolean | undefined;

/** A constraint compiled to Kleene's three-valued logic; `lookup` gives the value of each path, if known. */
export type PartialEvaluate = (lookup: (path: string) => Trilean) => Trilean;

/**
 * Compiles a Boolean expression over paths such as `microwaveOn`, `from.doorOpen`, `to.doorOpen` to three-valued evaluation: true or false
 * once the known paths decide it, undefined before. Only `&& || !`, the conditional, `==` and `!=` between such parts, `true` and `false`
 * are supported.
 *
 * @throws NotSupportedError at the first unsupported part.
 */
export function compileConstraint(expression: Expression): PartialEvaluate {
  const compile = (node: ExpressionNode): PartialEvaluate => {
    const path = pathOf(node);
    if (path !== undefined) return (lookup) => lookup(path);
    if (node.kind === 'literal' && typeof node.value === 'boolean') {
      const { value } = node;
      return () => value;
    }
    if (node.kind === 'unary' && node.operator === '!') {
      const operand = compile(node.operand);
      return (lookup) => {
        const value = operand(lookup);
        return value === undefined ? undefined : !value;
      };
    }
    if (node.kind === 'logical') return connective(node.operands.map(compile), node.operator === '||');
    if (node.kind === 'conditional') {
      return conditional(compile(node.condition), compile(node.whenTrue), compile(node.whenFalse));
    }
    if (node.kind === 'binary' && (node.operator === '==' || node.operator === '!=')) {
      return equality(compile(node.left), compile(node.right), node.operator === '==');
    }
    const { line, column } = node.place;
    throw new NotSupportedError(
      `${expression.name}:${line}:${column}: found ${quote(printExpression({ name: '', root: node }))}, expected a predicate name, true, false, ` +
        'or these joined by && || ! ?: == !=; put the rest into a predicate of its own',
    );
  };
  return compile(expression.root);
}

/** Compiles a constraint and evaluates it once. */
export function evaluatePartially(expression: Expression, lookup: (path: string) => Trilean): Trilean {
  return compileConstraint(expression)(lookup);
}

function pathOf(node: ExpressionNode): string | undefined {
  if (node.kind === 'name') return node.name;
  if (node.kind !== 'field') return undefined;
  const object = pathOf(node.object);
  return object === undefined ? undefined : `${object}.${node.field}`;
}

function connective(operands: readonly PartialEvaluate[], deciding: boolean): PartialEvaluate {
  return (lookup) => {
    let result: Trilean = !deciding;
    for (const operand of operands) {
      const value = operand(lookup);
      if (value === deciding) return deciding;
      if (value === undefined) result = undefined;
    }
    return result;
  };
}

function conditional(
  test: PartialEvaluate,
  whenTrue: PartialEvaluate,
  whenFalse: PartialEvaluate,
): PartialEvaluate {
  return (lookup) => {
    const holds = test(lookup);
    if (holds !== undefined) return holds ? whenTrue(lookup) : whenFalse(lookup);
    const value = whenTrue(lookup);
    return value === whenFalse(lookup) ? value : undefined;
  };
}

function equality(left: PartialEvaluate, right: PartialEvaluate, whenEqual: boolean): PartialEvaluate {
  return (lookup) => {
    const a = left(lookup);
    const b = right(lookup);
    return a === undefined || b === undefined ? undefined : (a === b) === whenEqual;
  };
}
