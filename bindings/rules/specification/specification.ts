import type { AtEnd } from '../../languages/automaton/index.js';
import type { Formula } from '../../languages/logic/index.js';
import type { AbstractionDefinition } from '../../observations/abstraction/index.js';
import type { ResamplePolicy, SamplingPeriod } from '../../observations/trace/index.js';
import type {
  GuardDrift,
  GuardFile,
  Level,
  ShieldMode,
  Strategy,
  UnknownPolicy,
} from '../../runtime/guard/index.js';

/** One rule of a specification, defaults filled in. */
export interface RuleSpecification {
  readonly name: string;
  /** Over named predicates only: inline comparisons have become predicates of the abstraction. */
  readonly formula: Formula;
  /** As written. */
  readonly formulaText: string;
  /** Ascending; at least one. */
  readonly levels: readonly Level[];
  readonly escalate: readonly Strategy[];
  readonly maxReflections: number;
  /** `strong`: the finite trace must satisfy the formula; `weak`: it must only not be a bad prefix. */
  readonly atEnd: AtEnd;
  readonly afterViolation: Strategy;
  readonly onFailure: Strategy;
  /** Risk of a violation within so many further steps; null is ever. */
  readonly horizonSteps: number | null;
  /** Only reported is what the rule decides. */
  readonly shadow: boolean;
  /** Whether the strategy was named; where not, a shield chooses: reflect where there is a way out, else block. */
  readonly namesStrategy: boolean;
}

/** How a chain is learnt: the options of `learn`, as they stand. */
export interface LearningSpecification {
  readonly model: 'dtmc' | 'mdp';
  readonly smoothing: number;
  readonly states: 'observed' | 'valid';
  readonly onContradiction: 'error' | 'dropTrace' | 'accept';
  /** Null where the specification has no sampling period. */
  readonly period: SamplingPeriod | null;
  /** Kept in the model, so that it can be told later what it was learnt for. */
  readonly specificationHash: string;
}

/** A specification file, read and checked: what to watch, which rules hold, how to learn, what to do. */
export interface Specification {
  /** Where it was read from, for messages. */
  readonly source: string;
  readonly abstraction: AbstractionDefinition;
  readonly rules: readonly RuleSpecification[];
  readonly learning: LearningSpecification;
  /** How actions are permitted, where a decision process is learnt. */
  readonly shield: ShieldMode;
  readonly onUnknown: UnknownPolicy;
  readonly unsafeAllowUnknown: boolean;
  /** What is done where doing nothing is refused, in a decision process. */
  readonly onIdle: NonNullable<GuardFile['onIdle']>;
  /** The risk that a guard compares: the solver's upper bound for the chain as learnt, or the larger of it and the upper confidence bound. */
  readonly decideOn: 'upper' | 'confidenceUpper';
  /** `delta`: the chance that some confidence bound is wrong. */
  readonly confidence: { readonly delta: number };
  /** Null: whether the agent still behaves as in the data is not watched. */
  readonly drift: { readonly falseAlarmRate: number } | null;
  readonly onDrift: GuardDrift['onDrift'];
  readonly samplingPeriodSeconds: number | null;
  /** The sampling period in seconds, exactly: a decimal, or a quotient such as `1/30`, for windows in time units. */
  readonly samplingPeriod: string | null;
  readonly periodTolerance: number;
  /** What becomes of steps that are not a sampling period apart. */
  readonly resample: ResamplePolicy;
  /** SHA-256 of the content, comments and layout aside. */
  readonly hash: string;
}
