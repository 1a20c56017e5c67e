import { InvalidArgumentError, NotSupportedError } from '../../base/errors.js';
import { nearestName } from '../../base/suggest.js';
import { type Formula, parseFormula, predicatesOf } from '../../languages/logic/index.js';
import type { Specification } from '../specification/index.js';
import type {
  Answer,
  BeforeAnswer,
  GuardAnswer,
  InsteadAnswer,
  MayAnswer,
  OwedAnswer,
  ProbabilityBounds,
  RulesAnswer,
  WhyNotAnswer,
  WillAnswer,
} from './answers.js';
import { type AskParts, beforeAnswer, type Wanted } from './before.js';
import { Beliefs, type Reading } from './beliefs.js';
import { declaredMoves } from './declared.js';
import { insteadAnswer } from './instead.js';
import { CallJudge } from './judge.js';
import { Knowledge } from './knowledge.js';
import { NO_LIMITS, type SearchLimits } from './limits.js';
import { mayAnswer } from './may.js';
import type { AskedCall } from './moves.js';
import { owedAnswer } from './owed.js';
import { answerQuestion } from './question.js';
import type { Situation } from './run.js';
import { rulesAnswer } from './sayRules.js';
import { whyNotAnswer } from './whyNot.js';
import { willAnswer } from './will.js';

/** What is read after a call, by the names of predicates; those left out are not known. */
export type Outcome = Readonly<Record<string, boolean>>;

/** What is known beside the rules. */
export interface OtherViews {
  /** What a guard would decide on a call; null if none can say. */
  readonly guardOn: (call: AskedCall) => GuardAnswer | null;
  readonly probabilityOf?: (formula: Formula) => ProbabilityBounds | null;
}

const compiled = new WeakMap<Specification, Omit<AskParts, 'limits'>>();

/** What answers are found with, compiled once for each specification: it knows nothing of a run. @throws NotSupportedError if the automaton of a rule is too large */
export function partsOf(specification: Specification, limits: SearchLimits = NO_LIMITS): AskParts {
  let parts = compiled.get(specification);
  if (parts === undefined) {
    const knowledge = new Knowledge(specification);
    const beliefs = new Beliefs(knowledge.tracks, knowledge.predicates);
    const moves = declaredMoves(specification, knowledge);
    parts = { knowledge, beliefs, moves, judge: new CallJudge(knowledge, beliefs, moves) };
    compiled.set(specification, parts);
  }
  return { ...parts, limits };
}

/** Answers questions about rules in a situation. No answer changes anything. */
export class Questions {
  readonly #parts: AskParts;
  readonly #situation: Situation;
  readonly #views: OtherViews;

  /** @internal */
  constructor(parts: AskParts, situation: Situation, views: OtherViews) {
    this.#parts = parts;
    this.#situation = situation;
    this.#views = views;
  }

  /** Number of the step at hand, from 0. */
  get step(): number {
    return this.#situation.step;
  }

