import type { TraceNote } from '../../observations/trace/index.js';
import { policyEffect } from '../../proofs/policyProof/index.js';
import { modelUnder, type PolicyEffect, type TakenAway, takenAway } from '../../rules/risk/index.js';
import type { Specification } from '../../rules/specification/index.js';
import type { Dtmc, Mdp } from '../../solvers/model/index.js';
import { shownState } from './shownRule.js';
import { plural } from './terminal.js';

/** A model of an agent under its policies. */
export interface UnderPolicies {
  /** Without the pairs that the policies forbid; the model itself if they forbid none, or there are no policies. */
  readonly model: Dtmc | Mdp;
  /** Absent if there are no policies. */
  readonly effect?: PolicyEffect;
  /** Present if the model is a decision process, and there are policies. */
  readonly takenAway?: TakenAway;
  /** What risks are of, where there are policies. */
  readonly notes: readonly TraceNote[];
}

/** Most pairs and states that a note names. */
const NAMED = 3;

/** Takes away from a model what the policies of its specification forbid, and says so. */
export async function underPolicies(specification: Specification, model: Dtmc | Mdp): Promise<UnderPolicies> {
  const { policies, source } = specification;
  if (policies === null) return { model, notes: [] };
  const notesOf = (...messages: string[]): TraceNote[] => messages.map((message) => ({ source, message }));
  const effect = await policyEffect(specification, model);
  const proven = [...effect.proven].map(
    ([rule, by]) =>
      `rule "${rule}" has risk 0: no calls break it that its policies permit, which is proved (by ${by.join(', ')})`,
  );
  if (model.type === 'dtmc')
    return {
      model,
      effect,
      notes: notesOf(
        ...proven,
        'risks are those of the agent as it was recorded: policies deny calls beside them, and a chain does not know what the agent does instead; learn a decision process (learning: { model: mdp }), whose risks are those of the agent under its policies',
      ),
    };
  const taken = takenAway(specification, model, effect);
  return {
    model: modelUnder(specification, model, effect),
    effect,
    takenAway: taken,
    notes: notesOf(...proven, ...describeTaken(taken)),
  };
}

function describeTaken({ pairs, forbidden, ended }: TakenAway): string[] {
  if (forbidden.length === 0)
    return [
      `the policies forbid none of ${plural(pairs, 'pair')} of a state and an action as a whole, so that risks are those of the agent as it was recorded; predicates over arguments (actions) tell apart what is forbidden of an action`,
    ];
  const named = someOf(forbidden.map(({ action, ...state }) => `${action} where ${shownState(state)}`));
  return [
    `the policies forbid ${forbidden.length} of ${plural(pairs, 'pair')} of a state and an action: ${named}; risks are those of the agent under its policies, which picks anew what it is refused as it picks in that state`,
    ...(ended.length === 0
      ? []
      : [
          `in ${plural(ended.length, 'state')} all that was recorded is forbidden, and the run counts as ended there: ${someOf(ended.map(shownState))}; if the world goes on by itself, record steps without an action there`,
        ]),
  ];
}

function someOf(all: readonly string[]): string {
  const more = all.length > NAMED ? ` and ${all.length - NAMED} more` : '';
  return `${all.slice(0, NAMED).join('; ')}${more}`;
}
