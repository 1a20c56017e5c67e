import { type Expression, type ExpressionNode, printExpression } from '../../languages/expression/index.js';
import type { Policy } from '../../runtime/policy/index.js';
import type { Conditions } from './claims.js';

/** A policy with one change. */
export interface Mutant {
  /** What is changed, in words. */
  readonly change: string;
  readonly conditions: Conditions;
}

/** Most mutants of one policy. */
const MOST_MUTANTS = 60;

/** Policies that differ from one in a single place, as a slip of who wrote it would: an operator, a constant, a quantifier, a condition. At most `MOST_MUTANTS`. */
export function mutantsOf(
  { permit: permitRules, forbid: forbidRules }: Policy,
  { permit, forbid }: Conditions,
): Mutant[] {
  const found: Mutant[] = [];
  for (const [list, rules, kind] of [
    [permit, permitRules, 'permit'],
    [forbid, forbidRules, 'forbid'],
  ] as const) {
    for (const [i, { name, root }] of list.entries()) {
      const replaced = (by: readonly Expression[]): Conditions => {
        const changed = [...list.slice(0, i), ...by, ...list.slice(i + 1)];
        return kind === 'permit' ? { permit: changed, forbid } : { permit, forbid: changed };
      };
      if (list.length > 1 || kind === 'forbid')
        found.push({ change: `without "${rules[i].name}"`, conditions: replaced([]) });
      const seen = new Set([printExpression({ name, root })]);
      for (const { root: changed, from, to } of variants(root)) {
        const text = printExpression({ name, root: changed });
        if (seen.has(text)) continue;
        seen.add(text);
        const isShort = text.length <= MOST_SHOWN;
        const change = isShort
          ? `with ${text} as "${rules[i].name}"`
          : `with ${describeChange(from, to)}, in "${rules[i].name}"`;
        found.push({ change, conditions: replaced([{ name, root: changed }]) });
      }
    }
  }
  if (found.length <= MOST_MUTANTS) return found;
  return Array.from({ length: MOST_MUTANTS }, (_, i) => found[Math.floor((i * found.length) / MOST_MUTANTS)]);
}

/** Longest condition that is shown as a whole with a change in it, and longest part of a longer one, in characters. */
const MOST_SHOWN = 120;
const MOST_OF_PART = 60;

/** A change inside of a long condition, as that of a function, without the rest of it. */
function describeChange(from: ExpressionNode, to: ExpressionNode): string {
  if (from.kind === 'logical') {
    if (to.kind === 'logical' && to.operator !== from.operator)
      return `${to.operator} in place of ${from.operator} after ${shown(from.operands[0])}`;
    const kept = to.kind === 'logical' ? to.operands : [to];
    return `nothing in place of ${shown(from.operands.find((one) => !kept.includes(one)) ?? from)}`;
  }
  if (from.kind === 'macro' && to.kind === 'macro')
    return `${to.macro} in place of ${from.macro} in ${shown(from)}`;
  if (from.kind === 'unary') return `${shown(to)} in place of its negation`;
  return `${shown(to)} in place of ${shown(from)}`;
}

function shown(node: ExpressionNode): string {
  const text = printExpression({ name: '', root: node });
  return text.length <= MOST_OF_PART ? text : `${text.slice(0, MOST_OF_PART)}…`;
}

const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '==': ['!='],
  '!=': ['=='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '+': ['-'],
  '-': ['+'],
};
const FUNCTIONS: Readonly<Record<string, string>> = {
  startsWith: 'contains',
  endsWith: 'contains',
  contains: 'startsWith',
};
const MACROS: Readonly<Record<string, string>> = { all: 'exists', exists: 'all', exists_one: 'exists' };

/** An expression with one change: a part that another one stands in for. */
interface Variant {
  readonly root: ExpressionNode;
  readonly from: ExpressionNode;
  readonly to: ExpressionNode;
}

/** Expressions with one change. */
function* variants(node: ExpressionNode): Generator<Variant> {
  for (const to of changesOf(node)) yield { root: to, from: node, to };
  for (const [key, part] of Object.entries(node)) {
    const within = (root: unknown): ExpressionNode => ({ ...node, [key]: root }) as ExpressionNode;
    if (isNode(part)) for (const one of variants(part)) yield { ...one, root: within(one.root) };
    else if (Array.isArray(part))
      for (const [i, element] of part.entries())
        if (isNode(element))
          for (const one of variants(element))
            yield { ...one, root: within([...part.slice(0, i), one.root, ...part.slice(i + 1)]) };
  }
}

function* changesOf(node: ExpressionNode): Generator<ExpressionNode> {
  switch (node.kind) {
    case 'binary':
      for (const operator of OPERATORS[node.operator] ?? []) yield { ...node, operator } as ExpressionNode;
      return;
    case 'logical':
      yield { ...node, operator: node.operator === '&&' ? '||' : '&&' };
      for (const i of node.operands.keys()) {
        const rest = node.operands.filter((_, k) => k !== i);
        yield rest.length === 1 ? rest[0] : { ...node, operands: rest };
      }
      return;
    case 'unary':
      if (node.operator === '!') yield node.operand;
      return;
    case 'macro':
      if (MACROS[node.macro] !== undefined) yield { ...node, macro: MACROS[node.macro] } as ExpressionNode;
      return;
    case 'call':
      if (FUNCTIONS[node.function] !== undefined)
        yield { ...node, function: FUNCTIONS[node.function] } as ExpressionNode;
      yield* widened(node);
      return;
    case 'list':
      if (node.elements.length > 1)
        for (const i of node.elements.keys())
          yield { ...node, elements: node.elements.filter((_, k) => k !== i) };
      return;
    case 'literal':
      if (typeof node.value === 'boolean') yield { ...node, value: !node.value };
      if (typeof node.value === 'number')
        for (const value of [node.value + 1, node.value - 1]) yield { ...node, value };
      return;
    default:
      return;
  }
}

/** Ends and beginnings of texts that are a character shorter, and folders one level up. */
function* widened(node: Extract<ExpressionNode, { kind: 'call' }>): Generator<ExpressionNode> {
  const [first, second] = node.arguments;
  if (second?.kind !== 'literal' || typeof second.value !== 'string' || second.value.length < 2) return;
  const text = second.value;
  const shorter: Readonly<Record<string, string>> = {
    startsWith: text.slice(0, -1),
    endsWith: text.slice(1),
    contains: text.slice(1),
    isUnder: text.replace(/\/?[^/]*\/?$/, '') || '/',
  };
  const value = shorter[node.function];
  if (value !== undefined && value !== text) yield { ...node, arguments: [first, { ...second, value }] };
}

function isNode(value: unknown): value is ExpressionNode {
  return typeof value === 'object' && value !== null && 'kind' in value && 'place' in value;
}
