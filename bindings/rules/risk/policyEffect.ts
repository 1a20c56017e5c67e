import { InvalidArgumentError } from '../../base/errors.js';
import { readLearntMdp, withoutPairs } from '../../estimation/learning/index.js';
import type { Dtmc, Mdp } from '../../solvers/model/index.js';
import type { Specification } from '../specification/index.js';
import { type NamedState, namedStates } from './fileNumbers.js';

/** What the policies of a specification take away from what a model says, as `policyEffect` proves it. */
export interface PolicyEffect {
  /** SHA-256 of the policies. */
  readonly hash: string;
  /** Rows of the learnt decision process of which the policies forbid every call; empty for a chain. */
  readonly forbidden: ReadonlySet<number>;
  /** The rules that no session under the policies can break, each with the policies without which it could. Their risk is 0, whatever the model says. */
  readonly proven: ReadonlyMap<string, readonly string[]>;
}

/**
 * The model of the agent under its policies: without the pairs that they forbid. A state of which all pairs are forbidden ends the run.
 *
 * @param effect default: nothing is forbidden
 * @returns the model itself if nothing is forbidden
 * @throws InvalidArgumentError if the effect is not that of the specification's policies
 */
export function modelUnder<Learnt extends Dtmc | Mdp>(
  specification: Specification,
  model: Learnt,
  effect: PolicyEffect | undefined,
): Learnt {
  if (effect === undefined) return model;
  if (effect.hash !== specification.policies?.hash)
    throw new InvalidArgumentError(
      `${specification.source}: the effect of policies is not that of this specification's; find it with policyEffect(specification, model)`,
    );
  return model.type === 'mdp' ? (withoutPairs(model, effect.forbidden) as Learnt) : model;
}

/** The specification without some of its rules. */
export function withoutRules(
  specification: Specification,
  names: ReadonlyMap<string, unknown> = new Map(),
): Specification {
  return { ...specification, rules: specification.rules.filter(({ name }) => !names.has(name)) };
}

/** What policies take away from a decision process, as shown to users. */
export interface TakenAway {
  /** Pairs of a state and an action that the data have. */
  readonly pairs: number;
  /** Those that the policies forbid. */
  readonly forbidden: readonly (NamedState & { readonly action: string })[];
  /** States of which all pairs are forbidden, and in which nobody was recorded to do nothing: the run counts as ended there. */
  readonly ended: readonly NamedState[];
}

/** Says what policies take away from a learnt decision process. */
export function takenAway(
  specification: Specification,
  mdp: Mdp,
  { forbidden }: Pick<PolicyEffect, 'forbidden'>,
): TakenAway {
  const view = readLearntMdp(mdp);
  const named = namedStates(specification, view);
  const { rowGroupStart } = view.model;
  const rows = view.actions.flatMap((action, row) => (action === null ? [] : [{ action, row }]));
  const isEnded = (s: number): boolean => {
    for (let row = rowGroupStart[s]; row < rowGroupStart[s + 1]; row++) if (!forbidden.has(row)) return false;
    return true;
  };
  return {
    pairs: rows.length,
    forbidden: rows.flatMap(({ action, row }) =>
      forbidden.has(row) ? [{ ...named[view.stateOf[row]], action }] : [],
    ),
    ended: named.filter((_, s) => isEnded(s)),
  };
}
