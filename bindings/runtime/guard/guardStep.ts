import type { Decision } from './strategy.js';

/** The fault of an observation or of an action: `onUntried` decides an untried action, `onUnreadable` a predicate that failed, and `onUnknown` the others. */
export type Fault =
  | 'predicate-failed'
  | 'forbidden-state'
  | 'forbidden-transition'
  | 'unknown-state'
  | 'irregular-time'
  | 'untried-action';

/**
 * Why a guard decided as it did:
 * - `below-threshold`, `at-threshold`: the risk was compared
 * - `safe-tool`: the call is of a tool that is declared safe; no risk was compared, and no rule is broken
 * - `kept`: the step does not break the rule, which is enforced by its automaton alone
 * - `violated`: the rule was broken at this step
 * - `after-violation`: the rule was broken at an earlier step
 * - `escalated`: the rule has reflected `maxReflections` times since the last allow
 * - `predicate-failed`: a predicate, of the state or over an action's arguments, threw, or read a missing value or one of the wrong type
 * - `forbidden-state`, `forbidden-transition`: a constraint forbids it
 * - `unknown-state`: the state has no data
 * - `irregular-time`: the time since the last step is not the sampling period
 * - `untried-action`: the action was never taken in this state in the data
 * - `too-many-pending`: more calls are pending than the shield can judge another beside, or one of them could not be read
 * - `over-budget`: the action would add more to the least risk than the budget has left
 * - `nothing-permitted`: neither this action nor any other that was ever taken here is permitted
 * - `drift`: the agent no longer behaves as in the data, and the rules alone would have decided less severely
 * - `strategy-failed`: set by `Guard.failed`
 */
export type Reason =
  | Fault
  | 'below-threshold'
  | 'safe-tool'
  | 'kept'
  | 'at-threshold'
  | 'violated'
  | 'after-violation'
  | 'escalated'
  | 'over-budget'
  | 'too-many-pending'
  | 'nothing-permitted'
  | 'drift'
  | 'strategy-failed';

/** A guard's answer to one observation. `Guard.stepInto` overwrites a given one. */
export interface GuardStep {
  /** Number of this observation in the run, from 0. */
  step: number;
  decision: Decision;
  /** The most severe decision of all rules, including those in shadow mode, which only report. */
  wouldDecide: Decision;
  /**
   * The action to run instead that the rule's strategy or `onIdle` names, if the decision is `replace`; else null. The guard has not judged it. A session does
   * before it runs. Without a session, ask a guard that judges actions by `Guard.propose`, which also charges it to a budget.
   */
  action: string | null;
  /** The number that counts, of which `decidedOn` says what it is: `upper`, or the larger of `upper` and `confidenceUpper`; 1 where the risk is unknown; NaN where a rule without tables is kept, and for a safe tool. */
  risk: number;
  /** Certified bounds on the risk of `rule`, under `least` on its least risk; 0 and 1 where it is unknown. */
  lower: number;
  upper: number;
  /** Upper bound on the agent's own risk at the guard's confidence; NaN if the guard does not decide on it. */
  confidenceUpper: number;
  /**
   * What `risk` is. `upper`: the risk if the agent goes on as learnt, as `foreguard risk` has it, also where `confidenceUpper` is equal. `least`: the upper bound on the least risk over all ways to go on,
   * under `shield: least` and `budget`; a budget compares what an action adds to it.
   */
  decidedOn: 'upper' | 'confidenceUpper' | 'least';
  /** State of the chain, from 0 in the order of the guard file; -1 where the observation is none of them. */
  state: number;
  /** The rule that decided: the first in the file among the most severe. Empty if none did: what is not known decided, or the tool is safe. */
  rule: string;
  /** The rule whose strategies apply: `rule`, or, where that is empty, the first among the most severe, of which `onFailure` is taken. */
  ruleOfStrategy: string;
  reason: Reason;
  /** The first predicate that could not be read, of those that the deciding rule reads, else of all; null if all could. */
  predicate: string | null;
  /** The step from the previous state is not in the data, although both states are. */
  unseenTransition: boolean;
  /** The agent no longer behaves as in the data, as found now or earlier; `Guard.drift` has the evidence. False if drift is not watched. */
  drift: boolean;
  /**
   * The observation came before its time under `resample: hold` or `skip`, and its state was not read: this is the decision on the last step again, or a decision
   * on an action given now in the state of that step. A clock that is set back makes many such answers in a row; a control loop should brake after a few.
   */
  unread: boolean;
}

/** Makes a step that `Guard.stepInto` can overwrite. */
export function createGuardStep(): GuardStep {
  return {
    step: -1,
    decision: 'stop',
    wouldDecide: 'stop',
    action: null,
    // Not whole numbers: engines then lay the fields out as doubles at once and store later ones without allocating.
    risk: Number.NaN,
    lower: Number.NaN,
    upper: Number.NaN,
    confidenceUpper: Number.NaN,
    decidedOn: 'upper',
    state: -1,
    rule: '',
    ruleOfStrategy: '',
    reason: 'unknown-state',
    predicate: null,
    unseenTransition: false,
    drift: false,
    unread: false,
  };
}

/** Copies one step into another field by field, without allocating. */
export function copyGuardStep(from: GuardStep, into: GuardStep): void {
  into.step = from.step;
  into.decision = from.decision;
  into.wouldDecide = from.wouldDecide;
  into.action = from.action;
  into.risk = from.risk;
  into.lower = from.lower;
  into.upper = from.upper;
  into.confidenceUpper = from.confidenceUpper;
  into.decidedOn = from.decidedOn;
  into.state = from.state;
  into.rule = from.rule;
  into.ruleOfStrategy = from.ruleOfStrategy;
  into.reason = from.reason;
  into.predicate = from.predicate;
  into.unseenTransition = from.unseenTransition;
  into.drift = from.drift;
  into.unread = from.unread;
}
