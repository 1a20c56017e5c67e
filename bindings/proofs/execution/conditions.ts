import { wordsOf } from '../../base/words.js';
import { compileCondition, type Evaluate } from '../../languages/expression/index.js';
import {
  boundValues,
  type Condition,
  type Contracts,
  fits,
  misfitText,
  type ToolContract,
} from '../contract/index.js';
import type { Json } from '../workflow/index.js';

/** Something that a contract says and that is not so. */
export interface Broken {
  /** The condition, or the argument or `result` that does not have its type. */
  readonly name: string;
  readonly text: string;
}

type Arguments = Readonly<Record<string, Json>>;

/** What a contract requires and does not hold of a call. All of it is looked at, also what was proved: a proof rests on contracts that tools may break. */
export function brokenRequires(contracts: Contracts, tool: string, given: Arguments): readonly Broken[] {
  const contract = contracts.tools.get(tool);
  if (contract === undefined) return [{ name: tool, text: `there is no contract of the tool ${tool}` }];
  const mistyped: Broken[] = [];
  for (const [name, { type, optional }] of contract.arguments) {
    if (!Object.hasOwn(given, name)) {
      if (!optional) mistyped.push({ name, text: `the argument ${name} of ${tool} is missing` });
      continue;
    }
    const misfit = fits(given[name], type);
    if (misfit !== null) mistyped.push({ name, text: `${tool}: ${misfitText(name, misfit)}` });
  }
  return mistyped.length > 0
    ? mistyped
    : falseOf(contract, contract.requires, 'requires', boundValues(contract, given));
}

/** The first thing that a contract says of a result and that is not so; null: it is kept. */
export function brokenEnsures(
  contracts: Contracts,
  tool: string,
  given: Arguments,
  result: Json,
): Broken | null {
  const contract = contracts.tools.get(tool);
  if (contract === undefined) return { name: tool, text: `there is no contract of the tool ${tool}` };
  const misfit = fits(result, contract.result.type);
  if (misfit !== null) return { name: 'result', text: `${tool}: ${misfitText('result', misfit)}` };
  return falseOf(contract, contract.ensures, 'ensures', boundValues(contract, given, result))[0] ?? null;
}

function falseOf(
  { name: tool }: ToolContract,
  conditions: readonly Condition[],
  what: string,
  names: Readonly<Record<string, unknown>>,
): readonly Broken[] {
  return conditions.flatMap((condition) => {
    const { name } = condition;
    try {
      return compiled(condition)(names, {})
        ? []
        : [{ name, text: `${tool} ${what} "${name}", which does not hold` }];
    } catch (error) {
      return [{ name, text: `${tool} ${what} "${name}", which has no value: ${wordsOf(error)}` }];
    }
  });
}

const known = new WeakMap<Condition, Evaluate<boolean>>();

function compiled(condition: Condition): Evaluate<boolean> {
  let one = known.get(condition);
  if (one === undefined) {
    one = compileCondition(condition.expression, condition.name);
    known.set(condition, one);
  }
  return one;
}
