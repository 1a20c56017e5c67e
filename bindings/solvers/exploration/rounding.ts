import { isPartial, type PrismExpression, partsOf, typeOf } from '../../languages/logic/index.js';
import type { Rounding } from '../model/index.js';
import type { CompiledCommand } from './commands.js';
import type { Bundle } from './joint.js';
import type { System } from './system.js';
import { variablesRead } from './variablesRead.js';

const UNIT = 2 ** -53;

/**
 * Counts the roundings in a probability: one for each command's number, their products, the sums if several outcomes lead to
 * one state, and the quotient if a chain's choices are equally likely. None of these steps subtracts.
 */
export function roundingOf({ model, joints, scope, rewards }: System): Rounding {
  const isChain = model.type === 'dtmc';
  const merged = (bundle: Bundle) => product(bundle.map((command) => meetingOutcomes(command, scope)));
  let together = 0;
  let sums = 0;
  for (const { parts } of joints) {
    const longest = parts.map((bundles) => greatest(bundles.map(({ length }) => length)));
    together = Math.max(together, sum(longest));
    const terms = product(parts.map((bundles) => (isChain ? sum : greatest)(bundles.map(merged))));
    sums = isChain ? sums + terms : Math.max(sums, terms);
  }
  const items = rewards.map(({ states, transitions }) => {
    const all = [...states, ...transitions].filter(({ source }) => typeOf(source.value, scope) === 'double');
    return all.length + greatest(all.map(({ source }) => size(source.value)));
  });
  return {
    probabilities: (2 * together + sums + Number(isChain)) * UNIT,
    rewards: greatest(items) === 0 && !isChain ? 0 : (greatest(items) + sums + 1) * UNIT,
  };
}

/** An upper limit of the outcomes of a command that lead to the same state: two that give a variable different constants cannot. */
function meetingOutcomes({ updates }: CompiledCommand, scope: System['scope']): number {
  let fewest = updates.length;
  for (const { index } of updates[0]?.assignments ?? []) {
    const counts = new Map<number, number>();
    for (const { assignments } of updates) {
      const given = assignments.find((assignment) => assignment.index === index);
      if (
        given === undefined ||
        variablesRead(given.expression, scope).length > 0 ||
        isPartial(given.expression, scope)
      ) {
        counts.set(Number.NaN, updates.length);
        break;
      }
      const value = given.value([]);
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    fewest = Math.min(fewest, greatest([...counts.values()]));
  }
  return fewest;
}

function size(expression: PrismExpression): number {
  return 1 + sum(partsOf(expression).map(size));
}

function greatest(numbers: readonly number[]): number {
  return numbers.reduce((most, number) => Math.max(most, number), 0);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function product(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total * number, 1);
}
