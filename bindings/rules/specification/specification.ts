import type { AtEnd } from '../../languages/automaton/index.js';
import type { PredicateWords } from '../../languages/english/index.js';
import type { Formula } from '../../languages/logic/index.js';
import type { AbstractionDefinition, PredicateDefinition } from '../../observations/abstraction/index.js';
import type { DeclaredActions } from '../../observations/effects/index.js';
import type { ResamplePolicy, SamplingPeriod } from '../../observations/trace/index.js';
import type {
  DetectorDeclaration,
  GuardDrift,
  GuardFile,
  Level,
  RuleMessage,
  ShieldMode,
  Strategy,
  UnknownPolicy,
  UnreadablePolicy,
} from '../../runtime/guard/index.js';
import type { PolicySpecification } from './policies.js';

/** One rule of a specification, with defaults filled in. */
export interface RuleSpecification {
  readonly name: string;
  /** The formula over named predicates; inline comparisons have become predicates of the abstraction. */
  readonly formula: Formula;
  /** The formula as written, or as its sentence was read. */
  readonly formulaText: string;
  /** The sentence that the rule was written as, in one line; null if it was written as a formula alone. */
  readonly english: string | null;
  /**
   * Where the formula comes from: written; read from the sentence each time; written beside the sentence, which says the same; or translated from the sentence by a language
   * model.
   */
  readonly provenance: 'formula' | 'english' | 'locked' | 'translated';
  /** The levels, ascending; at least one. */
  readonly levels: readonly Level[];
  readonly escalate: readonly Strategy[];
  readonly maxReflections: number;
  /** `strong`: the finite trace must satisfy the formula; `weak`: it must only not be a bad prefix. */
  readonly atEnd: AtEnd;
  readonly afterViolation: Strategy;
  readonly onFailure: Strategy;
  /** The horizon of the risk: a violation within this many further steps; null: ever. */
  readonly horizonSteps: number | null;
  /**
   * Declared a function of what its predicates read: enforced by its automaton alone, in the guard of a model too. No risk of it is predicted, and what only it
   * reads is not learnt.
   */
  readonly exact: boolean;
  /** Shadow mode: the rule's decisions are recorded but not enforced. */
  readonly shadow: boolean;
  /** What it says to people and to the agent where it is against a call; null: the guard's own words. */
  readonly message: RuleMessage | null;
  /** Whether the rule names a strategy; if not, a shield chooses: reflect if there is a way out, else block. */
  readonly namesStrategy: boolean;
}

/** How a chain is learnt: the options of `learn`, as written. */
export interface LearningSpecification {
  readonly model: 'dtmc' | 'mdp';
  readonly smoothing: number;
  readonly states: 'observed' | 'valid';
  readonly onContradiction: 'error' | 'dropTrace' | 'accept';
  /** Null if the specification has no sampling period. */
  readonly period: SamplingPeriod | null;
  /** Kept in the model, to identify later the specification it was learnt for. */
  readonly specificationHash: string;
}

/** A call in the run of a test, with what is known before it and what comes of it. */
export interface TestCall {
  /** The tool. */
  readonly call: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What comes of the call if it runs; by default a result of null. */
  readonly outcome: { readonly result: unknown } | { readonly error: unknown };
  /** What is observed from this call on, beside what follows from calls and results. Undefined: as before it. */
  readonly state?: Readonly<Record<string, unknown>>;
  /** What detectors answer about the call's arguments and its result, by their names. Undefined: none answers. */
  readonly detected?: Readonly<Record<string, unknown>>;
  /** Seconds. Undefined: a sampling period after the call before; without a period, as at that call. */
  readonly time?: number;
}

