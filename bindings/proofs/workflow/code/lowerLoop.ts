import type { AnyNode, ArrowFunctionExpression, Expression, ForOfStatement, Pattern } from 'acorn';
import type { ValueType } from '../../contract/index.js';
import { widened } from '../fitness.js';
import type { Action, Step, Value } from '../plan.js';
import type { Binding } from './codeScope.js';
import { ANY, type Lowering } from './lowering.js';
import { assignmentOf, bodyOf, countAwaits, plainDeclaration, pushOf, splitEnd } from './patterns.js';

function loopHead(
  lowering: Lowering,
  node: ForOfStatement,
): {
  readonly item: string;
  readonly list: Expression;
  readonly atMost: number | undefined;
} {
  if (node.await) return lowering.problems.refuse(node, 'for await', 'for (const x of list)');
  const { left, right } = node;
  const target: Pattern | undefined =
    left.type === 'VariableDeclaration' ? left.declarations[0].id : undefined;
  if (left.type !== 'VariableDeclaration' || left.kind === 'var')
    return lowering.problems.refuse(left, 'a loop without const', 'for (const x of list)');
  if (target?.type !== 'Identifier') return lowering.unknown(target ?? left);
  const isAtMost =
    right.type === 'CallExpression' && right.callee.type === 'Identifier' && right.callee.name === 'atMost';
  if (!isAtMost || lowering.scope.find('atMost') !== undefined)
    return { item: target.name, list: right, atMost: undefined };
  const [most, list] = right.arguments;
  const isCount = most?.type === 'Literal' && Number.isSafeInteger(most.value) && (most.value as number) >= 0;
  if (!isCount || right.arguments.length !== 2 || list.type === 'SpreadElement')
    return lowering.problems.refuse(right, 'a call of atMost', 'atMost(5, list)');
  return { item: target.name, list, atMost: most.value as number };
}

function elementOf(lowering: Lowering, list: Value): ValueType {
  const type = lowering.values.type(list);
  return type.kind === 'list' ? type.of : ANY;
}

/** Lowers a loop, with the lists that it fills. */
export function lowerForEach(lowering: Lowering, node: ForOfStatement, lists: readonly string[]): Action {
  const head = loopHead(lowering, node);
  const list = lowering.values.value(head.list);
  const { item, steps, collected } = lowering.within(node, () => {
    const given = lowering.scope.give(head.item, elementOf(lowering, list));
    const { before, end } = splitEnd(bodyOf(node.body), (one) => {
      const push = pushOf(one);
      return push !== undefined && lists.includes(push.name) ? push : undefined;
    });
    const inner = lowering.steps(before, node.body.start);
    const values = lists.map((name) => {
      const [first, second] = end.filter((push) => push.name === name);
      if (second !== undefined)
        return lowering.problems.refuse(second.value, `a second push to ${name}`, 'one push in each round');
      const value = lowering.values.value(first.value);
      return [name, value, lowering.values.type(value)] as const;
    });
    return { item: given, steps: inner, collected: values };
  });
  const collect = collected.map(([name, value, of]) => {
    lowering.requireNew(node, name);
    return [lowering.scope.give(name, { kind: 'list', of }), value] as const;
  });
  const most = head.atMost === undefined ? {} : { atMost: head.atMost };
  return {
    kind: 'forEach',
    in: list,
    item,
    ...most,
    do: steps,
    ...(collect.length > 0 && { collect: Object.fromEntries(collect) }),
  };
}

