import { NotSupportedError } from '../../../base/errors.js';
import {
  compileConstraint,
  type ExpressionNode,
  parseExpression,
} from '../../../languages/expression/index.js';
import type { Formula } from '../../../languages/logic/index.js';
import type { ConstraintDefinitions } from '../../../observations/abstraction/index.js';

const place = { offset: 0, line: 1, column: 1 };

/**
 * The constraints on a run as a formula: every step is a valid state, every step but the first is a valid successor of the one before it, and the last one may
 * be the last. Null if there are no constraints.
 *
 * @throws NotSupportedError, ParseError if a constraint is not a Boolean combination of names
 */
export function constraintFormula({ state, transition, end }: ConstraintDefinitions): Formula | null {
  const onSteps: Formula[] = [];
  if (state !== undefined) onSteps.push(formulaOf('state', state));
  if (transition !== undefined) onSteps.push(or(unary('WY', FALSE), formulaOf('transition', transition)));
  if (end !== undefined) onSteps.push(or(unary('X', not(FALSE)), formulaOf('end', end)));
  return onSteps.length === 0 ? null : unary('G', onSteps.reduce(and));
}

export function and(left: Formula, right: Formula): Formula {
  return { kind: 'and', left, right, place };
}

const FALSE: Formula = { kind: 'constant', value: false, place };

function or(left: Formula, right: Formula): Formula {
  return { kind: 'or', left, right, place };
}

function not(operand: Formula): Formula {
  return { kind: 'not', operand, place };
}

function unary(operator: 'G' | 'X' | 'Y' | 'WY', operand: Formula): Formula {
  return { kind: 'unary', operator, operand, window: null, place };
}

function predicate(name: string): Formula {
  return { kind: 'predicate', name, place };
}

function formulaOf(kind: keyof ConstraintDefinitions, source: string): Formula {
  const expression = parseExpression(source, { name: `constraints.${kind}` });
  // Refuses every expression that has no case below.
  compileConstraint(expression);
  return translated(expression.root);
}

function translated(node: ExpressionNode): Formula {
  switch (node.kind) {
    case 'literal':
      return node.value === true ? not(FALSE) : FALSE;
    case 'name':
      return predicate(node.name);
    case 'field':
      if (node.object.kind === 'name' && node.object.name === 'to') return predicate(node.field);
      if (node.object.kind === 'name' && node.object.name === 'from')
        return unary('Y', predicate(node.field));
      break;
    case 'unary':
      return not(translated(node.operand));
    case 'logical':
      return node.operands.map(translated).reduce(node.operator === '||' ? or : and);
    case 'conditional': {
      const test = translated(node.condition);
      return or(and(test, translated(node.whenTrue)), and(not(test), translated(node.whenFalse)));
    }
    case 'binary': {
      const same: Formula = {
        kind: 'iff',
        left: translated(node.left),
        right: translated(node.right),
        place,
      };
      return node.operator === '==' ? same : not(same);
    }
  }
  throw new NotSupportedError('a constraint on steps names predicates, from.NAME or to.NAME');
}
