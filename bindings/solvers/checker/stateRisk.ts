import { InvalidArgumentError } from '../../base/errors.js';
import { type Formula, printFormula } from '../../languages/logic/index.js';
import type { Solution } from '../kernel/index.js';
import { type Dtmc, virtualStart } from '../model/index.js';
import type { CheckOptions } from './checkProperty.js';
import { closeChain } from './closedChain.js';
import { pathEvent } from './pathEvent.js';
import { refuseEstimates } from './refuseEstimates.js';
import { solveEvent } from './solveEvent.js';
import { boundsWithStart } from './start.js';

/**
 * The risk of a PCTL guard rule `P⋈θ [ path ]` in every state, without history: the probability of the bad event. Under an
 * upper bound (`P<θ`, `P<=θ`) this is the path formula itself; under a lower bound (`P>=θ`, `P>θ`) it is its negation, solved
 * directly so that a small risk keeps its digits. Paths continue in `end`. The virtual start has the mean over its row.
 *
 * @returns Bounds, one entry per state of the model.
 * @throws InvalidArgumentError if the formula has no probability bound, or the method is `value-iteration`, which has no
 * bounds; otherwise as `checkProperty`.
 */
export function stateRisk(model: Dtmc, rule: Formula, options: CheckOptions = {}): Solution {
  if (rule.kind !== 'probability' || rule.bound === null) {
    throw new InvalidArgumentError(
      `${printFormula(rule)} is not a bound on a probability; write one such as P<0.1 [ F collision ]`,
    );
  }
  refuseEstimates(options);
  const event = pathEvent(model, rule.path, options.samplingPeriod);
  const upperBound = rule.bound.operator === '<' || rule.bound.operator === '<=';
  using chain = closeChain(model);
  const solved = solveEvent(chain, upperBound ? event : { ...event, negated: !event.negated }, options);
  return { ...solved, ...boundsWithStart(chain.rows, solved, virtualStart(model)) };
}
