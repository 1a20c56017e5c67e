/** Ranks of what a guard decides at a step, the most severe highest: of several rules' decisions the one that ranks highest is taken. */
export const severity = {
  stop: 5,
  block: 4,
  replace: 4,
  inspect: 3,
  reflect: 2,
  report: 1,
  allow: 0,
} as const;

/** What a guard decides at a step. */
export type Decision = keyof typeof severity;

/** Strategies that a word names. The list from which types, schemas of files and messages are made: a new strategy begins here. */
export const STRATEGIES = ['stop', 'block', 'inspect', 'reflect', 'report'] as const satisfies Decision[];

/** A strategy that a word names. */
export type StrategyName = (typeof STRATEGIES)[number];

/**
 * What a rule does when its risk meets the threshold. `replace` names the safe action to run instead.
 * `report` records and lets the action run (shadow mode).
 */
export type Strategy =
  | { readonly kind: StrategyName }
  | { readonly kind: 'replace'; readonly action: string };

/** Kinds of strategies, `replace` included. */
export const STRATEGY_KINDS = [...STRATEGIES, 'replace'] as const;

/** What a guard may do in a state it knows nothing about. */
export const UNKNOWN_POLICIES = ['rule', ...STRATEGIES, 'allow'] as const;

/**
 * What a guard does in a state it knows nothing about; `rule` is the rule's own strategy at risk 1. `report` and `allow` are for what was read: where a predicate could not be read, they mean
 * `stop`.
 */
export type UnknownPolicy = (typeof UNKNOWN_POLICIES)[number];

/** What a guard decides at least once the agent has been found to have changed. */
export const DRIFT_POLICIES = ['report', 'inspect', 'stop'] as const satisfies StrategyName[];

/**
 * How a shield permits actions: `predict` while the risk of the agent going on as learnt is below the threshold; `least` while there is a way on whose risk is;
 * `budget` while what an action adds to the least risk is left of a budget, which bounds the risk of the whole run on the learnt model.
 */
export type ShieldMode = 'predict' | 'budget' | 'least';

/** Most calls that may be pending when a shield judges another: 2^6 sets of them. */
export const MAX_PENDING = 6;