  /**
   * Whether a call is allowed in the step at hand.
   *
   * @param options.outcome what is read after it; default: what the specification declares of the call, or nothing
   * @throws InvalidArgumentError if the call has no name, or the outcome names what is no predicate
   */
  may(call: AskedCall, options: { readonly outcome?: Outcome } = {}): MayAnswer {
    return this.#may(
      call,
      this.#parts.judge.judge(this.#situation, requireCall(call), this.#reading(options.outcome)),
    );
  }

  /** Why a call is not allowed, and the least change of the state at hand under which it would be. @throws as `may` */
  whyNot(call: AskedCall, options: { readonly outcome?: Outcome } = {}): WhyNotAnswer {
    this.#requireShort();
    const outcome = this.#reading(options.outcome);
    const judged = this.#parts.judge.judge(this.#situation, requireCall(call), outcome);
    return whyNotAnswer(this.#parts, this.#situation, this.#may(call, judged), judged, outcome);
  }

  /**
   * What is allowed now.
   *
   * @param wanted a call, or the name of a predicate that is to hold; calls are ranked by how soon it is allowed, or holds, after them. Default: nothing
   * @param candidates calls to choose from; default: those that the specification declares
   */
  instead(
    wanted: AskedCall | string | null = null,
    candidates: readonly AskedCall[] | null = null,
  ): InsteadAnswer {
    const riskOf = (call: AskedCall) => this.#views.guardOn(call)?.risk ?? null;
    return insteadAnswer(
      this.#parts,
      this.#situation,
      wanted === null ? null : this.#wanted(wanted),
      candidates?.map(requireCall) ?? null,
      riskOf,
    );
  }

  /**
   * What has to happen before a call is allowed, or a predicate holds.
   *
   * @param wanted a call, or the name of a predicate that is to hold, or not to hold where `!` stands before it
   * @throws InvalidArgumentError if there is no such predicate
   */
  before(wanted: AskedCall | string): BeforeAnswer {
    return beforeAnswer(this.#parts, this.#situation, this.#wanted(wanted));
  }

  /** What is owed, and until when. */
  owed(): OwedAnswer {
    this.#requireShort();
    return owedAnswer(this.#parts.knowledge, this.#situation);
  }

  /**
   * Whether the run will satisfy a formula: always, never, or as it goes on.
   *
   * @param formula on the whole run, from its first step on
   * @throws ParseError if it is malformed; InvalidArgumentError if it names an unknown predicate; NotSupportedError if it takes too much
   */
  will(formula: Formula | string): WillAnswer {
    const parsed = typeof formula === 'string' ? parseFormula(formula, { name: 'the question' }) : formula;
    for (const name of predicatesOf(parsed)) this.#requirePredicate(name);
    const probability = this.#views.probabilityOf?.(parsed) ?? null;
    return willAnswer(this.#parts, this.#situation, parsed, probability);
  }

  /** The rules in words, each with two runs that keep it and two that break it. */
  rules(): RulesAnswer {
    return rulesAnswer(this.#parts.knowledge);
  }

  /** Answers a question in English, of one of the fixed forms; what is not understood is refused with offers, and never guessed. */
  question(text: string): Answer {
    return answerQuestion(this, this.#parts, text);
  }

  /** @throws NotSupportedError if an explanation would go through too many steps */
  #requireShort(): void {
    const { step } = this.#situation;
    const { steps } = this.#parts.limits;
    if (step > steps)
      throw new NotSupportedError(
        `the run has ${step} steps; at most ${steps} are gone through for an answer`,
      );
  }

  #may(call: AskedCall, judged: ReturnType<AskParts['judge']['judge']>): MayAnswer {
    const { knowledge } = this.#parts;
    const guard = this.#views.guardOn(call);
    return mayAnswer(knowledge, call, judged, this.#requirement(call), this.#situation, guard);
  }

  #requirement({ name }: AskedCall): string | null {
    return this.#parts.moves?.requirementOf(name) ?? null;
  }

  #wanted(wanted: AskedCall | string): Wanted {
    if (typeof wanted !== 'string') return { call: requireCall(wanted) };
    const [predicate, holds] = wanted.startsWith('!') ? [wanted.slice(1), false] : [wanted, true];
    this.#requirePredicate(predicate);
    const said = this.#parts.knowledge.say(predicate, holds);
    return { said: `that ${said}`, holds: [{ predicate, holds, said }] };
  }

  #reading(outcome: Outcome | undefined): Reading | undefined {
    if (outcome === undefined) return undefined;
    const { knowledge } = this.#parts;
    const { abstraction } = knowledge;
    const valuation = new Uint32Array(abstraction.words);
    const known = new Uint32Array(abstraction.words);
    for (const [name, holds] of Object.entries(outcome)) {
      this.#requirePredicate(name);
      if (typeof holds !== 'boolean')
        throw new InvalidArgumentError(`the outcome of "${name}" is ${holds}; expected true or false`);
      const i = knowledge.placeOf(name);
      known[i >>> 5] |= 1 << (i & 31);
      if (holds) valuation[i >>> 5] |= 1 << (i & 31);
    }
    return { valuation, known };
  }

  #requirePredicate(name: string): void {
    const { predicates, places } = this.#parts.knowledge;
    if (places.has(name)) return;
    const nearest = nearestName(name, predicates);
    throw new InvalidArgumentError(
      `predicate "${name}" is not defined${nearest === undefined ? `; there are ${predicates.join(', ')}` : `; did you mean "${nearest}"?`}`,
    );
  }
}

export function requireCall(call: AskedCall): AskedCall {
  if (typeof call?.name === 'string' && call.name !== '') return call;
  throw new InvalidArgumentError(
    `a call needs a name, such as { name: "walk", arguments: { to: "kitchen" } }; found ${JSON.stringify(call)}`,
  );
}
