import type { Expression, ExpressionNode, NodeOf } from './expression.js';
import { FUNCTIONS } from './functions.js';

/** Binding strength, weakest first; operands that bind weaker than their place requires are parenthesised. */
const strength = {
  conditional: 0,
  or: 1,
  and: 2,
  relation: 3,
  sum: 4,
  product: 5,
  unary: 6,
  member: 7,
} as const;

const binaryStrength: Readonly<Record<NodeOf<'binary'>['operator'], number>> = {
  '==': strength.relation,
  '!=': strength.relation,
  '<': strength.relation,
  '<=': strength.relation,
  '>': strength.relation,
  '>=': strength.relation,
  in: strength.relation,
  '+': strength.sum,
  '-': strength.sum,
  '*': strength.product,
  '/': strength.product,
  '%': strength.product,
};

/** Prints an expression as canonical text, which is valid CEL: parsing it gives the same tree, except for places. */
export function printExpression(expression: Expression): string {
  return print(expression.root, strength.conditional);
}

function print(node: ExpressionNode, minimum: number): string {
  const text = printBare(node);
  return strengthOf(node) < minimum ? `(${text})` : text;
}

function strengthOf(node: ExpressionNode): number {
  switch (node.kind) {
    case 'conditional':
      return strength.conditional;
    case 'logical':
      return node.operator === '||' ? strength.or : strength.and;
    case 'binary':
      return binaryStrength[node.operator];
    case 'unary':
      return strength.unary;
    case 'literal':
      return typeof node.value === 'number' && node.value < 0 ? strength.unary : strength.member;
    default:
      return strength.member;
  }
}

function printBare(node: ExpressionNode): string {
  switch (node.kind) {
    case 'literal':
      return JSON.stringify(node.value);
    case 'name':
      return node.name;
    case 'list':
      return `[${printAll(node.elements)}]`;
    case 'map':
      return `{${node.keys.map((key, i) => `${printAll([key])}: ${printAll([node.values[i]])}`).join(', ')}}`;
    case 'field': {
      // A name that could not be written so is that of a part which was not parsed.
      const isName = /^[A-Za-z_][A-Za-z0-9_]*$/.test(node.field);
      return (
        print(node.object, strength.member) + (isName ? `.${node.field}` : `[${JSON.stringify(node.field)}]`)
      );
    }
    case 'has':
      return `has(${print(node.object, strength.member)}.${node.field})`;
    case 'index':
      return `${print(node.object, strength.member)}[${printAll([node.index])}]`;
    case 'unary':
      return node.operator + print(node.operand, strength.unary);
    case 'binary': {
      const own = strengthOf(node);
      return `${print(node.left, own)} ${node.operator} ${print(node.right, own + 1)}`;
    }
    case 'logical':
      return node.operands.map((operand) => print(operand, strengthOf(node) + 1)).join(` ${node.operator} `);
    case 'conditional': {
      const { condition, whenTrue, whenFalse } = node;
      const branches = `${print(whenTrue, strength.or)} : ${print(whenFalse, strength.conditional)}`;
      return `${print(condition, strength.or)} ? ${branches}`;
    }
    case 'call': {
      if (FUNCTIONS[node.function].written === 'global')
        return `${node.function}(${printAll(node.arguments)})`;
      const [first, ...rest] = node.arguments;
      return `${print(first, strength.member)}.${node.function}(${printAll(rest)})`;
    }
    case 'macro': {
      const { list, macro, variable, body } = node;
      return `${print(list, strength.member)}.${macro}(${variable}, ${printAll([body])})`;
    }
  }
}

function printAll(nodes: readonly ExpressionNode[]): string {
  return nodes.map((node) => print(node, strength.conditional)).join(', ');
}
