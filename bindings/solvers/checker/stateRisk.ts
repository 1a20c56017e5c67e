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
 * The risk of a PCTL guard rule `P⋈θ [ path ]` in every state, without history: the probability of the bad event, which is
 * the path itself under an upper bound (`P<θ`, `P<=θ`) and its negation under a lower one (`P>=θ`, `P>θ`), solved for itself
 * so that a small risk keeps its digits. Paths go on in `end`; at the virtual start the mean over its row.
 *
 * @returns Bounds, one entry per state of the model.
 * @throws InvalidArgumentError where the formula has no probability bound, or the method is
 * `value-iteration`, which has no bounds; else as `checkProperty`.
 */
export function stateRisk(model: Dtmc, rule: Formula, options: CheckOptions = {}): Solution {
  if (rule.kind !== 'probability' || rule.bound === null) {
    throw new InvalidArgumentError(
      `${printFormula(rule)} is no bound on a probability; write one such as P<0.1 [ F collision ]`,
    );
  }
  refuseEstimates(options);
  const event = pathEvent(model, rule.path, options.samplingPeriod);
  const upperBound = rule.bound.operator === '<' || rule.bound.operator === '<=';
  using chain = closeChain(model);
  const solved = solveEvent(chain, upperBound ? event : { ...event, negated: !event.negated }, options);
  return { ...solved, ...boundsWithStart(chain.rows, solved, virtualStart(model)) };
}
