import { NotSupportedError } from '../../base/errors.js';
import { hashJson } from '../../base/hashJson.js';
import {
  actionEffects,
  agentChain,
  type LearntView,
  readLearntMdp,
  requireSomeEffect,
} from '../../estimation/learning/index.js';
import { predicatesOf } from '../../languages/logic/index.js';
import { readsAction } from '../../observations/abstraction/index.js';
import {
  checkBudget,
  checkGuardFile,
  type GuardActions,
  type GuardFile,
  type GuardRule,
  packTables,
  withTrees,
} from '../../runtime/guard/index.js';
import type { Dtmc, Mdp } from '../../solvers/model/index.js';
import {
  allPredicates,
  enforcedRule,
  guardedFaults,
  guardedPolicies,
  guardedRule,
  guardedWords,
  requirePredicted,
  type Specification,
} from '../specification/index.js';
import { type ConfidenceUppers, confidenceUppers } from './confidenceUppers.js';
import { driftRows } from './driftRows.js';
import { durationInSteps } from './duration.js';
import { fileEntries, fileStates } from './fileNumbers.js';
import { guardActions } from './guardActions.js';
import { openLearnt } from './learntChain.js';
import { modelUnder, type PolicyEffect, withoutRules } from './policyEffect.js';
import { type EntryBounds, type RiskOptions, type RuleRisk, solveRules } from './ruleRisk.js';
import { type ShieldTable, shieldTables } from './shieldTables.js';

/** How a guard is compiled. */
export interface CompileOptions extends RiskOptions {
  /**
   * What the specification's policies forbid, from `policyEffect`: risks are then those of the agent under its policies. Default: of the agent as it was recorded.
   */
  readonly policies?: PolicyEffect;
}

/**
 * Compiles a specification and its model to a guard file: everything that a guard needs at run time, as plain JSON.
 *
 * Rules that are declared exact are enforced by their automata alone, as `compileRules` does; nothing of them is looked up.
 *
 * Under `decideOn: confidenceUpper` the file also holds, for each entry, an upper bound on the agent's own risk, with confidence 1 - delta.
 *
 * @param model a learnt chain; or a learnt decision process, which makes a guard that also knows the actions.
 * @param options `horizons` and `within` add the risk within a number of steps or a duration; the others go to the solver (default
 * precision 1e-6, absolute).
 * @throws as `riskTable`; InvalidDataError if no action of a decision process ever changes a predicate; InvalidDataError under
 * `decideOn: confidenceUpper` if the model's counts are not draws of the agent, as after forgetting; InvalidArgumentError if a rule's
 * strategies do not fit together, or a budget is smaller than the minimal risk from the start; NotSupportedError if a rule does not support
 * a budget, or all rules are exact
 */
