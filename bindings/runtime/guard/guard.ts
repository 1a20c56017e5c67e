import { InvalidArgumentError } from '../../base/errors.js';
import type { EvaluationContext } from '../../languages/expression/runtime/index.js';
import type { EncodingExpressions } from '../../observations/abstraction/runtime/index.js';
import type { Action, Step } from '../../observations/trace/index.js';
import type { GuardCounters } from './counters.js';
import { Decider } from './decider.js';
import type { DriftTest } from './driftTest.js';
import { describeAnswer, reflectionMessage } from './explain.js';
import type { GuardFile } from './guardFile.js';
import type { GuardParts } from './guardParts.js';
import { createGuardStep, type GuardStep } from './guardStep.js';
import type { History } from './history.js';
import type { Observation } from './observer.js';
import { NO_CALLS, pendingCalls } from './pendingCalls.js';
import { createProposal, type GuardProposal, type Permission } from './proposal.js';
import type { RecordedStep } from './recordedStep.js';
import type { RuleStatus } from './ruleStatus.js';
import type { Shield } from './shield.js';
import { Tables } from './tables.js';
import { type WarmOptions, warmUp } from './warm.js';

const NO_CONTEXT: EvaluationContext = {};
const NONE: readonly never[] = [];
const UNREAD = ' This observation came before its time and was not read: the decision of the step stands.';

/** What is asked beside a proposed action. */
export interface ProposalOptions {
  /**
   * Calls that were let through and have not come back, or were given up since the world was observed: each may run before this one, after it, or not at all. A guard
   * that knows actions takes at most `MAX_PENDING` (6) of them; one more is blocked. Default: none.
   */
  readonly pending?: readonly Action[];
  /**
   * How many of `pending`, the first ones, predicates have read in a step that is over, as the time of another has come since: only a shield regards those. Default 0.
   */
  readonly read?: number;
  /** Seconds. Under a sampling period a state whose time has come is a step, also where it reads as the last one. */
  readonly time?: number;
}

/**
 * Watches one run of an agent: each observation is abstracted, every rule's automaton steps, the risk is looked up and
 * compared, and the most severe rule decides. A fault never becomes an `allow`.
 *
 * One guard follows one run at a time; call `reset` between runs, and `fork` for runs at the same time.
 */
export class Guard {
  readonly file: GuardFile;
  /** What each rule says of the last observation, in the order of the file; the objects are the same at every step. */
  readonly rules: readonly RuleStatus[];
  readonly counters: GuardCounters;
  /** What the last observation came to; the same object at every step. */
  readonly observation: Observation;
  /** The steps that the rules have read, as far back as explaining them needs. */
  readonly history: History;
  /** Whether the agent still behaves as in the data; it goes on from run to run. Null where drift is not watched. */
  readonly drift: DriftTest | null;
  readonly #decider: Decider;
  readonly #fork: () => Guard;

  /** @internal Use `loadGuard` or `createGuard`, which check the file first, or `fork`. */
  constructor(file: GuardFile, expressions: EncodingExpressions, parts: GuardParts, tables = new Tables()) {
    const decider = new Decider(file, expressions, parts, tables);
    this.#fork = () => new Guard(file, expressions, parts, tables);
    this.file = file;
    this.rules = decider.rules.watches;
    this.counters = decider.counters;
    this.observation = decider.observer;
    this.history = decider.rules.history;
    this.drift = decider.drift;
    this.#decider = decider;
  }

