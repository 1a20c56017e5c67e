import { Abstraction } from '../abstraction/index.js';
import type { ChainView } from '../checker/index.js';
import { InvalidArgumentError, InvalidModelError, NotSupportedError } from '../errors.js';
import { type LearntView, readLearntChain } from '../learning/index.js';
import type { Dtmc } from '../model/index.js';
import type { RuleSpecification, Specification } from '../specification/index.js';
import { nearestName } from '../suggest.js';
import { withContext } from '../words.js';
import { requireSameLearning } from './belongs.js';

/** A learnt chain, as guards see it and as products do. */
export interface LearntModel {
  readonly view: LearntView;
  readonly chain: ChainView;
}

/**
 * @throws InvalidModelError if the model was not learnt by Foreguard; InvalidArgumentError if it was learnt with another
 * abstraction
 */
export function openLearnt(specification: Specification, model: Dtmc): LearntModel {
  const view = readLearntChain(model);
  requireSameLearning(specification, view.parameters);
  return { view, chain: chainView(view) };
}

/** The chain with `start` and `end`, as the product wants it. */
function chainView({ model, parameters, start, end, words, valuations, draws }: LearntView): ChainView {
  const withStart = new Uint32Array(model.states * words);
  withStart.set(valuations, words);
  const allDraws = new Float64Array(model.states);
  allDraws.set(draws, 1);
  return {
    states: model.states,
    rowStart: model.rowStart,
    columns: model.columns,
    values: model.values,
    start,
    end,
    predicates: parameters.predicates.map(({ name }) => name),
    words,
    valuations: withStart,
    draws: allDraws,
  };
}

/** The states of a learnt chain in words. */
export function describeStates(
  { abstraction }: Specification,
  { states, valuations, words }: LearntView,
): string[] {
  const described = new Abstraction(abstraction);
  return Array.from({ length: states }, (_, s) => described.describe(valuations, s * words));
}

/** @throws InvalidArgumentError if the specification has no rule of that name, with the nearest one */
export function ruleNamed({ rules, source }: Specification, name: string): RuleSpecification {
  const rule = rules.find((one) => one.name === name);
  if (rule !== undefined) return rule;
  const names = rules.map((one) => one.name);
  const nearest = nearestName(name, names);
  throw new InvalidArgumentError(
    `${source} has no rule "${name}"; ${nearest === undefined ? `it has ${names.join(', ')}` : `did you mean "${nearest}"?`}`,
  );
}

/** @throws NotSupportedError for a PCTL rule, which has no history and no moment of violation */
export function requireTraceRule({ name, formula, formulaText }: RuleSpecification, wanted: string): void {
  if (formula.kind !== 'probability') return;
  throw new NotSupportedError(
    `rule "${name}" is ${formulaText}, a bound on a probability in each state: ${wanted} is of rules on traces, such as G !broken`,
  );
}

/** Does what concerns one rule; an error has the rule in front, and the state it names in words. */
export function aboutRule<T>(
  { name }: Pick<RuleSpecification, 'name'>,
  { abstraction, source }: Specification,
  { valuations, words, start, end }: LearntView,
  work: () => T,
): T {
  try {
    return work();
  } catch (error) {
    const state = error instanceof InvalidModelError ? error.state : undefined;
    const remark =
      state !== undefined && state > start && state < end
        ? ` (state ${state} is: ${new Abstraction(abstraction).describe(valuations, (state - 1) * words)})`
        : '';
    throw withContext(error, `${source}: rule "${name}"`, remark);
  }
}