export function compileGuard(
  specification: Specification,
  model: Dtmc | Mdp,
  { policies, ...options }: CompileOptions = {},
): GuardFile {
  requirePredicted(specification);
  const { decideOn, confidence } = specification;
  const process = model.type === 'mdp' ? readLearntMdp(model) : null;
  if (process !== null) refuseExactCalls(specification);
  if (process !== null) requireSomeEffect(actionEffects(process), specification.source);
  const view = openLearnt(specification, model.type === 'mdp' ? agentChain(model) : model);
  const under = modelUnder(specification, model, policies);
  const guarded = under.type === 'mdp' ? openLearnt(specification, agentChain(under)) : view;
  const { precision, signal } = options;
  const solve = { ...(precision !== undefined && { precision }), ...(signal && { signal }) };
  const uppersOf =
    decideOn === 'confidenceUpper'
      ? confidenceUppers(withoutRules(specification, policies?.proven), view, confidence.delta, solve)
      : undefined;
  const proven = policies?.proven ?? new Map<string, readonly string[]>();
  const rules = solveRules(withoutRules(specification, proven), guarded, options);
  const shield =
    under.type === 'mdp'
      ? {
          actions: guardActions(specification, process!, policies?.forbidden),
          rules: shieldTables(specification, readLearntMdp(under), guarded, rules, solve),
        }
      : null;
  const drift = driftRows(specification, view);
  const durations = (options.within ?? []).map(
    (duration) => [duration, durationInSteps(duration, specification)] as const,
  );
  const { constraints } = specification.abstraction;
  const predicted = new Map(
    rules.map((risk, r) => [
      risk.rule.name,
      guardRule(risk, specification, uppersOf?.(risk), shield?.rules[r] ?? null),
    ]),
  );
  const hasExact = proven.size > 0 || specification.rules.some(({ exact }) => exact);
  const file = withTrees(
    checkGuardFile({
      format: 'foreguard-guard',
      version: 2,
      specificationHash: specification.hash,
      modelHash: hashOf(view, shield),
      predicates: allPredicates(specification).map(({ name, expression }) => ({ name, expression })),
      ...(hasExact && { learntPredicates: specification.abstraction.predicates.length }),
      ...guardedWords(specification),
      constraints: { ...constraints },
      ...fileStates(view),
      rules: specification.rules.map((rule) => {
        const provenBy = proven.get(rule.name);
        return (
          predicted.get(rule.name) ?? { ...enforcedRule(rule, specification), ...(provenBy && { provenBy }) }
        );
      }),
      ...(durations.length > 0 && { durations: Object.fromEntries(durations) }),
      ...(shield !== null && { actions: shield.actions }),
      ...(drift !== null && { drift }),
      ...guardedPolicies(specification),
      ...guardedFaults(specification, shield !== null),
      ...(shield !== null && { onIdle: specification.onIdle }),
      decideOn,
      ...(decideOn === 'confidenceUpper' && { confidence }),
      samplingPeriodSeconds: specification.samplingPeriodSeconds,
      periodTolerance: specification.periodTolerance,
      ...(specification.resample !== 'error' && { resample: specification.resample }),
    } satisfies GuardFile),
  );
  checkBudget(file);
  return file;
}

/** A decision process reads the state before the action is chosen, and so counts steps; an exact rule of calls counts those. */
function refuseExactCalls(specification: Specification): void {
  const ofCalls = specification.exactPredicates.find(readsAction);
  const rule = specification.rules.find(
    ({ exact, formula }) => exact && ofCalls !== undefined && predicatesOf(formula).includes(ofCalls.name),
  );
  if (ofCalls === undefined || rule === undefined) return;
  throw new NotSupportedError(
    `${specification.source}: rule "${rule.name}" is exact and reads calls (predicate "${ofCalls.name}"), and the guard of a decision process counts states, not calls; compile such rules without the model to a guard of their own, which a session takes beside this one (judges), or learn a chain`,
  );
}

function guardRule(
  risk: RuleRisk,
  specification: Specification,
  confidence: ConfidenceUppers | undefined,
  shielded: ShieldTable | null,
): GuardRule {
  const { rule, evaluation, automaton, monitor, horizons } = risk;
  const width = automaton.states;
  const arrived = fileEntries(risk.arrived, width);
  const inFile = ({ lower, upper }: EntryBounds): EntryBounds => ({
    lower: fileEntries(lower, width),
    upper: fileEntries(upper, width),
  });
  return {
    ...guardedRule(rule, evaluation, automaton, specification),
    ...(monitor !== null && { monitor }),
    ...(shielded !== null && !rule.namesStrategy && { shieldChooses: true }),
    tables: packTables(automaton, arrived.length / width, (entry) => arrived[entry], {
      ...inFile(risk),
      ...(shielded && { least: inFile(shielded.least), most: inFile(shielded.most) }),
      ...(confidence && { confidenceUpper: fileEntries(confidence.ever, width) }),
      ...(horizons.size > 0 && {
        horizons: Object.fromEntries(
          [...horizons].map(([steps, bounds]) => {
            const within = confidence?.horizons.get(steps);
            return [
              steps,
              { ...inFile(bounds), ...(within && { confidenceUpper: fileEntries(within, width) }) },
            ];
          }),
        ),
      }),
    }),
  };
}

/** Hash of the learnt content, independent of the file it was read from. */
function hashOf(view: LearntView, shield: { readonly actions: GuardActions } | null): string {
  const { states, parameters, rowStart, columns, values, counts } = view;
  const arrays = { rowStart, columns, values, counts };
  const lists = Object.fromEntries(Object.entries(arrays).map(([name, array]) => [name, Array.from(array)]));
  const { valuations, draws } = fileStates(view).states;
  return hashJson({
    ...{ states, parameters, ...lists, valuations, draws },
    ...(shield && { actions: shield.actions }),
  });
}