/** A test of rules: a run of calls, and where it stops. */
export interface RuleTest {
  readonly name: string;
  /** Its line in the file, from 1. */
  readonly line: number;
  /** The rule or policy that judges alone; null: all do. */
  readonly rule: string | null;
  /** Tools that are declared beside those that the run calls. */
  readonly tools: readonly string[];
  /** Who is asking, as a session is told; null: nobody is told. */
  readonly principal: Readonly<Record<string, unknown>> | null;
  /** At least one call. */
  readonly run: readonly TestCall[];
  /** All calls run; or `stopped` is the index of the first call that does not, and `by` the rule that stops it (null: any). */
  readonly expect: 'allowed' | { readonly stopped: number; readonly by: string | null };
}

/** A tool that a specification lists. */
export interface ToolSpecification {
  /** The type of each argument, in words such as `text` or `list of number?`; null if nothing is said of them. */
  readonly arguments: ReadonlyMap<string, string> | null;
  /** Whether its calls are taken to raise no risk; null if nothing is said of it. */
  readonly safe: boolean | null;
}

/** A specification file, parsed and checked: predicates, rules, learning options and strategies. */
export interface Specification {
  /** The file it was read from, for messages. */
  readonly source: string;
  /** What is learnt: the predicates but those that only exact rules read, and the constraints. */
  readonly abstraction: AbstractionDefinition;
  /** The predicates that only exact rules read. */
  readonly exactPredicates: readonly PredicateDefinition[];
  /** How people say those predicates that have words, by their names. */
  readonly words: Readonly<Record<string, PredicateWords>>;
  /** The tools there are, by their names; null if the specification does not list them. */
  readonly tools: ReadonlyMap<string, ToolSpecification> | null;
  /** What tools are declared to require and to do, by their names; empty if nothing is declared. */
  readonly declaredActions: DeclaredActions;
  /** Whether sessions judge calls by what is declared of them (`judgesBeside`): by the rules that they would break, or also by what they require. Null: they do not. */
  readonly foresight: 'rules' | 'all' | null;
  /** The detectors that predicates may read, by their names. */
  readonly detectors: ReadonlyMap<string, DetectorDeclaration>;
  /** Empty only beside policies. */
  readonly rules: readonly RuleSpecification[];
  readonly learning: LearningSpecification;
  /** How actions are permitted, if a decision process is learnt. */
  readonly shield: ShieldMode;
  /** The reaction in a state that the data never left, and where a state, a step or its time is none of the data's. */
  readonly onUnknown: UnknownPolicy;
  /** The reaction to an action that the data never have in its state. Null: as `onUnknown`. */
  readonly onUntried: UnknownPolicy | null;
  /** The reaction where a predicate could not be read. Null: as `onUnknown`, but never one that lets an agent go on. */
  readonly onUnreadable: UnreadablePolicy | null;
  readonly unsafeAllowUnknown: boolean;
  /** The reaction if doing nothing is refused, in a decision process. */
  readonly onIdle: NonNullable<GuardFile['onIdle']>;
  /** The risk that a guard compares with thresholds: the solver's upper bound for the learnt chain, or the larger of it and the upper confidence bound. */
  readonly decideOn: 'upper' | 'confidenceUpper';
  /** `delta`: the probability that some confidence bound is wrong. */
  readonly confidence: { readonly delta: number };
  /** Settings of the drift test, which checks whether the agent still behaves as in the data. Null: no drift test. */
  readonly drift: { readonly falseAlarmRate: number } | null;
  readonly onDrift: GuardDrift['onDrift'];
  readonly samplingPeriodSeconds: number | null;
  /** The sampling period in seconds, exactly: a decimal, or a quotient such as `1/30`, for windows in time units. */
  readonly samplingPeriod: string | null;
  readonly periodTolerance: number;
  /** The treatment of steps that are not a sampling period apart. */
  readonly resample: ResamplePolicy;
  /** The policies on single calls, with what they must ensure; null if it has none. */
  readonly policies: PolicySpecification | null;
  /** Tests of the rules. */
  readonly tests: readonly RuleTest[];
  /** SHA-256 of the content without comments, layout and tests, and of tools only whether they are safe. */
  readonly hash: string;
}
