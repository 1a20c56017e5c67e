import type { LearntView } from '../../estimation/learning/index.js';
import { type ConfidenceRows, confidenceRows, drawnRows } from '../../estimation/pac/index.js';
import { type Automaton, SATISFIED, VIOLATED } from '../../languages/automaton/index.js';
import type { SolveOptions } from '../../solvers/kernel/index.js';
import type { Specification } from '../specification/index.js';
import { aboutRule } from './learntChain.js';
import { openRule, ruleConfidence } from './ruleCertificate.js';
import type { RuleRisk } from './ruleRisk.js';

/** Upper confidence bounds on one rule's risk, by entry as a guard looks them up. */
export interface ConfidenceUppers {
  readonly ever: number[];
  /** By number of steps, for the rule's horizons. */
  readonly horizons: ReadonlyMap<number, number[]>;
}

/**
 * Computes upper confidence bounds on the agent's own risk. With probability at least 1 - delta over the traces all of them hold, for all
 * rules, states and horizons at once.
 *
 * @throws InvalidArgumentError for delta out of range; InvalidDataError if the model's counts are not draws of the agent
 */
export function confidenceUppers(
  specification: Specification,
  view: LearntView,
  delta: number,
  options: Pick<SolveOptions, 'precision' | 'signal'>,
): (risk: RuleRisk) => ConfidenceUppers {
  const confidence = confidenceRows(drawnRows(view), delta);
  return (risk) => uppersOf(risk, specification, view, confidence, options);
}

function uppersOf(
  { rule, automaton, horizons }: RuleRisk,
  specification: Specification,
  view: LearntView,
  confidence: ConfidenceRows,
  options: Pick<SolveOptions, 'precision' | 'signal'>,
): ConfidenceUppers {
  return aboutRule(rule, specification, view, () => {
    const opened = openRule({ rule, automaton }, specification, confidence.rows, view);
    const within = (horizonSteps: number | null): number[] => {
      const { upper } = ruleConfidence({ ...opened, horizonSteps }, confidence, options);
      return Array.from(upper, (value, i) => clampToVerdict(value, automaton, i));
    };
    return {
      ever: within(opened.horizonSteps),
      horizons: new Map([...horizons.keys()].map((steps) => [steps, within(steps)])),
    };
  });
}

/** 1 and 0 if the rule is decided; NaN becomes the trivial bound. */
function clampToVerdict(value: number, { states, verdict }: Automaton, entry: number): number {
  const decided = verdict[entry % states];
  if (decided === VIOLATED || decided === SATISFIED) return Number(decided === VIOLATED);
  return value < 1 ? Math.max(0, value) : 1;
}
