import type { Automaton } from '../../languages/automaton/index.js';
import type { ExpressionTree } from '../../languages/expression/index.js';
import type { ActionDefinition } from '../../observations/abstraction/index.js';
import type { ResamplePolicy } from '../../observations/trace/index.js';
import type { DRIFT_POLICIES, ShieldMode, Strategy, UnknownPolicy } from './strategy.js';

/**
 * When a risk intervenes. `risk >= t` and `risk > t` compare the risk, `safety < t` and `safety <= t` compare 1 - risk:
 * both papers' conventions and PCTL's four bounds. Kept apart because rounding makes `1 - risk < t` differ from
 * `risk > 1 - t`.
 */
export interface Threshold {
  readonly compare: 'risk>=' | 'risk>' | 'safety<' | 'safety<=';
  readonly value: number;
}

/** A threshold and what to do from there on; levels are stored from the least severe threshold up. */
export interface Level {
  readonly threshold: Threshold;
  readonly strategy: Strategy;
}

/** One rule, compiled: its automaton, and the risk at each pair of a chain state and an automaton state. */
export interface GuardRule {
  readonly name: string;
  /** The formula as written, for messages. */
  readonly formula: string;
  /**
   * `trace`: the automaton runs along the trace and carries its history. `state`: a PCTL rule, evaluated afresh in every
   * state, without history; its automaton has one state.
   */
  readonly evaluation: 'trace' | 'state';
  /**
   * `accepting` tells which automaton states satisfy the *rule* when the run ends: of a rule that is weak at the end these
   * are all that are not violated.
   */
  readonly automaton: Automaton;
  /** Steps before a position that operators of the past in `formula` look back at; null is without limit, absent none. An explanation needs them. */
  readonly pastSteps?: number | null;
  /**
   * Of a `state` rule: the automaton of "what the rule bounds does not happen from here", by which a replay sees whether it
   * did. Guards do not read it.
   */
  readonly monitor?: Automaton;
  readonly levels: readonly Level[];
  readonly escalate: readonly Strategy[];
  readonly maxReflections: number;
  /** Only reported is what the rule decides. */
  readonly shadow?: boolean;
  readonly afterViolation: Strategy;
  readonly onFailure: Strategy;
  /** Risk is that of a violation within so many further steps; null is ever. */
  readonly horizonSteps: number | null;
  /** No strategy was named: a refused action is answered by `reflect` where there is a way out after it, else by `block`. */
  readonly shieldChooses?: boolean;
  readonly tables: PackedTables;
}

/**
 * What a guard looks up about one rule, by entry: a pair of a chain state and an automaton state that a run can be in with the rule undecided. Entries go by chain
 * state, and within one by automaton state. Text is base64 of numbers with the least byte first: of 32 bits bounds on a probability (docs/guardFile.md), of 64 doubles.
 */
export interface PackedTables {
  /** Automaton states that have entries, as runs: first and number, first and number, … Most chain states have the same, so that they go by groups. */
  readonly groups: readonly (readonly number[])[];
  /** Per chain state its group. */
  readonly groupOf: readonly number[];
  /** The risk, if the agent goes on as learnt. */
  readonly risk: string;
  /** Where the guard decides on it: what bounds the agent's own risk from above at `confidence` of the file. Its lower bounds are 0. */
  readonly confidenceUpper?: string;
  /**
   * Where actions are shielded: the least and the greatest risk over all ways to go on. `upper` holds doubles that are inductive: in no entry is it below the least of its
   * means over what an action leads to. Absent of rules that are decided by the state alone: of one state, or within a horizon.
   */
  readonly least?: { readonly bounds: string; readonly upper: string };
  readonly most?: string;
  /** Further horizons on request, by number of steps. */
  readonly horizons?: Readonly<Record<string, { readonly risk: string; readonly confidenceUpper?: string }>>;
}

/**
 * What the data say about single steps, where a guard watches for drift: counts, to which live steps are added. How runs end is not
 * among it, for a guard does not see it.
 */
export interface GuardDrift {
  /** The probability with which an alarm is ever raised though nothing has changed is at most this. */
  readonly falseAlarmRate: number;
  /** What a guard decides at least, once there is an alarm. */
  readonly onDrift: (typeof DRIFT_POLICIES)[number];
  /** States in which runs began, ascending, and how often. */
  readonly start: { readonly columns: readonly number[]; readonly counts: readonly number[] };
  /** How often each transition of `seen` was taken. */
  readonly counts: readonly number[];
  /** Per state, and last of the beginnings of runs: at most the steps, ends of runs aside, after the one that last showed a new successor. */
  readonly drawsSinceNew: readonly number[];
}

