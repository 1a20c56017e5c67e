import type { Expression, IfStatement, Statement } from 'acorn';
import type { ValueType } from '../../contract/index.js';
import { either } from '../fitness.js';
import type { Action, Step, Value } from '../plan.js';
import type { Lowering } from './lowering.js';
import { assignmentOf, bodyOf, splitEnd } from './patterns.js';

/** A name that both branches of an `if` give a value, with its value before it. */
export interface Variable {
  readonly name: string;
  readonly init: Expression | null;
}

/** Lowers an `if`, with the names that it gives. */
export function lowerIf(lowering: Lowering, node: IfStatement, variables: readonly Variable[]): Action {
  const given = variables.map(({ name, init }) => {
    lowering.requireNew(node, name);
    const value = init && lowering.values.value(init);
    lowering.scope.pending(name, 'a name that is known: this one has its value after the if');
    return { name, value };
  });
  const condition = lowering.condition(node.test);
  const branches = ([node.consequent, node.alternate] as const).map((branch) =>
    lowerOne(lowering, node, branch ?? null, given),
  );
  const yields = given.map(({ name }, i): [string, readonly [Value, Value], ValueType] => {
    const [then, otherwise] = branches.map(({ values }) => values[i]);
    return [name, [then.value, otherwise.value], either([then.type, otherwise.type])];
  });
  const named = yields.map(([name, pair, type]) => [lowering.scope.give(name, type), pair] as const);
  const [then, otherwise] = branches.map(({ steps }) => steps);
  return {
    kind: 'if',
    condition,
    then,
    else: otherwise,
    ...(named.length > 0 && { yields: Object.fromEntries(named) }),
  };
}

/** A branch: its steps, and the value of each variable that it gives at its end. */
function lowerOne(
  lowering: Lowering,
  node: IfStatement,
  branch: Statement | null,
  variables: readonly { readonly name: string; readonly value: Value | null }[],
): {
  readonly steps: Step[];
  readonly values: readonly { readonly value: Value; readonly type: ValueType }[];
} {
  return lowering.within(node, () => {
    const body = branch === null ? [] : bodyOf(branch);
    const names = new Set(variables.map(({ name }) => name));
    const { before, end } = splitEnd(body, (one) => {
      const found = assignmentOf(one);
      return found !== undefined && found.operator === '=' && names.has((found.left as { name: string }).name)
        ? found
        : undefined;
    });
    const steps = lowering.steps(before, branch?.start ?? node.end);
    const values = variables.map(({ name, value }) => {
      const assigned = end.filter(({ left }) => (left as { name: string }).name === name);
      if (assigned.length > 1)
        return lowering.problems.refuse(assigned[1], `${name} a second time`, 'one value in each branch');
      const given = assigned.length === 1 ? lowering.values.value(assigned[0].right) : value;
      if (given === null)
        return lowering.problems.refuse(
          branch ?? node,
          `a branch that gives ${name} no value`,
          `${name} = … at its end, in both branches`,
        );
      return { value: given, type: lowering.values.type(given) };
    });
    return { steps, values };
  });
}
