import { InvalidArgumentError } from '../../base/errors.js';
import { refuseUnknownOptions } from '../../base/suggest.js';
import { buildAutomaton } from '../../languages/automaton/index.js';
import { predictedRules, type Specification } from '../../rules/specification/index.js';
import type { SolveOptions } from '../../solvers/kernel/index.js';
import type { Dtmc, Mdp } from '../../solvers/model/index.js';
import { callPaths, VerifiedPlan } from '../planProof/index.js';
import { type PathGap, pathRisk } from './pathProduct.js';
import { type GapReason, recordedSteps } from './recordedSteps.js';

/** How likely it is that a run of a plan breaks a rule. */
export interface PlanRuleRisk {
  readonly rule: string;
  /** The rule as it is written. */
  readonly formula: string;
  /** At most the probability, whichever way data take the run; what is not recorded counts as harmless. */
  readonly lower: number;
  /** At least the probability, whichever way data take the run; what is not recorded counts as breaking the rule. */
  readonly upper: number;
  /** The greatest probability that it is broken by what is recorded: `upper` where nothing is missing. */
  readonly recorded: number;
  /** The greatest probability of coming to a call of which nothing is recorded, while the rule is open. */
  readonly unknown: number;
}

/** A call of a plan that may come where the data do not say what it leads to. */
export interface PlanGap {
  readonly step: string;
  readonly tool: string;
  /** `untried`: never made with such arguments in a state. `unvisited`: in a state that no recording goes on from. `ended`: behind a call with which a recording ends. */
  readonly reason: GapReason;
  /** In how many states of the model. */
  readonly states: number;
}

/** What a learnt model says of a plan before it runs. */
export interface PlanRisk {
  /** `decisions`: of a decision process, by what calls lead to. `chain`: by how the agent of the recordings goes on with such calls. */
  readonly model: 'decisions' | 'chain';
  readonly rules: readonly PlanRuleRisk[];
  readonly gaps: readonly PlanGap[];
  /** Rules without such a risk, each with the reason. */
  readonly notPredicted: readonly { readonly rule: string; readonly why: string }[];
}

/**
 * Bounds the probability that a run of a proved plan breaks each rule of a specification: over the product of the plan's calls, the learnt model and the automaton of the rule. Wherever data of the run
 * decide what it does, both ways are followed, and the bounds hold for each. The run is one in which no call fails or is withheld. `horizonSteps` is ignored: a violation counts at any step of the plan.
 *
 * Probabilities are those of the model, to the solver's precision, rounded outward; how far the model's rows are those of the world is said by `certify`.
 *
 * @param options of the solver; default precision 1e-6, absolute
 * @throws InvalidArgumentError if the plan was not proved by `verifyPlan`, or the model was learnt with another specification; NotSupportedError if the model says nothing of calls, if its steps are a sampling period apart,
 * or if plan and model are too large together
 */
export function planRisk(
  verified: VerifiedPlan,
  specification: Specification,
  model: Dtmc | Mdp,
  options: Pick<SolveOptions, 'precision' | 'signal'> = {},
): PlanRisk {
  refuseUnknownOptions('planRisk', options, { precision: true, signal: true });
  if (!VerifiedPlan.is(verified))
    throw new InvalidArgumentError(
      'the risk of a plan is predicted once it is proved: pass what the verdict of verifyPlan has as `verified`',
    );
  const steps = recordedSteps(specification, model);
  const paths = callPaths(verified, steps.predicates);
  const gaps = new Map<string, PathGap & { readonly states: Set<number> }>();
  const notPredicted = specification.rules
    .filter(({ exact }) => exact)
    .map(({ name }) => ({ rule: name, why: 'it is exact, and its predicates are not learnt' }));
  const rules: PlanRuleRisk[] = [];
  for (const { name, formula, formulaText, atEnd } of predictedRules(specification)) {
    if (formula.kind === 'probability') {
      notPredicted.push({ rule: name, why: 'it bounds a probability in each state' });
      continue;
    }
    const found = pathRisk(paths, steps, { automaton: buildAutomaton(formula), atEnd }, options);
    const { lower, upper, recorded, unknown } = found;
    rules.push({ rule: name, formula: formulaText, lower, upper, recorded, unknown });
    for (const [key, gap] of found.gaps) {
      const one = gaps.get(key) ?? { ...gap, states: new Set<number>() };
      for (const state of gap.states) one.states.add(state);
      gaps.set(key, one);
    }
  }
  return {
    model: steps.isStateFirst ? 'decisions' : 'chain',
    rules,
    gaps: [...gaps.values()].map(({ states, ...gap }) => ({ ...gap, states: states.size })),
    notPredicted,
  };
}
