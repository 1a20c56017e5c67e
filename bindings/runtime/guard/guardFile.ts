import type { Automaton } from '../../languages/automaton/index.js';
import type { ExpressionTree } from '../../languages/expression/index.js';
import type { ActionDefinition } from '../../observations/abstraction/index.js';
import type { ResamplePolicy } from '../../observations/trace/index.js';
import type { PolicySet } from '../policy/index.js';
import type { DetectorDeclaration } from './detectors.js';
import type { DRIFT_POLICIES, ShieldMode, Strategy, UnknownPolicy, UnreadablePolicy } from './strategy.js';

/**
 * When a risk intervenes. `risk >= t` and `risk > t` compare the risk, `safety < t` and `safety <= t` compare 1 - risk: the conventions of both papers and
 * PCTL's four bounds. They are kept apart because rounding makes `1 - risk < t` differ from `risk > 1 - t`.
 */
export interface Threshold {
  readonly compare: 'risk>=' | 'risk>' | 'safety<' | 'safety<=';
  readonly value: number;
}

/** A threshold and the strategy that applies once the risk meets it; levels are stored from the least severe threshold up. */
export interface Level {
  readonly threshold: Threshold;
  readonly strategy: Strategy;
}

/** What a rule says for itself where it is against a call, as templates: `{arguments.amount}`, `{tool}`, `{rule}` and `{risk}` are filled in. */
export interface RuleMessage {
  /** For the person who is asked. */
  readonly people?: string;
  /** For the agent whose call is refused. */
  readonly agent?: string;
}

/** One compiled rule: its automaton, and the risk at each pair of a chain state and an automaton state. */
export interface GuardRule {
  readonly name: string;
  /** The formula as written, for messages. */
  readonly formula: string;
  /**
   * `trace`: the automaton runs along the trace and carries its history. `state`: a PCTL rule, evaluated in every state without history; its automaton has one
   * state.
   */
  readonly evaluation: 'trace' | 'state';
  /** `accepting` tells which automaton states satisfy the *rule* when the run ends: all states that are not violated, if the rule is weak at the end. */
  readonly automaton: Automaton;
  /** Number of steps that past operators in `formula` look back from a position; null means no limit, absent means none. An explanation needs these steps. */
  readonly pastSteps?: number | null;
  /**
   * For a `state` rule: the automaton of "the event that the rule bounds does not happen from here", with which a replay checks whether it did. Guards do not
   * read it.
   */
  readonly monitor?: Automaton;
  readonly levels: readonly Level[];
  readonly escalate: readonly Strategy[];
  readonly maxReflections: number;
  /** Shadow mode: the rule's decisions are recorded but not enforced. */
  readonly shadow?: boolean;
  readonly afterViolation: Strategy;
  readonly onFailure: Strategy;
  /** The risk is that of a violation within this many further steps; null means ever. */
  readonly horizonSteps: number | null;
  /**
   * No strategy was named: a refused action is answered with `reflect` if there is a way out after it (its least risk meets no threshold), else with
   * `block`.
   */
  readonly shieldChooses?: boolean;
  /**
   * The rule in English, which messages say in place of the formula: the sentence that it was written as, or what the formula says in the words of its predicates. Absent: it was
   * written as a formula, and none of its predicates has words.
   */
  readonly english?: string;
  /** What people and the agent are told where the rule is against a call. Absent: the guard's own words. */
  readonly message?: RuleMessage;
  /**
   * The policies of the file without which a session could break the rule: under them none can, which was proved, and its risk is 0. Such a rule has no tables. Absent:
   * nothing of this kind was proved.
   */
  readonly provenBy?: readonly string[];
  /** Absent for a rule that is enforced by its automaton alone: what breaks it is refused, and no risk is known. */
  readonly tables?: PackedTables;
}

/**
 * The tables that a guard looks up for one rule, by entry: a pair of a chain state and an automaton state that a run can be in while the rule is undecided.
 * Entries are ordered by chain state, then by automaton state. Text is base64 of little-endian numbers: 32-bit words are bounds on a probability
 * (docs/guardFile.md), 64-bit words are doubles.
 */
