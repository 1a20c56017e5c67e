import type { DetectorDeclaration } from './detectors.js';
import type { RuleMessage } from './guardFile.js';
import type { Fault, GuardStep } from './guardStep.js';
import type { GuardProposal } from './proposal.js';
import type { Decision, Strategy } from './strategy.js';

/** A call that an agent proposes, as a session has read it: deeply frozen plain data. */
export interface ProposedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What the session's detectors answered about the arguments; one without an answer throws when it is read. Absent if none was asked. */
  readonly detected?: Readonly<Record<string, boolean | number | string>>;
}

/** A call that was let through. */
export interface StartedCall {
  /** Number of the decision that let it through. */
  readonly number: number;
  readonly name: string;
  /** The call that runs; null if only the records of the run have it, which may hide its arguments. */
  readonly call: ProposedCall | null;
  /** What this judge has read of it: `Judgement.read` of the judgement on it. Null if the judge has not judged it, as of a judge that failed in shadow mode. */
  readonly read: unknown;
  /** The rules whose violation by it a person has excused. */
  readonly excused: readonly string[];
}

/** A call as it may be shown: hidden fields hold a placeholder. */
export interface ShownCall {
  /** Null for doing nothing. */
  readonly name: string | null;
  readonly arguments: unknown;
}

/** The world in which a call is judged. */
export interface JudgedWorld {
  /** The last observation. What follows from the calls of the run stands beside it, as `JudgeNeeds.reads` asks. */
  readonly state: Readonly<Record<string, unknown>>;
  /** Seconds of the session's clock; absent if it has none. */
  readonly time?: number;
  /** The calls that were let through and have not come back, those from before an interruption first: each may have run, may still run, or never. */
  readonly pending: readonly StartedCall[];
  /** Another call of the same turn of the agent was refused before, so that the agent could not have read that yet. Absent if not. */
  readonly sibling?: boolean;
}

/** A rule against a call, or what is not known of it. */
export interface Refusal {
  /** Empty if no rule of its own is against the call, but what a guard does not know. */
  readonly name: string;
  /** Which of several things the rule has against the call, of which a yes to one is none to another; its explanation tells all of them. Default: it has one. */
  readonly part?: string;
  /** What that is. */
  readonly fault?: Fault;
  /** The rules whose risk is not known for it. */
  readonly of?: readonly Refusal[];
  readonly decision: Decision;
  /** The risk, if it is a rule of the guard. */
  readonly risk?: number;
  readonly decidedOn?: GuardStep['decidedOn'];
}

/** What a judge says of a call. Only `decision` and `read` are required. */
export interface Judgement {
  /** `allow`, or one of the judge's declared decisions. */
  readonly decision: Decision;
  /**
   * What the judge has read of the call and the world, and all that the decision depends on beside earlier events of the run: JSON, as the audit log keeps it. It
   * is not redacted: read truths and numbers, not secrets.
   */
  readonly read: unknown;
  /** The rule that decided; default: none, or the judge's name where the call is refused. */
  readonly rule?: string;
  /** Why, in a word; default `judged`. */
  readonly reason?: string;
  /** Why, in a sentence or two for people and logs; asked for only if this judgement counts. */
  readonly explanation?: string;
  /** What the agent is told of a refused call, or a function of what the rule says for itself (`says`); default: that it is not permitted, and that or the explanation. */
  readonly message?: string | ((why: string | null) => string | undefined);
  /** What the rule that decided says for itself to people and to the agent, of a call as it may be shown; null if nothing. */
  readonly says?: (call: ShownCall) => RuleMessage | null;
  /** Of `observe` and `readAgain`: the rules that the step's approved call breaks in it, and for which it was excused again. */
  readonly excused?: readonly string[];
  /** The replacement to run, if the decision is `replace`. */
  readonly action?: string | null;
  /** The nearest call that would be permitted; the agent is told. It is judged if the agent proposes it. */
  readonly suggestion?: Pick<ProposedCall, 'name' | 'arguments'> | null;
  /** What was due at this step and did not come, so that it would break a rule: names or sentences of predicates. The agent is told. */
  readonly due?: readonly string[];
  /** Names of actions that are permitted instead, the safest first; null stands for doing nothing. */
  readonly alternatives?: readonly (string | null)[];
  /**
   * If the decision is `reflect`: what it becomes once the agent has been asked to reflect as often as the session allows, the first at once, the next after the
   * next time, and so on. Absent: the judge counts by itself.
   */
  readonly escalate?: readonly Decision[];
  /** What is withheld: this call, or all calls of its turn; default `call`. */
  readonly scope?: 'call' | 'turn';
  /** The decision if this one cannot be carried out: nobody answers, or no replacement can run. Default: the session's `onFault`. */
  readonly onFailure?: Decision;
  /** The decision if no rule were in shadow mode; default: `decision`. */
  readonly wouldDecide?: Decision;
  /** What is against the call, of which a person's yes overrules all that was shown; default: the rule that decided. */
  readonly against?: readonly Refusal[];
  /** The risk for records and people; none by default. */
  readonly risk?: number;
  /** The answer of a guard. */
  readonly step?: GuardProposal;
}

/** What a judge needs of a session. */
export interface JudgeNeeds {
  /** What is wrong if the session has no clock, in words, such as `the policy limits calls an hour`; absent if it needs none. */
  readonly clock?: string;
  /** Whether the judge reads a field of what follows from the calls of the run (`calls`, `history`, …); default: it may read all. */
  readonly reads?: (field: string) => boolean;
  /** The detectors whose answers it reads, which a session must have. Default: none. */
  readonly detectors?: Readonly<Record<string, DetectorDeclaration>>;
  /** Largest number of running calls beside which it can judge another. Default 0: the state that it is given lacks what running calls change. */
  readonly pending?: number;
}