  /**
   * Runs steps beforehand, so that the first step of a run is as quick as later ones: an engine interprets code at first and compiles what runs often, so that the first
   * step of a process takes milliseconds. Takes as long as the steps and their compilation do, some 0.1 s for a small guard.
   *
   * Nothing about this guard changes, also in the middle of a run: automata, history, reflections, budget, sampling clock, counters and evidence of drift stay as they
   * are. The steps are run on a fork, which has the same code and the same tables.
   *
   * It cannot keep caches filled. Between the steps of a loop that sleeps or does other work the processor's caches lose code and tables, and a step takes many times what it
   * takes in a loop that does nothing else; bench/README.md has both.
   *
   * @param observations consecutive steps of a run as the guard will see them: objects with the same fields in the same order, and times where the guard reads times. They are
   * run over and over, each time as a run of its own; a hundred will do. Default none: the guard goes along the states of its file, and what reads observations gets one without
   * fields, so that a first step is quicker than without, but not as quick as later ones.
   * @param options `steps`: how many steps are run, default 20,000
   * @throws InvalidArgumentError if `observations` is no list of objects with a state, or `steps` is not a whole number from 1 up
   */
  warm(observations: readonly Step[] = NONE, { steps }: WarmOptions = {}): void {
    const twin = this.#fork();
    warmUp(twin, twin.#decider, observations, steps);
  }

  /**
   * Another guard of the same file, at the beginning of a run: for a server that has a run for each client. It shares the tables, which are neither read nor checked again, and nothing of the run: history, budget, counters, and
   * the evidence for drift are its own, and begin anew.
   */
  fork(): Guard {
    return this.#fork();
  }

  /** Begins a new run: automata at their start, no history, no reflections counted. Counters go on, and so does `drift`. */
  reset(): void {
    this.#decider.reset();
  }

  /**
   * Decides on one observation of the agent's world.
   *
   * @param state the observed state; whatever it holds or lacks, this does not throw.
   * @param context time in seconds and the action about to be taken, where predicates, the sampling period or a shield use them; a step
   * of a trace will do. A guard that knows actions decides on the action, and on the state where there is none. An action that it lets through is taken to run.
   * @returns a new object; where the observation comes before its time and `resample` is not `error`, the last decision again, with the
   * number of its step, or that on the action in the state that counted last; see `stepInto` for a form that allocates nothing.
   */
  step(state: Readonly<Record<string, unknown>>, context: EvaluationContext = NO_CONTEXT): GuardStep {
    return this.stepInto(state, context, createGuardStep());
  }

  /** As `step`, but overwrites `result` (made by `createGuardStep`) and returns it: nothing is allocated, unless actions are shielded. */
  stepInto<T extends GuardStep>(
    state: Readonly<Record<string, unknown>>,
    context: EvaluationContext,
    result: T,
  ): T {
    const decider = this.#decider;
    const given = context ?? NO_CONTEXT;
    if (!decider.isDue(given)) return decider.observeEarly(state, given, result);
    decider.observe(state, given, NO_CALLS, result);
    this.history.number(result.step);
    return result;
  }

  /** Whether predicates read the action that is taken in a step. */
  get readsActions(): boolean {
    return this.#decider.observer.readsAction;
  }

  /**
   * Observes the world where there is nothing to decide: between calls that run, or at the end of a run. A step as others, with `action` as what is being done in
   * it; but nobody acts on what it comes to, so that nothing is counted as a reflection, nor taken of a budget.
   */
  observe(state: Readonly<Record<string, unknown>>, context: EvaluationContext = NO_CONTEXT): GuardProposal {
    const decider = this.#decider;
    const given = context ?? NO_CONTEXT;
    const result = createProposal();
    if (!decider.isDue(given)) return decider.observeEarly(state, given, result);
    decider.observe(state, given, NO_CALLS, result, 'observe');
    this.history.number(result.step);
    return result;
  }

  /**
   * Decides on another action in the state observed last, or on one more action there, before it runs: no step is made, unless `state` is no longer read
   * as it was; then this is a step. Under a sampling period time decides: a state whose time has come is a step, also where it reads as the last one; under `resample: hold` or `skip` one that comes before its time is none.
   *
   * A guard that knows actions (`learning: { model: mdp }`) judges what came of the action in the data: the worst over all sets and orders in which those of `pending`
   * may run beside it. Other guards decide on the state, and on the action as far as predicates read it. An action that is let through is taken to run; where it does not, call `withhold`.
   *
   * @param state the agent's world, as it is now; whatever it holds or lacks, this does not throw.
   */
  propose(
    state: Readonly<Record<string, unknown>>,
    action: Action,
    options: ProposalOptions = {},
  ): GuardProposal {
    const decider = this.#decider;
    const { time } = options;
    const pending = pendingCalls(options.pending, options.read);
    const context = { action, ...(time !== undefined && { time }) };
    const isStep = decider.takes(state, context);
    const result = createProposal();
    if (!isStep) return decider.reconsider(state, context, pending, result);
    decider.observe(state, context, pending, result);
    this.history.number(result.step);
    return result;
  }

  /**
   * Whether `propose` would take a state for a step: it is read otherwise than the one observed last, or, under a sampling period, its time has come. Nothing changes.
   *
   * @param state as of `propose`
   * @param context as of `step`; under a sampling period a `time` that is no number counts as one that has come, for nobody knows
   */
  isStep(state: Readonly<Record<string, unknown>>, context: EvaluationContext = NO_CONTEXT): boolean {
    return this.#decider.isStep(state, context ?? NO_CONTEXT);
  }

  /**
   * What the guard makes of an action that a person has approved, before it runs in the state observed last: as `propose` of one more action there, but a person has
   * decided already. So nothing is counted as a reflection, nor taken of a budget, and where predicates read actions, the rules have read that this one is done. Where the answer is graver than
   * `inspect`, more is against the action than what the person was asked about.
   *
   * @param action null is to do nothing
   */
  approve(
    state: Readonly<Record<string, unknown>>,
    action: Action | null,
    options: Pick<ProposalOptions, 'pending' | 'read'> = {},
  ): GuardProposal {
    const context = action === null ? NO_CONTEXT : { action };
    const pending = pendingCalls(options.pending, options.read);
    return this.#decider.reconsider(state, context, pending, createProposal(), action === null, 'approve');
  }

  /**
   * Decides on doing nothing in the state, as agents do that end their turn without a call, or let a moment pass. Judged by what came of it in the data, as an action
   * is: of steps without an action, among which the last steps of complete runs are. Where a shield refuses it, `onIdle` of the specification says what is done instead: `stop`, `inspect` (a person is asked), or `replace`. What is let through
   * takes its share of a budget, and whatever is observed next is a step. A guard of a chain decides on the state.
   *
   * @param state as of `propose`
   * @param options `isStep`: whether the state is a new observation, though it may read as the last one; default false
   */
  idle(
    state: Readonly<Record<string, unknown>>,
    options: ProposalOptions & { readonly isStep?: boolean } = {},
  ): GuardProposal {
    const { time, isStep = false } = options;
    const pending = pendingCalls(options.pending, options.read);
    const decider = this.#decider;
    const context = time === undefined ? NO_CONTEXT : { time };
    const isObserved = decider.takes(state, context, isStep);
    const result = createProposal();
    if (!isObserved) return decider.reconsider(state, context, pending, result, true);
    decider.observe(state, context, pending, result, 'step', true);
    this.history.number(result.step);
    return result;
  }

  /**
   * Takes back what was let through and does not run. A budget gets back what it took; where predicates read the action, that was no step, and the next observation
   * stands in its place. Under a sampling period it stays a step, as its time passes: the rules then read it without the action.
   *
   * @param what `last` (default): the action that was decided on last, taken back at once, before any call that is running can show what it does; `all`: every
   * action let through since the last observation, if none of them has run. An action that is given up after another has run stays charged: whoever
   * gives it up may do so because of what the other has done.
   */
  withhold(what: 'last' | 'all' = 'last'): void {
    this.#decider.withhold(what);
  }

  /**
   * Which actions a shield permits now, in the state observed last.
   *
   * @param state as of `propose`: where it is no longer read as it was, this is a step.
   * @param actions those asked about; default all that were ever taken in the state, none included.
   * @throws InvalidArgumentError if the guard knows no actions
   */
  permitted(
    state: Readonly<Record<string, unknown>>,
    actions?: readonly (Action | null)[],
    { pending = NONE, time }: ProposalOptions = {},
  ): Permission {
    const shielding = this.#requireActions();
    const context = time === undefined ? NO_CONTEXT : { time };
    if (this.#decider.isStep(state, context)) this.step(state, context);
    return shielding.permitted(actions, pending);
  }

  #requireActions(): Shield {
    const { shielding } = this.#decider;
    if (shielding !== null) return shielding;
    throw new InvalidArgumentError(
      'the guard was compiled from a chain, which knows no actions; learn a decision process (learning: { model: mdp })',
    );
  }

  /** What the last decision is on, as plain data: all that it depends on but the decisions before. */
  observed(): RecordedStep {
    const { asked, observer, clock } = this.#decider;
    return asked.observed(observer, clock);
  }

  /**
   * Decides once more as it did on what was read then. A guard of the same file that is given all that was observed in a run, from `reset` on and in the same
   * order, decides the same, to the last bit.
   */
  decideAgain(observed: RecordedStep): GuardProposal {
    if (observed.withheld !== null) this.withhold(observed.withheld);
    const result = this.#decider.decideAgain(observed, createProposal());
    if (observed.call !== 'repeat') this.history.number(result.step);
    return result;
  }

  /**
   * The risk of a violation within a number of further steps, or a time, after the last observation. Where it is unknown the bounds
   * are 0 and 1. Where the guard decides on confidence bounds, `confidenceUpper` bounds the agent's own risk too.
   *
   * @param rule name of a rule on traces
   * @param horizon steps, or a duration as it was written, that the guard file was compiled with (`foreguard compile --horizons 5,10
   * --within 3s`)
   * @throws InvalidArgumentError if there is no such rule or horizon
   */
  riskWithin(
    rule: string,
    horizon: number | string,
  ): { readonly lower: number; readonly upper: number; readonly confidenceUpper?: number } {
    const steps = typeof horizon === 'number' ? horizon : this.file.durations?.[horizon];
    const watch = this.#decider.rules.watches.find(({ name }) => name === rule);
    const bounds = steps === undefined ? undefined : watch?.within(steps, this.#decider.observer);
    if (bounds !== undefined) return bounds;
    const durations = Object.keys(this.file.durations ?? {});
    const known = this.file.rules.map(
      ({ name, tables }) => `${name}: ${Object.keys(tables.horizons ?? {}).join(', ') || 'none'}`,
    );
    throw new InvalidArgumentError(
      `rule "${rule}" has no risk within ${typeof horizon === 'number' ? `${horizon} steps` : horizon}; horizons by rule: ${known.join('; ')}${durations.length > 0 ? `; durations: ${durations.join(', ')}` : ''}. Compile the guard with the horizon`,
    );
  }

  /**
   * The decision to take when the one in `result` could not be carried out (no answer in time, an answer that cannot be
   * read): the rule's `onFailure`, written into `result`.
   */
  failed<T extends GuardStep>(result: T): T {
    const strategy = this.file.rules.find(({ name }) => name === result.rule)?.onFailure;
    result.decision = strategy?.kind ?? 'stop';
    result.action = strategy?.kind === 'replace' ? strategy.action : null;
    result.reason = 'strategy-failed';
    return result;
  }

  /** A result in one or two sentences: decision, rule, risk with its bounds, threshold, and the state in words. */
  explain(result: GuardStep): string {
    const isLast = result === this.#decider.last;
    const error = isLast ? this.#decider.observer.error : null;
    const brokenBefore = isLast && this.#brokenBefore(result.rule);
    const state = this.#stateInWords(result);
    const asAgent = this.#decider.shielding?.asAgent(result, isLast);
    const answer = describeAnswer(result, this.file, state, error, brokenBefore, asAgent);
    const words = `Step ${result.step}: ${answer}${isLast && this.#decider.asked.call === 'repeat' ? UNREAD : ''}`;
    return result.drift ? `${words} ${this.explainDrift()}` : words;
  }

  /**
   * What one rule says of the last observation, in the words of `explain` but without the number of the step. Of the rule that decided it is what the guard
   * decided.
   *
   * @throws InvalidArgumentError if there is no such rule, or nothing has been observed
   */
  explainStatus(name: string): string {
    const { last, rules, observer, shielding } = this.#decider;
    const watch = rules.watches.find((rule) => rule.name === name);
    if (watch === undefined || last === null) {
      throw new InvalidArgumentError(
        last === null
          ? 'the guard has observed nothing yet; call step first'
          : `the guard has no rule "${name}"; it has ${this.rules.map((rule) => rule.name).join(', ')}`,
      );
    }
    const { strategy, decision, reason, risk, lower, upper, confidenceUpper, decidedOn } = watch;
    const action = strategy?.kind === 'replace' ? strategy.action : null;
    const own = { decision, reason, risk, lower, upper, confidenceUpper, decidedOn, action, rule: name };
    const answer = last.rule === name && last.reason !== 'drift' ? last : { ...last, ...own };
    return describeAnswer(
      answer,
      this.file,
      this.#stateInWords(last),
      observer.error,
      this.#brokenBefore(name),
      shielding?.asAgent(last, true, name),
    );
  }

  /** Whether a step broke a rule that was held before the last observation, or one yet before that. */
  #brokenBefore(name: string): boolean {
    const { history } = this;
    const at = history.decidedAt(this.rules.findIndex((rule) => rule.name === name));
    return at >= 0 && at < history.length - 1;
  }

  /** In words, what speaks most for it that the agent has changed, and how much it says; empty where drift is not watched. */
  explainDrift(): string {
    return this.drift?.describe((state) => this.#describe(state)) ?? '';
  }

  /** The message for an agent that shall reflect: the state in words, the rule, the probability, and what is asked of it. */
  reflection(result: GuardStep): string {
    const { last, shielding } = this.#decider;
    const asAgent = shielding?.asAgent(result, result === last);
    return reflectionMessage(result, this.file, this.#stateInWords(result), asAgent);
  }

  /** Only the last observation is kept; of earlier ones the chain's state is known, if they had one. */
  #stateInWords(result: GuardStep): string | null {
    const { abstraction, complete, valuation } = this.#decider.observer;
    if (result === this.#decider.last && complete) return abstraction.describe(valuation, 0);
    return result.state < 0 ? null : this.#describe(result.state);
  }

  #describe(state: number): string {
    const { valuations, words } = this.file.states;
    return this.#decider.observer.abstraction.describe(
      Uint32Array.from(valuations.slice(state * words, (state + 1) * words)),
      0,
    );
  }
}