export interface PackedTables {
  /** Automaton states that have entries, as runs: first and number, first and number, … Most chain states have the same ones and therefore share groups. */
  readonly groups: readonly (readonly number[])[];
  /** The group of each chain state. */
  readonly groupOf: readonly number[];
  /** The risk, if the agent goes on as learnt. */
  readonly risk: string;
  /** Present if the guard decides on it: the upper bound on the agent's own risk at the file's `confidence`. Its lower bounds are 0. */
  readonly confidenceUpper?: string;
  /**
   * Present if actions are shielded: the least and the greatest risk over all continuations. `upper` holds doubles that are inductive: no entry is below the
   * least of its means over the outcomes of an action. Absent for rules that are decided by the state alone: state rules, and rules with a horizon.
   */
  readonly least?: { readonly bounds: string; readonly upper: string };
  readonly most?: string;
  /** Further horizons on request, keyed by number of steps. */
  readonly horizons?: Readonly<Record<string, { readonly risk: string; readonly confidenceUpper?: string }>>;
}

/**
 * The counts of single steps in the data, if a guard watches for drift; live steps are added to them. Ends of runs are not counted, because a guard does not
 * see them.
 */
export interface GuardDrift {
  /** Upper bound on the probability that an alarm is ever raised although nothing has changed. */
  readonly falseAlarmRate: number;
  /** The least severe decision that a guard makes once there is an alarm. */
  readonly onDrift: (typeof DRIFT_POLICIES)[number];
  /** States in which runs began, ascending, with their counts. */
  readonly start: { readonly columns: readonly number[]; readonly counts: readonly number[] };
  /** Number of times each transition of `seen` was taken. */
  readonly counts: readonly number[];
  /** Per state, with the beginnings of runs last: an upper bound on the steps (ends of runs excluded) after the one that last showed a new successor. */
  readonly drawsSinceNew: readonly number[];
}

/**
 * Marks "no action" among the indices into `names` of a guard file's actions. Models use `NO_ACTION`, an unsigned number beyond all indices; in a guard file no
 * action comes first, because indices ascend.
 */
export const IDLE = -1;

/** The agent's actions in each state and their learnt outcomes, by which a shield judges actions. */
export interface GuardActions {
  readonly mode: ShieldMode;
  /** Abstract actions: names, refined by predicates over arguments. */
  readonly names: readonly string[];
  /** The predicates that distinguish calls of the same tool. */
  readonly predicates: ActionDefinition;
  /** States in which runs begin, ascending, with their probabilities. */
  readonly start: { readonly columns: readonly number[]; readonly values: readonly number[] };
  /** Pairs of a state and an action taken in it, as compressed rows over `states`: indices into `names`, ascending; `IDLE` comes first. */
  readonly taken: {
    readonly rowStart: readonly number[];
    readonly actions: readonly number[];
    readonly draws: readonly number[];
  };
  /**
   * The outcomes of each pair, as compressed rows over pairs; the column after the last state is the end of the run. Pairs of `idleEnds`
   * have those of the steps that went on.
   */
  readonly outcomes: {
    readonly rowStart: readonly number[];
    readonly columns: readonly number[];
    readonly values: readonly number[];
  };
  /**
   * Pairs of doing nothing in which some steps went on and others ended their runs, ascending, with the weight of the ends among all of the
   * pair's outcomes. The ends count for rules that they break, and for no other. Absent: there are none.
   */
  readonly idleEnds?: { readonly pairs: readonly number[]; readonly weights: readonly number[] };
  /**
   * Pairs of which the file's policies forbid every call, ascending, none of doing nothing: risks are those of an agent that never takes them. Absent: there are
   * none, or risks are those of the agent as it was recorded.
   */
  readonly forbidden?: readonly number[];
}

/** What is declared of a tool. */
export interface GuardTool {
  /**
   * Calls of it are taken to raise no risk: they are not refused for being untried or in an unknown state, rules with tables do not judge them, and they take
   * nothing of a budget. Rules that are broken, and what could not be read, still withhold them. False: not even a run that is told that the tool is safe takes it so.
   * Default: as the run is told.
   */
  readonly safe?: boolean;
}

/** Policies on single calls: a session judges by them beside the rules. `Guard.step` and `Guard.propose` answer for the rules alone. */
export interface GuardPolicies {
  /** SHA-256 of `set`'s canonical JSON. */
  readonly hash: string;
  /** `report` if something of them may be unproved, as the specification allows. Absent: what compiles them refuses that. */
  readonly unproved?: 'report';
  readonly set: PolicySet;
}

/** Expressions of a guard file as syntax trees: predicates in their order, and the constraints that the file has. */
export interface ExpressionTrees {
  readonly predicates: readonly ExpressionTree[];
  readonly constraints: {
    readonly state?: ExpressionTree;
    readonly transition?: ExpressionTree;
    readonly end?: ExpressionTree;
  };
}

