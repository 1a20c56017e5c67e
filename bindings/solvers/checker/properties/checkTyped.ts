import { InvalidArgumentError } from '../../../base/errors.js';
import { check } from './check.js';
import type { NumberResult, PropertyResult, TruthResult } from './propertyResult.js';

/** The question behind each kind of answer, and how to ask for the other kinds. */
const described: Readonly<Record<PropertyResult['kind'], string>> = {
  number: 'asks for a number, which checkNumber answers',
  truth: 'is a yes/no question, which checkTruth answers',
  range: 'has a number for each of several states; pick one by filter(min, …) or filter(max, …)',
  states: 'asks for states, which check answers',
};

/**
 * `check` for a property that asks for a number, such as `P=? [ F "goal" ]`.
 *
 * @throws InvalidArgumentError if the property asks for something else, or the model has several initial states; otherwise as
 *   `check`
 */
export function checkNumber(...asked: Parameters<typeof check>): NumberResult {
  const result = check(...asked);
  if (result.kind === 'number') return result;
  throw otherKind(asked[1], result);
}

/**
 * `check` for a yes/no question, such as `P>=0.9 [ F "goal" ]`.
 *
 * @throws InvalidArgumentError if the property asks for something else; otherwise as `check`
 */
export function checkTruth(...asked: Parameters<typeof check>): TruthResult {
  const result = check(...asked);
  if (result.kind === 'truth') return result;
  throw otherKind(asked[1], result);
}

function otherKind(property: Parameters<typeof check>[1], { kind }: PropertyResult): InvalidArgumentError {
  const text = typeof property === 'string' ? property : property.text;
  return new InvalidArgumentError(`${text} ${described[kind]}`);
}