/** What a judge is told of a run when it begins. */
export interface JudgedRun {
  /** Name of the run. */
  readonly id: string;
  /** Whether the session takes a tool for safe. */
  readonly isSafe: (tool: string) => boolean;
  /** Whether explanations may quote values of the state and of arguments: not where fields are hidden. */
  readonly mayQuote: boolean;
}

/**
 * What judges the calls of agents: a guard, a policy, a contract, rules. A session knows its judges by this interface alone. It may be shared by any number of
 * sessions; what it knows of one run is a `RunJudge`.
 */
export interface Judge {
  /** For people and logs. */
  readonly name: string;
  /** Of all that its decisions depend on beside what it reads, so that a log shows under what it was written, such as SHA-256 of its rules. A run is resumed under the same. */
  readonly hash: string;
  /** All decisions on calls that it may ever make, beside `allow`, `report` and `stop`, with the names of replacements. Another is a fault. */
  readonly decisions: readonly Strategy[];
  /** The same of decisions on doing nothing; default: `decisions`. */
  readonly idleDecisions?: readonly Strategy[];
  /** `turn` if it may withhold all calls of a turn (`Judgement.scope`): an adapter that cannot is refused. Default: it withholds single calls, and another scope is a fault. */
  readonly scope?: 'turn';
  readonly needs?: JudgeNeeds;
  /** More for the record of a run's beginning: plain data. */
  readonly about?: Readonly<Record<string, string | null>>;
  /**
   * Begins a run.
   * @throws InvalidArgumentError if it cannot: no session is made
   */
  begin(run: JudgedRun): RunJudge;
}

/**
 * A judge in one run. All answers come at once; one that is a promise is a fault, as is an error.
 *
 * Only `propose` and `decideAgain` are required. A judge with a state changes it in `started`, `came`, `withdrawn` and `observe`, never in a method that decides.
 * Then a run that is resumed or replayed comes to the same state, because these are told again: from records, with what the judge read of each call.
 */
export interface RunJudge {
  /**
   * Judges a call before it runs. It may be asked of a call more than once, and of a call that then does not run.
   *
   * @param call null stands for doing nothing
   */
  propose(call: ProposedCall | null, world: JudgedWorld): Judgement;
  /**
   * Decides again from what was read at that place of the run: the same decision, rule, reason and action, without the call.
   *
   * @param read as recorded: plain data, which someone may have altered
   * @param where what was read it for: a call, the world between calls, or (`again`) `readAgain`
   */
  decideAgain(read: unknown, where: 'call' | 'between' | 'again'): Judgement;
  /** Judges the call that may run in place of a proposed one. Default: as `propose`. Null: it judges the world, not calls, and says no more than of the proposed one. */
  instead?(call: ProposedCall, world: JudgedWorld): Judgement | null;
  /** Judges a call that a person has approved, in the world as it is by then: what is against it by now. Default: as `propose`. */
  approve?(call: ProposedCall | null, world: JudgedWorld): Judgement;
  /** A person has approved what breaks these rules: returns those that it had for broken, and no longer has. */
  excuse?(rules: readonly string[]): readonly string[];
  /** The call judged last does not run. */
  withheld?(): void;
  /** A call runs: it was let through, or a person has approved it. */
  started?(call: StartedCall): void;
  /** Doing nothing was permitted. */
  idled?(): void;
  /** A call has come back. True: `readAgain` is called once that is recorded. */
  came?(call: StartedCall, outcome: 'ran' | 'failed'): boolean | undefined;
  /** A call that was let through was given up, and will not run. True: as of `came`. */
  withdrawn?(call: StartedCall): boolean | undefined;
  /** The run was interrupted, and goes on: what was running then has an unknown outcome. */
  interrupted?(): void;
  /** Whether it refuses all calls of a tool from now on, whatever their arguments. Default false. */
  closes?(tool: string): boolean;
  /** Whether a call of a tool may be suggested to the agent in this world. Default true. */
  permits?(tool: string, world: JudgedWorld): boolean;
  /** Whether a call of a tool, whatever its arguments, would have been let through in place of the last one that was proposed. Default false. */
  keeps?(tool: string, world: JudgedWorld): boolean;
  /** The run ends: one more observation may follow, and nothing is judged beside running calls. */
  ending?(): void;
  /** The run has ended: nothing follows. */
  end?(): void;

  // What a judge does that reads the world in steps, as a guard does: all of these, or none.

  /** Whether it wants to see the world although calls are running, because the time of its next step has come. Default: no. */
  wantsWorld?(world: JudgedWorld): boolean;
  /** Why a call cannot be judged yet, in words; null if it can. */
  tooEarly?(world: JudgedWorld): string | null;
  /** Whether a call would run in a world that it has not read since its last judgement, so that `observe` must come first. Default: no. */
  hasMoved?(call: ProposedCall | null, world: JudgedWorld): boolean;
  /**
   * Reads the world without a call to decide on: between running calls, before a call that a person has approved, or at the end. `stop` ends the run, other
   * decisions have no effect.
   *
   * @param world null if it could not be observed
   * @param approved the call that a person has approved, null for doing nothing; undefined if there is none
   */
  observe?(world: JudgedWorld | null, approved?: ProposedCall | null): Judgement;
  /**
   * Reads the last step again as that of another call, for which there is nothing to decide.
   * @param call the call that has come back, or that runs in place of the one judged last; undefined: the first of those running, if any
   */
  readAgain?(call?: ProposedCall): Judgement;
}

/** What a judge does that reads the world in steps, as a guard does. */
export type WorldReader = Required<
  Pick<RunJudge, 'wantsWorld' | 'tooEarly' | 'hasMoved' | 'observe' | 'readAgain'>
>;
