import type { ComparedTrace } from '../../languages/automaton/compare/index.js';
import type { Decision } from '../../runtime/guard/index.js';
import type { Change } from './leastChange.js';
import type { AskedCall } from './moves.js';

/** What a guard would decide on a call. */
export interface GuardAnswer {
  readonly decision: Decision;
  /** The rule that decides; empty if what is not known does. */
  readonly rule: string;
  /** The risk that it compares; null if it has none. */
  readonly risk: number | null;
  /** Whether the call would run. */
  readonly lets: boolean;
  readonly text: string;
}

/** Whether a call is allowed. */
export interface MayAnswer {
  readonly kind: 'may';
  readonly call: AskedCall;
  /** `unknown`: what decides it could not be read. */
  readonly answer: 'yes' | 'no' | 'unknown';
  /** The rules that refuse the call. */
  readonly rules: readonly string[];
  /** Each of them alone could still be kept after the call, but not all of them; of one rule: not beside what is assumed. */
  readonly together: boolean;
  /** The rules that it may break, by what is not known. */
  readonly doubtful: readonly string[];
  /** What the call is declared to require and does not find, as it is written; null if it finds it, or nothing is declared. */
  readonly requires: string | null;
  /** Whether what the call brings about is known; if not, only the call itself was judged. */
  readonly foreseen: boolean;
  /** The rules that are broken already, which are against no call. */
  readonly broken: readonly string[];
  /** Rules that cannot be kept together any more, whatever is done, which is against no call; empty if all can. */
  readonly apart: readonly string[];
  /** What the guard would decide; null if none was given, or nothing was observed yet. */
  readonly guard: GuardAnswer | null;
  readonly text: string;
}

/** Why a rule refuses a call. */
export interface WhyNotReason {
  readonly rule: string;
  /** The rule in words. */
  readonly english: string;
  /** How the call would break it. */
  readonly explanation: string;
}

/** Why a call is not allowed. */
export interface WhyNotAnswer extends Omit<MayAnswer, 'kind'> {
  readonly kind: 'whyNot';
  readonly reasons: readonly WhyNotReason[];
  /** The least changes of the state at hand under which it would be allowed, all of the same size; empty if none would do; null if that was not decided. */
  readonly changes: readonly (readonly Change[])[] | null;
}

/** A call that is allowed now, in place of another. */
export interface Instead {
  readonly call: AskedCall;
  /** After how many further calls what was wanted is reached; null if not, or it is not known. */
  readonly steps: number | null;
  /** The risk of the call, where a guard knows it. */
  readonly risk: number | null;
}

/** What may be done in place of a call. */
export interface InsteadAnswer {
  readonly kind: 'instead';
  /** Null if nothing was wanted. */
  readonly wanted: AskedCall | string | null;
  /** Those from which what was wanted is reached soonest come first, then those with less risk. */
  readonly options: readonly Instead[];
  readonly text: string;
}

/** What is true, or done, on every way. */
export interface Landmark {
  readonly predicate: string;
  readonly holds: boolean;
  readonly said: string;
}

/** What has to happen before something is allowed. */
export interface BeforeAnswer {
  readonly kind: 'before';
  readonly wanted: AskedCall | string;
  /** `now`: it is allowed; `later`: after the plan; `never`: no way leads there; `undecided`: the search was given up. */
  readonly answer: 'now' | 'later' | 'never' | 'undecided';
  /** The fewest calls after which it is allowed, if calls are declared; null if they are not. */
  readonly plan: readonly AskedCall[] | null;
  /** If no calls are declared, the shortest run after whose last step it is allowed, with the fewest true predicates; null otherwise. */
  readonly run: ComparedTrace | null;
  /** How many calls or steps that takes; null if there is no way. */
  readonly steps: number | null;
  /** What is so at some place of every way, and is not so now. */
  readonly landmarks: readonly Landmark[];
  /** Calls that are on every way. */
  readonly calls: readonly AskedCall[];
  readonly text: string;
}

/** Something that a rule still asks for. */
export interface Owed {
  readonly rule: string;
  /** What is due, in words. */
  readonly phrase: string;
  /** The last step at which it can be done; null if there is none. */
  readonly deadline: number | null;
  readonly stepsLeft: number | null;
  readonly secondsLeft: number | null;
  /** The formula of what a single step must have to settle it; null if no single step can. */
  readonly dischargedBy: string | null;
  /** Whether a run that ends without it breaks the rule. */
  readonly atEnd: 'strong' | 'weak';
}

/** What is owed, and until when. */
export interface OwedAnswer {
  readonly kind: 'owed';
  /** What has the earliest deadline comes first. */
  readonly owed: readonly Owed[];
  /** The rules that are broken, whatever is done. */
  readonly broken: readonly string[];
  readonly text: string;
}

/** Bounds on a probability. */
export interface ProbabilityBounds {
  readonly lower: number;
  readonly upper: number;
}

/** Whether something will or can happen. */
export interface WillAnswer {
  readonly kind: 'will';
  /** The formula that was asked about. */
  readonly formula: string;
  /** It in words. */
  readonly said: string;
  /** `always`: each run that keeps the rules does it; `never`: none; `open`: some do and some do not; `no-run`: no run can keep the rules any more. */
  readonly answer: 'always' | 'never' | 'open' | 'no-run';
  /** The shortest continuation from the step at hand on that keeps the rules and does it; null if there is none. */
  readonly with: ComparedTrace | null;
  /** The same that does not. */
  readonly without: ComparedTrace | null;
  /** Its probability from here on, if a model was given. */
  readonly probability: ProbabilityBounds | null;
  readonly text: string;
}

/** A rule, with runs that show what it asks for. */
export interface SaidRule {
  readonly name: string;
  readonly formula: string;
  readonly english: string;
  /** Short runs that keep it. */
  readonly good: readonly ComparedTrace[];
  /** Short runs that break it. */
  readonly bad: readonly ComparedTrace[];
}

/** What the rules are. */
export interface RulesAnswer {
  readonly kind: 'rules';
  readonly rules: readonly SaidRule[];
  readonly text: string;
}

/** A question that was not understood, or that can be meant in several ways. */
export interface NotAnswered {
  readonly kind: 'ask' | 'refused';
  readonly message: string;
  /** What can be asked instead. */
  readonly offers: readonly string[];
  readonly text: string;
}

/** What a question is answered with. */
export type Answer =
  | MayAnswer
  | WhyNotAnswer
  | InsteadAnswer
  | BeforeAnswer
  | OwedAnswer
  | WillAnswer
  | RulesAnswer
  | NotAnswered;
