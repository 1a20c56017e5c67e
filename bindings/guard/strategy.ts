/** What a guard decides at a step, from the most severe to the least; `block` and `replace` rank the same. */
export type Decision = 'stop' | 'block' | 'replace' | 'inspect' | 'reflect' | 'report' | 'allow';

/**
 * What a rule does when its risk meets the threshold. `replace` names the safe action to run instead.
 * `report` records and lets the action run (shadow mode).
 */
export type Strategy =
  | { readonly kind: 'stop' | 'block' | 'inspect' | 'reflect' | 'report' }
  | { readonly kind: 'replace'; readonly action: string };

/**
 * What a guard does in a state it knows nothing about; `rule` is the rule's own strategy at risk 1. `report` and `allow` are for what was read: where a predicate could not be read, they mean
 * `stop`.
 */
export type UnknownPolicy = 'rule' | 'stop' | 'block' | 'inspect' | 'reflect' | 'report' | 'allow';

/**
 * How a shield permits actions: `predict` while the risk of the agent going on as learnt is below the threshold; `least` while there is a way on whose risk is;
 * `budget` while what an action adds to the least risk is left of a budget, which bounds the risk of the whole run on the learnt model.
 */
export type ShieldMode = 'predict' | 'budget' | 'least';

/** Most calls that may be pending when a shield judges another: 2^6 sets of them. */
export const MOST_PENDING = 6;

/** Rank of a decision: of several rules' decisions the one that ranks highest is taken. */
export const severity: Readonly<Record<Decision, number>> = {
  stop: 5,
  block: 4,
  replace: 4,
  inspect: 3,
  reflect: 2,
  report: 1,
  allow: 0,
};
