import { Counter } from '../../estimation/learning/index.js';
import { Abstraction } from '../../observations/abstraction/index.js';
import { compileGuard, type RiskBounds, riskTable } from '../../rules/risk/index.js';
import type { Specification } from '../../rules/specification/index.js';
import {
  clopperPearsonInterval,
  forecastRuns,
  type RateInterval,
  type ReliabilityBin,
  reliability,
  unknownSteps,
} from '../evaluation/index.js';
import type { AbstractRuns } from './abstractRuns.js';
import { LEAST_RUNS } from './forecastGain.js';
import { requireLevel } from './orderDependence.js';
import { halves } from './suggestPredicates.js';

/** The observed rate of violations of a rule, against the predicted rate. */
export interface ObservedRate {
  readonly rule: string;
  /** Predicted risk before the first step, by the chain learnt from the other half of the runs. */
  readonly predicted: RiskBounds;
  /** The interval that the prediction would have if it had counted violations in as many runs: no chain is more certain than this. */
  readonly predictedInterval: RateInterval;
  readonly violations: number;
  /** Held-out runs, and those of them that were cut before the rule was broken. */
  readonly runs: number;
  readonly unknown: number;
  /** The observed rate, from none of the cut runs being violated to all of them. */
  readonly observed: RateInterval;
  /** Whether the two intervals are disjoint. */
  readonly disagrees: boolean;
  /** Predicted risks along the runs whose outcome is known, in five bins, with the outcomes. Steps at which no risk is known are in no bin. */
  readonly reliability: readonly ReliabilityBin[];
  /** The steps of these runs before a violation, and those of them at which no risk is known, because the other half never left such a state. */
  readonly steps: number;
  readonly unknownSteps: number;
}

/**
 * Compares predicted and observed rates of violation: a chain is learnt from one half of the runs and judged on the other. The comparison
 * shows the cost of the Markov assumption, whatever the reason. If the chain is right, the probability that any rule disagrees is at most
 * about `level`.
 *
 * @returns one rate for each rule on whole traces (PCTL rules and rules with a horizon have no rate per run); null if there are too few
 * runs
 * @throws InvalidArgumentError for a level outside (0, 1); as `compileGuard`
 */
export async function observedRates(
  specification: Specification,
  { runs }: AbstractRuns,
  { level = 0.05, seed = 1 }: { readonly level?: number; readonly seed?: number } = {},
): Promise<ObservedRate[] | null> {
  requireLevel(level);
  const { trained, judged } = halves(runs, seed);
  if (judged.length < LEAST_RUNS) return null;
  const counter = new Counter(new Abstraction(specification.abstraction), specification.learning);
  for (const run of trained) counter.add(runs[run]);
  const { model } = counter.finish();
  const compared = {
    ...specification,
    rules: specification.rules.filter(
      ({ exact, formula, horizonSteps }) => !exact && formula.kind !== 'probability' && horizonSteps === null,
    ),
  };
  if (compared.rules.length === 0) return [];
  const predictions = riskTable(compared, model).rules;
  const guard = compileGuard(compared, model);
  const forecasts = await forecastRuns(
    guard,
    judged.map((run) => runs[run]),
  );
  const confidence = 1 - level / Math.max(1, predictions.length);
  return predictions.map(({ name, start }) => {
    const known = forecasts[name].filter(
      ({ violatedAt }, i) => violatedAt !== null || runs[judged[i]].complete,
    );
    const unknown = judged.length - known.length;
    const violations = known.filter(({ violatedAt }) => violatedAt !== null).length;
    // A run that was cut may or may not have kept the rule.
    const least = clopperPearsonInterval(violations, judged.length, confidence);
    const most = clopperPearsonInterval(violations + unknown, judged.length, confidence);
    const observed = { ...least, confidenceUpper: most.confidenceUpper };
    const { confidenceLower } = counted(start.lower, trained.length, confidence, Math.floor);
    const { confidenceUpper } = counted(start.upper, trained.length, confidence, Math.ceil);
    return {
      rule: name,
      predicted: start,
      predictedInterval: { rate: start.upper, confidenceLower, confidenceUpper },
      violations,
      runs: judged.length,
      unknown,
      observed,
      disagrees: confidenceLower > observed.confidenceUpper || confidenceUpper < observed.confidenceLower,
      reliability: reliability(known, { bins: 5, confidence, leaveOutUnknown: true }).filter(
        (bin) => bin.runs > 0,
      ),
      ...unknownSteps(known),
    };
  });
}

function counted(rate: number, runs: number, confidence: number, round: (x: number) => number): RateInterval {
  return clopperPearsonInterval(Math.min(runs, Math.max(0, round(rate * runs))), runs, confidence);
}