/** Lowers a loop with a sum. @returns how many statements after the loop belong to it: `const total = sum` */
export function lowerFold(
  lowering: Lowering,
  node: ForOfStatement,
  name: string,
  init: Expression,
  after: AnyNode | undefined,
  add: (action: Action) => void,
): number {
  lowering.requireNew(node, name);
  const head = loopHead(lowering, node);
  if (head.atMost !== undefined)
    return lowering.problems.refuse(node, 'atMost of a loop with a sum', 'the list itself');
  const from = lowering.values.value(init);
  const list = lowering.values.value(head.list);
  const type = widened(lowering.values.type(from));
  const declared = plainDeclaration(after, 'const');
  const isNamed = declared?.init?.type === 'Identifier' && declared.init.name === name;
  const result = isNamed ? declared.name : name;
  const accumulator = lowering.scope.reserve(name, !isNamed);
  const { item, steps, next } = lowering.within(node, () => {
    lowering.scope.bind(name, accumulator, type);
    const given = lowering.scope.give(head.item, elementOf(lowering, list));
    const { before, end } = splitEnd(bodyOf(node.body), assignmentOf);
    const [last, ...others] = end;
    const isOne = last !== undefined && others.length === 0 && (last.left as { name: string }).name === name;
    if (!isOne || (last.operator !== '=' && last.operator !== '+='))
      return lowering.problems.refuse(
        node,
        `a loop after let ${name} whose body does not end with its next value alone`,
        `${name} = … as the last statement of the body`,
      );
    const inner = lowering.steps(before, node.body.start);
    const sum = {
      type: 'BinaryExpression',
      operator: '+',
      left: last.left,
      right: last.right,
      start: 0,
      end: 0,
    } as Expression;
    return {
      item: given,
      steps: inner,
      next: lowering.values.value(last.operator === '=' ? last.right : sum),
    };
  });
  const as = lowering.scope.give(result, type);
  const binding: Binding = { kind: 'name', name: as };
  if (isNamed) lowering.scope.alias(name, binding);
  add({ kind: 'fold', in: list, item, from, accumulator, do: steps, next, as });
  return isNamed ? 1 : 0;
}

/** `Promise.all(list.map(async (x) => …))`: rounds of a loop, of one call each, so that their order is that of the calls. */
export function lowerParallel(
  lowering: Lowering,
  list: Expression,
  arrow: Expression,
  name: string | null,
): Action {
  const { params, body, async } = arrow as ArrowFunctionExpression;
  if (
    arrow.type !== 'ArrowFunctionExpression' ||
    !async ||
    params.length !== 1 ||
    params[0].type !== 'Identifier'
  )
    return lowering.problems.refuse(
      arrow,
      'what is no async arrow of one parameter',
      'Promise.all(list.map(async (x) => …))',
    );
  if (countAwaits(body) > 1)
    return lowering.problems.refuse(
      arrow,
      'several calls in each round, all rounds at once',
      'const xs = []; for (const x of list) { …; xs.push(value); }',
    );
  const [{ name: param }] = params;
  const value = lowering.values.value(list);
  const { item, steps, collected, type } = lowering.within(arrow, () => {
    const given = lowering.scope.give(param, elementOf(lowering, value));
    const statements = body.type === 'BlockStatement' ? body.body : [];
    const last = statements.at(-1);
    const isReturn = last?.type === 'ReturnStatement';
    const inner = lowering.steps(isReturn ? statements.slice(0, -1) : statements, body.start);
    const given1 = body.type === 'BlockStatement' ? (isReturn ? last.argument : null) : body;
    if (!given1) {
      if (name !== null)
        return lowering.problems.refuse(arrow, 'an arrow that gives nothing', 'return value at its end');
      return { item: given, steps: inner, collected: null, type: ANY };
    }
    if (given1.type !== 'AwaitExpression') {
      const result = lowering.values.value(given1);
      return { item: given, steps: inner, collected: result, type: lowering.values.type(result) };
    }
    const { action, type: of } = lowering.calls.awaited(given1.argument);
    const as = lowering.scope.give(`${param}Result`, of);
    const step = { id: '', ...action, as } as Step;
    lowering.places.set(step, given1);
    return {
      item: given,
      steps: [...inner, step],
      collected: { kind: 'reference', name: as, path: [] } as Value,
      type: of,
    };
  });
  const collect =
    name === null || collected === null
      ? {}
      : { collect: { [lowering.scope.give(name, { kind: 'list', of: type })]: collected } };
  return { kind: 'forEach', in: value, item, do: steps, ...collect };
}