/** guard.json: everything a guard needs at run time. Plain JSON, written by `compile` and read by `foreguard/guard`; docs/guardFile.md describes each part. */
export interface GuardFile {
  readonly format: 'foreguard-guard';
  readonly version: 2;
  readonly specificationHash: string;
  /** Null for a guard of rules alone, which holds no states of a chain; its rules have no tables. */
  readonly modelHash: string | null;
  readonly predicates: readonly { readonly name: string; readonly expression: string }[];
  /**
   * Present if the file has rules of a model and rules without tables, which are exact: how many predicates, from the first, the states of the chain are made of.
   * Rules with tables read only these. Unknown values of other predicates, or of the chain, do not make these rules unknown.
   */
  readonly learntPredicates?: number;
  /** The sentences that say that a predicate holds, and that it does not, by the names of those that have words; explanations speak them. Absent: none has. */
  readonly words?: Readonly<Record<string, { readonly holds: string; readonly not: string }>>;
  readonly constraints: { readonly state?: string; readonly transition?: string; readonly end?: string };
  /** The same expressions, parsed and type-checked: with trees, a guard loads without a parser. */
  readonly trees?: ExpressionTrees;
  /** Chain states that the guard can look up, except `start` and `end`. */
  readonly states: {
    /** The valuation of each state over the learnt predicates: predicate i is bit i & 31 of word i >>> 5; each state has `words` words. */
    readonly words: number;
    readonly valuations: readonly number[];
    /** Number of times each state was left in the data; a state with 0 is unknown to the guard. */
    readonly draws: readonly number[];
  };
  /** Transitions seen in the data, as compressed rows over `states`; columns ascend strictly within a row. */
  readonly seen: { readonly rowStart: readonly number[]; readonly columns: readonly number[] };
  /** Empty only in a file with `policies`. */
  readonly rules: readonly GuardRule[];
  /** Absent if the specification has none. */
  readonly policies?: GuardPolicies;
  /** Durations for which the risk was requested, such as `3s`, with the horizon in steps of each. */
  readonly durations?: Readonly<Record<string, number>>;
  /** Present if the model is a decision process. */
  readonly actions?: GuardActions;
  /** Present if drift is watched. */
  readonly drift?: GuardDrift;
  /**
   * Decides a step without data: a state never left, a forbidden state or transition, a time out of step. Without `onUntried` and `onUnreadable` it decides
   * what these do, too; `report` and `allow` mean `stop` if a predicate could not be read.
   */
  readonly onUnknown: UnknownPolicy;
  /**
   * Decides an action that was never taken in its state. Default: as `onUnknown`. Only with `actions`. With this or `onUnreadable`, the policy `rule` of it and of
   * `onUnknown` means no rule that is satisfied for good.
   */
  readonly onUntried?: UnknownPolicy;
  /**
   * Decides where a predicate, of the state or over an action's arguments, could not be read. Default: as `onUnknown`, but never one that lets an agent go on.
   * Rules without tables refuse by default only what may have broken them; with this setting, all that could not be read.
   */
  readonly onUnreadable?: UnreadablePolicy;
  /** The response when doing nothing is refused; `inspect` asks a person. Default `stop`. */
  readonly onIdle?:
    | { readonly kind: 'stop' | 'inspect' }
    | { readonly kind: 'replace'; readonly action: string };
  /** What is declared of tools, by name. Default: nothing. */
  readonly tools?: Readonly<Record<string, GuardTool>>;
  /** The detectors whose answers predicates read, by their names; absent if there are none. A session must have each. */
  readonly detectors?: Readonly<Record<string, DetectorDeclaration>>;
  /** Required for `report` or `allow` of `onUnknown` or `onUntried`, with which a fault lets the agent go on. */
  readonly unsafeAllowUnknown?: boolean;
  /** The risk that is compared: `upper`, or the larger of `upper` and `confidenceUpper`. */
  readonly decideOn: 'upper' | 'confidenceUpper';
  /** With `confidenceUpper`: `delta` is the chance that any of these bounds is wrong. */
  readonly confidence?: { readonly delta: number };
  /** Seconds between steps if rules use time; else null. */
  readonly samplingPeriodSeconds: number | null;
  /** Largest allowed deviation of a gap from the sampling period, as a fraction of the period. */
  readonly periodTolerance: number;
  /** How steps that are not one sampling period apart are treated. Default `error`. */
  readonly resample?: ResamplePolicy;
}
