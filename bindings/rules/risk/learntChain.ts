import { InvalidArgumentError, InvalidModelError, NotSupportedError } from '../../base/errors.js';
import { nearestName } from '../../base/suggest.js';
import { withContext } from '../../base/words.js';
import { type LearntView, readLearntChain } from '../../estimation/learning/index.js';
import { Abstraction, ValuationTable } from '../../observations/abstraction/index.js';
import type { Dtmc, Mdp } from '../../solvers/model/index.js';
import type { RuleSpecification, Specification } from '../specification/index.js';
import { requireSameLearning } from './requireSameLearning.js';

/**
 * @throws InvalidModelError if the model was not learnt by Foreguard; InvalidArgumentError if it was learnt with another
 * abstraction
 */
export function openLearnt(specification: Specification, model: Dtmc): LearntView {
  const view = readLearntChain(model);
  requireSameLearning(specification, view.parameters);
  return view;
}

/** Returns a function that finds the state with a valuation, packed from `offset` on; `start` if none has it. */
export function stateFinder({
  start,
  end,
  words,
  valuations,
}: LearntView): (valuation: Uint32Array, offset?: number) => number {
  const table = new ValuationTable(words);
  for (let s = start + 1; s < end; s++) table.insert(valuations, s * words);
  return (valuation, offset = 0) => start + 1 + table.find(valuation, offset);
}

/** @throws InvalidArgumentError if the specification has no rule of that name, suggesting the nearest one, or it is exact: no risk of it is predicted */
export function ruleNamed({ rules, source }: Specification, name: string): RuleSpecification {
  const rule = rules.find((one) => one.name === name);
  if (rule?.exact) {
    throw new InvalidArgumentError(
      `${source}: rule "${name}" is exact, and no risk of it is predicted; write a second rule of the same formula without exact, whose predicates are then learnt`,
    );
  }
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

/** Runs the work on one rule; an error message gets the rule in front, and the state it names in words. */
export function aboutRule<T>(
  { name }: Pick<RuleSpecification, 'name'>,
  { abstraction, source }: Specification,
  { valuations, words, start, end }: LearntView<Dtmc | Mdp>,
  work: () => T,
): T {
  try {
    return work();
  } catch (error) {
    const state = error instanceof InvalidModelError ? error.state : undefined;
    const remark =
      state !== undefined && state > start && state < end
        ? ` (state ${state} is: ${new Abstraction(abstraction).describe(valuations, state * words)})`
        : '';
    throw withContext(error, `${source}: rule "${name}"`, remark);
  }
}