/**
 * No action, among the places in `names` of a guard file's actions. Models have `NO_ACTION`, an unsigned number beyond all places; here no action comes first,
 * as places ascend.
 */
export const IDLE = -1;

/** What the agent does in each state and what comes of it, as learnt: what a shield judges actions by. */
export interface GuardActions {
  readonly mode: ShieldMode;
  /** Abstract actions: names, refined by predicates over arguments. */
  readonly names: readonly string[];
  /** By which calls of a tool are told apart. */
  readonly predicates: ActionDefinition;
  /** States in which runs begin, and how often: ascending, probabilities. */
  readonly start: { readonly columns: readonly number[]; readonly values: readonly number[] };
  /** Pairs of a state and an action taken in it, as compressed rows over `states`: `names` by index, ascending; `IDLE` comes first. */
  readonly taken: {
    readonly rowStart: readonly number[];
    readonly actions: readonly number[];
    readonly draws: readonly number[];
  };
  /** What comes of each pair, as compressed rows over pairs; the column after the last state is the end of the run. */
  readonly outcomes: {
    readonly rowStart: readonly number[];
    readonly columns: readonly number[];
    readonly values: readonly number[];
  };
}

/** Expressions of a guard file as syntax trees: predicates in their order, and the constraints that there are. */
export interface ExpressionTrees {
  readonly predicates: readonly ExpressionTree[];
  readonly constraints: {
    readonly state?: ExpressionTree;
    readonly transition?: ExpressionTree;
    readonly end?: ExpressionTree;
  };
}

/** guard.json: all a guard needs at run time. Plain JSON, written by `compile`, read by `foreguard/guard`; docs/guardFile.md says what each part is. */
export interface GuardFile {
  readonly format: 'foreguard-guard';
  readonly version: 2;
  readonly specificationHash: string;
  readonly modelHash: string;
  readonly predicates: readonly { readonly name: string; readonly expression: string }[];
  readonly constraints: { readonly state?: string; readonly transition?: string; readonly end?: string };
  /** The same, parsed and their types checked: with it a guard is loaded without a parser. */
  readonly trees?: ExpressionTrees;
  /** Chain states the guard can look up; `start` and `end` are not among them. */
  readonly states: {
    /** Per state its valuation: predicate i is bit i & 31 of word i >>> 5. `words` numbers a state. */
    readonly words: number;
    readonly valuations: readonly number[];
    /** Number of times each state was left in the data; 0 is unknown to the guard. */
    readonly draws: readonly number[];
  };
  /** Transitions seen in the data, as compressed rows over `states`; columns ascend strictly within a row. */
  readonly seen: { readonly rowStart: readonly number[]; readonly columns: readonly number[] };
  readonly rules: readonly GuardRule[];
  /** Durations that the risk was asked for within, such as `3s`, and the horizon in steps that each is. */
  readonly durations?: Readonly<Record<string, number>>;
  /** Where the model is a decision process. */
  readonly actions?: GuardActions;
  /** Where drift is watched. */
  readonly drift?: GuardDrift;
  /** What decides a step without data; `report` and `allow` mean `stop` where a predicate could not be read. */
  readonly onUnknown: UnknownPolicy;
  /** What is done where doing nothing is refused; `inspect` asks a person. Default `stop`. */
  readonly onIdle?:
    | { readonly kind: 'stop' | 'inspect' }
    | { readonly kind: 'replace'; readonly action: string };
  /** Without it `onUnknown` may be neither `report` nor `allow`: a fault would let the agent go on. */
  readonly unsafeAllowUnknown?: boolean;
  /** The risk that is compared: `upper`, or the larger of `upper` and `confidenceUpper`. */
  readonly decideOn: 'upper' | 'confidenceUpper';
  /** With `confidenceUpper`: `delta` is the chance that any of these bounds is wrong. */
  readonly confidence?: { readonly delta: number };
  /** Seconds between steps where rules use time; null otherwise. */
  readonly samplingPeriodSeconds: number | null;
  /** A gap may differ from the sampling period by so much of it. */
  readonly periodTolerance: number;
  /** What becomes of steps that are not a sampling period apart. Default `error`. */
  readonly resample?: ResamplePolicy;
}
