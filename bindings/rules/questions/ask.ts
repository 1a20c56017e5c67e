import { InvalidArgumentError } from '../../base/errors.js';
import { nearestName } from '../../base/suggest.js';
import { type Formula, parseFormula, predicatesOf } from '../../languages/logic/index.js';
import type { Step } from '../../observations/trace/index.js';
import type { Guard } from '../../runtime/guard/index.js';
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
import { GuardView } from './guardView.js';
import { insteadAnswer } from './instead.js';
import { CallJudge } from './judge.js';
import { Knowledge } from './knowledge.js';
import { mayAnswer } from './may.js';
import type { AskedCall } from './moves.js';
import { owedAnswer } from './owed.js';
import { answerQuestion } from './question.js';
import { AskedRun } from './run.js';
import { rulesAnswer } from './sayRules.js';
import { whyNotAnswer } from './whyNot.js';
import { willAnswer } from './will.js';

/** What is read after a call, by the names of predicates; those left out are not known. */
export type Outcome = Readonly<Record<string, boolean>>;

/** What questions are answered from. */
export interface AskOptions {
  readonly specification: Specification;
  /** A guard, which is asked what it would decide; it is copied, and never changed. Default: the rules are asked alone. */
  readonly guard?: Guard;
  /** Bounds on the probability that the run satisfies a formula, given the steps so far; default: no model is known. */
  readonly probabilityOf?: (formula: Formula, steps: readonly Step[]) => ProbabilityBounds | null;
}

/** Answers questions about the rules of a specification, at a place of a run that it follows. No answer changes anything. */
export class Ask {
  readonly #parts: AskParts;
  readonly #run: AskedRun;
  readonly #options: AskOptions;
  readonly #guard: GuardView | null;
  /** The steps so far; the last is the one at hand, unless its call was made. */
  readonly #steps: Step[] = [];
  #isAtHand = false;

  /** @internal Use `createAsk`. */
  constructor(options: AskOptions) {
    const knowledge = new Knowledge(options.specification);
    const beliefs = new Beliefs(knowledge.tracks, knowledge.predicates);
    const moves = declaredMoves(options.specification, knowledge);
    this.#parts = { knowledge, beliefs, moves, judge: new CallJudge(knowledge, beliefs, moves) };
    this.#run = new AskedRun(knowledge, beliefs);
    this.#options = options;
    this.#guard = options.guard === undefined ? null : new GuardView(options.guard);
  }

  /** Number of the step at hand, from 0. */
  get step(): number {
    return this.#run.step;
  }

  /**
   * The run goes on to the next step, in which the call is still to be made. The step before it is done, with its `action`, if it has one.
   *
   * @throws InvalidDataError if the constraints of the specification exclude the step before it
   */
  observe(step: Step): void {
    this.#run.observe(step);
    this.#steps.push(step);
    this.#isAtHand = true;
  }

  /** The call was made in the step at hand: nothing is known of the next one until it is observed. */
  acted(call: AskedCall): void {
    this.#run.acted(requireCall(call));
    const last = (this.#isAtHand ? this.#steps.pop() : undefined) ?? { state: {} };
    this.#steps.push({ ...last, action: { name: call.name, arguments: call.arguments ?? {} } });
    this.#isAtHand = false;
  }

  /** Begins a new run. */
  reset(): void {
    this.#run.reset();
    this.#steps.length = 0;
  }

  /**
   * Whether a call is allowed in the step at hand.
   *
   * @param options.outcome what is read after it; default: what the specification declares of the call, or nothing
   * @throws InvalidArgumentError if the call has no name, or the outcome names what is no predicate
   */
  may(call: AskedCall, options: { readonly outcome?: Outcome } = {}): MayAnswer {
    const { knowledge, judge } = this.#parts;
    const judged = judge.judge(this.#run, requireCall(call), this.#reading(options.outcome));
    return mayAnswer(knowledge, call, judged, this.#requirement(call), this.#run.broken, this.#guardOn(call));
  }

  /** Why a call is not allowed, and the least change of the state at hand under which it would be. @throws as `may` */
  whyNot(call: AskedCall, options: { readonly outcome?: Outcome } = {}): WhyNotAnswer {
    const { knowledge, judge } = this.#parts;
    const outcome = this.#reading(options.outcome);
    const judged = judge.judge(this.#run, requireCall(call), outcome);
    const may = mayAnswer(
      knowledge,
      call,
      judged,
      this.#requirement(call),
      this.#run.broken,
      this.#guardOn(call),
    );
    return whyNotAnswer(this.#parts, this.#run, may, judged, outcome);
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
    const riskOf = (call: AskedCall) => this.#guardOn(call)?.risk ?? null;
    return insteadAnswer(
      this.#parts,
      this.#run,
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
    return beforeAnswer(this.#parts, this.#run, this.#wanted(wanted));
  }

  /** What is owed, and until when. */
  owed(): OwedAnswer {
    return owedAnswer(this.#parts.knowledge, this.#run);
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
    const probability = this.#options.probabilityOf?.(parsed, this.#steps) ?? null;
    return willAnswer(this.#parts, this.#run, parsed, probability);
  }

  /** The rules in words, each with two runs that keep it and two that break it. */
  rules(): RulesAnswer {
    return rulesAnswer(this.#parts.knowledge);
  }

  /** Answers a question in English, of one of the fixed forms; what is not understood is refused with offers, and never guessed. */
  question(text: string): Answer {
    return answerQuestion(this, this.#parts, text);
  }

  #guardOn(call: AskedCall): GuardAnswer | null {
    return this.#isAtHand ? (this.#guard?.judge(this.#steps, call) ?? null) : null;
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

function requireCall(call: AskedCall): AskedCall {
  if (typeof call?.name === 'string' && call.name !== '') return call;
  throw new InvalidArgumentError(
    `a call needs a name, such as { name: "walk", arguments: { to: "kitchen" } }; found ${JSON.stringify(call)}`,
  );
}
