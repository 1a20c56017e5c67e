/** Severity ranks of the decisions a guard can make at a step; among the decisions of several rules the one with the highest rank is taken. */
export const severity = {
  stop: 5,
  block: 4,
  replace: 4,
  inspect: 3,
  reflect: 2,
  report: 1,
  allow: 0,
} as const;

/** A guard's decision at a step. */
export type Decision = keyof typeof severity;

/**
 * The decision after a fault, if `onFailure` or `onFault` names this one. A decision that cannot be carried out, or lets the call run, cannot stand in for another
 * one that could not: it becomes a stop.
 */
export const afterFault: Readonly<Record<Decision, Decision>> = {
  stop: 'stop',
  block: 'block',
  replace: 'stop',
  inspect: 'stop',
  reflect: 'reflect',
  report: 'stop',
  allow: 'stop',
};

/** Strategies that are named by one word. Types, schemas of files and messages are derived from this list: add a new strategy here first. */
export const STRATEGIES = ['stop', 'block', 'inspect', 'reflect', 'report'] as const satisfies Decision[];

/** A strategy that is named by one word. */
export type StrategyName = (typeof STRATEGIES)[number];

/**
 * A rule's response when its risk meets the threshold. `replace` names the action to run instead. `report` records and lets the action run (shadow mode).
 */
export type Strategy =
  | { readonly kind: StrategyName }
  | { readonly kind: 'replace'; readonly action: string };

/** Kinds of strategies, `replace` included. */
export const STRATEGY_KINDS = [...STRATEGIES, 'replace'] as const;

/** Policies for a state that the guard knows nothing about. */
export const UNKNOWN_POLICIES = ['rule', ...STRATEGIES, 'allow'] as const;

/**
 * A guard's policy for a state it knows nothing about, or an action never tried there; `rule` is the rule's own strategy at risk 1. `report` and `allow` apply
 * only to observations that could be read: if a predicate could not be read, they mean `stop`.
 */
export type UnknownPolicy = (typeof UNKNOWN_POLICIES)[number];

/** A guard's policy for a step or a call of which a predicate could not be read: none lets an agent go on. */
export type UnreadablePolicy = Exclude<UnknownPolicy, 'allow' | 'report'>;

/** Policies for what could not be read. */
export const UNREADABLE_POLICIES: readonly UnreadablePolicy[] = UNKNOWN_POLICIES.filter(
  (policy) => policy !== 'allow' && policy !== 'report',
);

/** The least severe decision that a guard makes once drift of the agent has been detected. */
export const DRIFT_POLICIES = ['report', 'inspect', 'stop'] as const satisfies StrategyName[];

/**
 * How a shield permits actions. `predict`: the risk, if the agent goes on as learnt, is below the threshold. `least`: some continuation has a risk below the
 * threshold. `budget`: the action adds no more to the least risk than the budget has left, which bounds the risk of the whole run on the learnt model.
 */
export type ShieldMode = 'predict' | 'budget' | 'least';

/** Maximum number of pending calls beside which a shield judges another: 2^6 sets of them. */
export const MAX_PENDING = 6;
