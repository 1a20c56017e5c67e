import { isMap, isScalar, isSeq, type Node } from 'yaml';
import {
  checkPredicate,
  type Expression,
  type ExpressionNode,
  freeNames,
  parseExpression,
  type Schema,
} from '../../languages/expression/index.js';
import type { SpecificationDocument } from '../../rules/specification/index.js';
import type { Condition } from './contract.js';
import { expressionSchema } from './inputsOf.js';
import type { Typed } from './satisfiable.js';

/** Names that expressions read from the step, and not from the values. */
const RESERVED = ['action', 'time'];

/** Reads conditions over values whose types are known. */
export class ConditionReader {
  readonly #document: SpecificationDocument;

  constructor(document: SpecificationDocument) {
    this.#document = document;
  }

  /** One condition. @returns undefined after a problem */
  expression(node: Node | null, what: string, types: Typed): Expression | undefined {
    if (isScalar(node) && typeof node.value === 'boolean')
      return parseExpression(String(node.value), { name: what });
    const text = this.#document.text(node, what);
    if (text === undefined) return undefined;
    return this.#document.attempt(node, () => {
      const parsed = parseExpression(text, { name: what });
      const hidden = freeNames(parsed).find((name) => RESERVED.includes(name));
      if (hidden !== undefined && types.has(hidden))
        this.#document.problem(
          node,
          `${what} reads "${hidden}", which expressions take for the ${hidden} of a step and not for an argument; leave it out of conditions`,
        );
      checkPredicate({ name: parsed.name, root: withoutPatterns(parsed.root, types) }, schemaOf(types));
      return parsed;
    });
  }

  /** `'CONDITION'`, `{ condition: '…', atRunTime: true }`, a list of such, or `{ NAME: 'CONDITION', NAME: { condition: '…', atRunTime: true } }`. */
  conditions(
    node: Node | null,
    what: string,
    key: string,
    types: Typed,
  ): { condition: Condition; node: Node | null }[] {
    // One condition with settings and without a name reads as it is meant.
    const isOne = isMap(node) && node.has('condition');
    const named: (readonly [string, Node | null])[] =
      isMap(node) && !isOne
        ? [...this.#document.entries(node, `${what}: ${key}`)].map(
            ([name, { value }]) => [name, value] as const,
          )
        : isSeq(node)
          ? (node.items as Node[]).map(
              (item, i) => [node.items.length === 1 ? key : `${key} ${i + 1}`, item] as const,
            )
          : [[key, node]];
    return named.flatMap(([name, value]) => {
      const of = `${what}: ${name === key ? key : `${key} "${name}"`}`;
      let [text, atRunTime] = [value, false];
      if (isMap(value)) {
        const fields = this.#document.entries(
          value,
          of,
          key === 'requires' ? ['condition', 'atRunTime'] : ['condition'],
        );
        text = fields.get('condition')?.value ?? null;
        if (fields.has('atRunTime'))
          atRunTime = this.#document.boolean(fields.get('atRunTime')!.value, `${of}: atRunTime`) ?? false;
      }
      const expression = this.expression(text, of, types);
      return expression === undefined ? [] : [{ condition: { name, expression, atRunTime }, node: value }];
    });
  }
}

function schemaOf(types: Typed): Readonly<Record<string, Schema>> {
  return Object.fromEntries([...types].map(([name, { type }]) => [name, expressionSchema(type)]));
}

/** An expression whose patterns of `glob` that are arguments are constants: so it is checked, for in a call they are known. */
function withoutPatterns(root: ExpressionNode, types: Typed): ExpressionNode {
  const isPattern = (node: ExpressionNode): boolean => {
    if (node.kind !== 'name') return false;
    const type = types.get(node.name)?.type;
    return type?.kind === 'text' && type.format === 'glob';
  };
  const visit = (node: ExpressionNode): ExpressionNode => {
    switch (node.kind) {
      case 'call': {
        const [first, second, ...others] = node.arguments.map(visit);
        if (node.function !== 'glob' || second === undefined || !isPattern(second))
          return { ...node, arguments: node.arguments.map(visit) };
        return {
          ...node,
          arguments: [first, { kind: 'literal', value: '*', place: second.place }, ...others],
        };
      }
      case 'unary':
        return { ...node, operand: visit(node.operand) };
      case 'logical':
        return { ...node, operands: node.operands.map(visit) };
      case 'binary':
        return { ...node, left: visit(node.left), right: visit(node.right) };
      case 'conditional':
        return {
          ...node,
          condition: visit(node.condition),
          whenTrue: visit(node.whenTrue),
          whenFalse: visit(node.whenFalse),
        };
      case 'macro':
        return { ...node, list: visit(node.list), body: visit(node.body) };
      default:
        return node;
    }
  };
  return visit(root);
}
