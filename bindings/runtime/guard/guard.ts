import { InvalidArgumentError } from '../../base/errors.js';
import type { EvaluationContext } from '../../languages/expression/runtime/index.js';
import type { EncodingExpressions } from '../../observations/abstraction/runtime/index.js';
import type { Action, Step } from '../../observations/trace/index.js';
import type { GuardCounters } from './counters.js';
import { Decider } from './decider.js';
import type { DriftTest } from './driftTest.js';
import { describeAnswer, reflectionMessage, wordsOfError } from './explain.js';
import type { GuardFile } from './guardFile.js';
import type { GuardParts } from './guardParts.js';
import { createGuardStep, type GuardStep } from './guardStep.js';
import type { History } from './history.js';
import type { Judge } from './judge.js';
import type { ModelParts } from './model/modelParts.js';
import type { Observation } from './observer.js';
import { NO_CALLS, type PendingCalls, pendingCalls } from './pendingCalls.js';
import { createProposal, type GuardProposal, type Permission } from './proposal.js';
import type { ReadAction, RecordedStep } from './recordedStep.js';
import type { RuleStatus } from './ruleStatus.js';
import type { Shield } from './shield.js';
import { Tables } from './tables.js';
import { type WarmOptions, warmUp } from './warm.js';

const NO_CONTEXT: EvaluationContext = {};
const NONE: readonly never[] = [];
const UNREAD = ' This observation came too early and was not read: the decision of the step stands.';

/** Options of a proposed action. */
export interface ProposalOptions {
  /**
   * Calls that were permitted and have not come back, including those given up since the world was last observed: each may run before this one, after it, or
   * not at all. A guard that knows actions takes at most `MAX_PENDING` (6) of them and blocks any further call. Default: none.
   */
  readonly pending?: readonly Action[];
  /** How many calls, from the start of `pending`, predicates have already read in a completed step. Only a shield takes these into account. Default 0. */
  readonly read?: number;
  /** For each of `pending`, the rules whose violation by it a person has excused: see `excuse`. Default: none. */
  readonly excused?: readonly (readonly string[])[];
  /**
   * Calls that were permitted before the run was interrupted and whose outcome is unknown, as `RecordedStep.action` has them. A guard that knows actions judges
   * beside them as beside `pending`, and counts them towards the same maximum; beside one that could not be read it blocks every call. Other guards ignore them.
   * Default: none.
   */
  readonly unsettled?: readonly ReadAction[];
  /** Seconds. With a sampling period, a state whose time has come is a new step even if it reads as the last one. */
  readonly time?: number;
  /**
   * Whether another action of the same turn of the agent was refused before, so that the agent could not have read that yet: the rules' `maxReflections` count
   * both as one. Default false.
   */
  readonly sibling?: boolean;
  /** Whether the state is a new observation, and so a step, even if it reads as the last one. Default false. */
  readonly isStep?: boolean;
}

/**
 * Monitors one run of an agent: abstracts each observation, advances every rule's automaton, looks up the risk, compares it with the thresholds, and returns
 * the most severe rule's decision. A fault never becomes an `allow`.
 *
 * One guard follows one run at a time; call `reset` between runs, and `fork` for concurrent runs.
 */
export class Guard {
  readonly file: GuardFile;
  /** The verdicts of all rules on the last observation, in the order of the file; the objects are the same at every step. */
  readonly rules: readonly RuleStatus[];
  readonly counters: GuardCounters;
  /** The last observation as the guard read it; the same object at every step. */
  readonly observation: Observation;
  /** The steps that the rules have read, as far back as an explanation needs them. */
  readonly history: History;
  /** Tests whether the agent still behaves as in the data; the evidence carries over from run to run. Null if drift is not watched. */
  readonly drift: DriftTest | null;
  /** The policies of the file, by which sessions judge calls beside the guard; `step` and `propose` do not ask them. Null if it has none. */
  readonly policies: Judge | null;
  readonly #decider: Decider;
  readonly #fork: () => Guard;
  /** What only a guard of a model has. */
  readonly #model: ModelParts | null;

  /** @internal Use `loadGuard` or `createGuard`, which check the file first, or `fork`. */
  constructor(file: GuardFile, expressions: EncodingExpressions, parts: GuardParts, tables = new Tables()) {
    const decider = new Decider(file, expressions, parts, tables);
    this.#fork = () => new Guard(file, expressions, parts, tables);
    this.file = file;
    this.#model = parts.model ?? null;
    this.rules = decider.rules.watches;
    this.counters = decider.counters;
    this.observation = decider.observer;
    this.history = decider.rules.history;
    this.drift = decider.drift;
    this.policies = parts.policies ?? null;
    this.#decider = decider;
  }

  /**
   * Warms up the engine: runs steps in advance, so that the first step of a run is as fast as later ones. An engine interprets code at first and compiles what
   * runs often, and the first step of a process therefore takes milliseconds. The call takes as long as the steps and their compilation, about 0.1 s for a
   * small guard.
   *
   * This guard does not change, even in the middle of a run: automata, history, reflections, budget, sampling clock, counters and evidence of drift stay as
   * they are. The steps run on a fork, which shares the code and the tables.
   *
   * Warming cannot keep processor caches filled. In a loop that sleeps or does other work between steps, code and tables are evicted and a step takes many
   * times longer than in a tight loop; bench/README.md has both figures.
   *
   * @param observations consecutive steps of a run as the guard will see them: objects with the same fields in the same order, with times if the guard reads
   * times. They are run repeatedly, each pass as a run of its own; a hundred are enough. Default none: the guard follows the states of its file, and predicates
   * read an observation without fields; the first step is then faster than without warming, but not as fast as later ones.
   * @param options `steps`: number of steps to run, default 20,000
   * @throws InvalidArgumentError if `observations` is not a list of objects with a state, or `steps` is not a whole number from 1 up
   */
  warm(observations: readonly Step[] = NONE, { steps }: WarmOptions = {}): void {
    const twin = this.#fork();
    const model = this.#model;
    const follow = model && ((count: number) => model.followStates(twin, twin.#decider, count));
    warmUp(twin, observations, steps, follow);
  }

  /**
   * Returns another guard of the same file at the beginning of a run, for a server with one run per client. The fork shares the tables, which are neither read
   * nor checked again, and nothing of the run: its history, budget, counters and drift evidence are its own and begin anew.
   */
  fork(): Guard {
    return this.#fork();
  }

  /** Begins a new run: automata return to their initial states, the history is empty, and the reflection count is 0. Counters and `drift` carry over. */
  reset(): void {
    this.#decider.reset();
  }

  /**
   * Decides on one observation of the agent's world.
   *
   * @param state the observed state; never throws, whatever the state holds or lacks.
   * @param context time in seconds and the action about to be taken, if predicates, the sampling period or a shield use them; a step of a trace fits. A guard
   * that knows actions decides on the action, or on the state if there is no action; predicates that read the action need it, too. The action is assumed to run,
   * whatever the decision: rules whose predicates read it count it as done. If it is refused, or does not run for another reason, call `withhold`.
   * @returns a new object. If the observation comes before its time and `resample` is not `error`: `unread` is true, and it is the last decision again, with
   * the number of its step, or the decision on the action in the state that counted last. See `stepInto` for a form that allocates nothing.
   */
  step(state: Readonly<Record<string, unknown>>, context: EvaluationContext = NO_CONTEXT): GuardStep {
    return this.stepInto(state, context, createGuardStep());
  }

  /**
   * As `step`, but overwrites and returns `result` (made by `createGuardStep`): allocates nothing, unless actions are shielded or withheld, or predicates read `time` and
   * something else under `resample: hold`: what they read is copied then, lists and maps anew. Call `withhold` for an action that does not run, as after `step`.
   */
  stepInto<T extends GuardStep>(
    state: Readonly<Record<string, unknown>>,
    context: EvaluationContext,
    result: T,
  ): T {
    return this.#stepBeside(state, context ?? NO_CONTEXT, NO_CALLS, result, true);
  }

  #stepBeside<T extends GuardStep>(
    state: Readonly<Record<string, unknown>>,
    context: EvaluationContext,
    pending: PendingCalls,
    result: T,
    isTick = false,
  ): T {
    const decider = this.#decider;
    const early = decider.answerEarly(state, context, pending, result);
    if (early !== null) return early;
    decider.observe(
      state,
      context,
      pending,
      result,
      'step',
      false,
      isTick && this.readsActions && decider.timed === null,
    );
    this.history.number(result.step);
    return result;
  }

  /** Whether predicates read the action that is taken in a step. */
  get readsActions(): boolean {
    return this.#decider.observer.readsAction;
  }

  /**
   * Observes the world when there is nothing to decide: between calls that run, or at the end of a run. Counts as a step like any other, with `action` as the
   * action in progress. Nobody acts on the decision: no reflection is counted, and no budget is charged.
   */
  observe(state: Readonly<Record<string, unknown>>, context: EvaluationContext = NO_CONTEXT): GuardProposal {
    const decider = this.#decider;
    const given = context ?? NO_CONTEXT;
    const result = createProposal();
    const early = decider.answerEarly(state, given, NO_CALLS, result);
    if (early !== null) return early;
    decider.observe(state, given, NO_CALLS, result, 'observe');
    this.history.number(result.step);
    return result;
  }

  /**
   * Decides on another action, or on one more action, in the state observed last, before the action runs. No step is made unless `state` now reads differently
   * from the last observation, or `isStep` says so. With a sampling period the time decides instead: a state whose time has come is a step even if it reads as the last one, and
   * with `resample: hold` or `skip` a state before its time is not a step.
   *
   * A guard that knows actions (`learning: { model: mdp }`) judges an action by its outcomes in the data: the worst case over all sets and orders in which the
   * calls of `pending` may run beside it. Other guards decide on the state, and on the action if predicates read it. The action is assumed to run, and
   * predicates that read actions read it as done, whatever the decision; if it is refused, or does not run for another reason, call `withhold`.
   *
   * @param state the agent's current world; never throws, whatever the state holds or lacks.
   */
  propose(
    state: Readonly<Record<string, unknown>>,
    action: Action,
    options: ProposalOptions = {},
  ): GuardProposal {
    const decider = this.#decider;
    const pending = pendingCalls(options);
    const context = contextOf(action, options.time);
    const result = createProposal();
    decider.asked.isSibling(options.sibling === true);
    if (options.isStep === true) return this.#stepBeside(state, context, pending, result);
    if (!decider.takes(state, context)) return decider.reconsider(state, context, pending, result);
    decider.observe(state, context, pending, result);
    this.history.number(result.step);
    return result;
  }

  /**
   * Decides on an action that would run in place of the one proposed last, in the same state and at the same time: as `propose`, but never a step.
   */
  instead(
    state: Readonly<Record<string, unknown>>,
    action: Action,
    options: Omit<ProposalOptions, 'isStep'> = {},
  ): GuardProposal {
    const decider = this.#decider;
    const pending = pendingCalls(options);
    decider.asked.isSibling(options.sibling === true);
    if (decider.timed !== null) decider.timed.clock.wasAsked = false;
    return decider.reconsider(state, contextOf(action, options.time), pending, createProposal());
  }

  /**
   * Checks whether `propose` would count a state as a step: the state reads differently from the one observed last, or, with a sampling period, its time has
   * come. Changes nothing.
   *
   * @param state as for `propose`
   * @param context as for `step`; with a sampling period, a `time` that is not a number counts as due, because its true value is unknown
   */
  isStep(state: Readonly<Record<string, unknown>>, context: EvaluationContext = NO_CONTEXT): boolean {
    return this.#decider.isStep(state, context ?? NO_CONTEXT);
  }

  /** Evaluates a predicate, which reads nothing into the guard. @throws EvaluationError if it cannot be read @internal */
  holds(
    predicate: string,
    state: Readonly<Record<string, unknown>>,
    context: EvaluationContext = NO_CONTEXT,
  ): boolean {
    const { abstraction } = this.#decider.observer;
    return abstraction.holds(abstraction.predicates.indexOf(predicate), state, context);
  }

  /**
   * Seconds until rules read a state that comes before its time and reads otherwise than the last step (`resample: hold` or `skip`): until then no decision
   * stands for it. 0 if there is nothing to wait for. Changes nothing.
   *
   * @param context as for `step`; the action is not compared
   */
  unreadFor(state: Readonly<Record<string, unknown>>, context: EvaluationContext = NO_CONTEXT): number {
    return this.#decider.unreadFor(state, context ?? NO_CONTEXT);
  }

  /**
   * Judges an action that a person has approved, before it runs in the state observed last: as `propose` of one more action there, except that a person has
   * already decided. No reflection is counted and no budget is charged; if predicates read actions, the rules have read this action as done. A decision more
   * severe than `inspect` means that more speaks against the action than the person was asked about.
   *
   * @param action null means doing nothing
   * @param options `time`: of the approval, for predicates that read it; no step is made, whatever the time
   */
  approve(
    state: Readonly<Record<string, unknown>>,
    action: Action | null,
    options: Pick<ProposalOptions, 'pending' | 'read' | 'excused' | 'unsettled' | 'time'> = {},
  ): GuardProposal {
    const context = contextOf(action, options.time);
    const pending = pendingCalls(options);
    return this.#decider.reconsider(state, context, pending, createProposal(), action === null, 'approve');
  }

  /**
   * Excuses the violations of these rules: a person has approved what broke them, so they stand as they did before it. Another violation of them counts.
   *
   * @param names of rules; those that are not violated stay as they are
   * @returns the names of the rules that were
   */
  excuse(names: readonly string[]): string[] {
    return this.#decider.rules.excuse(names);
  }

  /**
   * Reads the last step again as that of another action, which has run or is running: of several that were permitted there, another came back first, or the
   * first was taken back. As `approve`, but no action means that the step has none, not that doing nothing was approved.
   *
   * @param options `time`: of the step, for predicates that read it
   */
  readAgain(
    state: Readonly<Record<string, unknown>>,
    action: Action | null,
    options: Pick<ProposalOptions, 'time'> = {},
  ): GuardProposal {
    const context = contextOf(action, options.time);
    return this.#decider.reconsider(state, context, NO_CALLS, createProposal(), false, 'approve');
  }

  /**
   * Decides on doing nothing in the state, as an agent does when it ends its turn without a call or lets a moment pass. Doing nothing is judged by its outcomes
   * in the data, as an action is: by steps without an action, which include the last steps of complete runs. If a shield refuses it, `onIdle` of the
   * specification names the response: `stop`, `inspect` (a person is asked), or `replace`. If it is permitted, it takes its share of a budget, and the next
   * observation is a step. A guard of a Markov chain decides on the state alone.
   *
   * @param state as for `propose`
   * @param options as for `propose`
   */
  idle(state: Readonly<Record<string, unknown>>, options: ProposalOptions = {}): GuardProposal {
    const { time, isStep = false } = options;
    const pending = pendingCalls(options);
    const decider = this.#decider;
    const context = contextOf(null, time);
    const isObserved = decider.takes(state, context, isStep);
    const result = createProposal();
    if (!isObserved) return decider.reconsider(state, context, pending, result, true);
    decider.observe(state, context, pending, result, 'step', true);
    this.history.number(result.step);
    return result;
  }

  /**
   * Takes back an action that does not run: a refused one, or a permitted one that was given up. A permitted action's share of the budget is returned. If predicates read the action, a step made by
   * `propose` did not happen, and the next observation replaces it. A step made by `step` or `stepInto`, and each step with a sampling period, remains: the rules then read it without
   * the action, so what the state breaks stays broken. Call it before the objects of the observation change.
   *
   * @param what `last` (default): the action decided on last, taken back at once, before any running call can show its effect; `all`: every action permitted
   * since the last observation, if none of them has run. An action given up after another one has run stays charged, because the effect of the other may be the
   * reason for giving it up.
   */
  withhold(what: 'last' | 'all' = 'last'): void {
    this.#decider.withhold(what);
  }

  /**
   * Lists which actions a shield permits now, in the state observed last.
   *
   * @param state as for `propose`; a state that reads differently from the last observation is a step.
   * @param actions the actions to judge; default: all that were ever taken in the state, including no action.
   * @throws InvalidArgumentError if the guard knows no actions
   */
  permitted(
    state: Readonly<Record<string, unknown>>,
    actions?: readonly (Action | null)[],
    options: ProposalOptions = {},
  ): Permission {
    const { time, isStep = false } = options;
    const shielding = this.#requireActions();
    const context = contextOf(null, time);
    if (this.#decider.isStep(state, context, isStep)) this.step(state, context);
    return shielding.permitted(actions, pendingCalls(options));
  }

  #requireActions(): Shield {
    const { shielding } = this.#decider;
    if (shielding !== null) return shielding;
    throw new InvalidArgumentError(
      'the guard was compiled from a chain, which knows no actions; learn a decision process (learning: { model: mdp })',
    );
  }

  /** Returns the basis of the last decision as plain data: everything it depends on except earlier decisions. */
  observed(): RecordedStep {
    const { asked, observer, timed } = this.#decider;
    return asked.observed(observer, timed?.clock ?? null);
  }

  /**
   * Repeats a decision from its recorded readings. A guard of the same file that receives all recorded steps of a run in order, starting after `reset`, makes
   * the same decisions to the last bit.
   */
  decideAgain(observed: RecordedStep): GuardProposal {
    if (observed.withheld !== null) this.withhold(observed.withheld);
    const result = this.#decider.decideAgain(observed, createProposal());
    if (observed.call !== 'repeat') this.history.number(result.step);
    return result;
  }

  /**
   * Bounds the risk of a violation within a number of further steps, or a duration, after the last observation. The bounds are 0 and 1 if the risk is unknown.
   * If the guard decides on confidence bounds, `confidenceUpper` also bounds the agent's own risk.
   *
   * @param rule name of a rule on traces
   * @param horizon number of steps, or a duration as written, that the guard file was compiled with (`foreguard compile --horizons 5,10 --within 3s`)
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
      ({ name, tables }) => `${name}: ${Object.keys(tables?.horizons ?? {}).join(', ') || 'none'}`,
    );
    throw new InvalidArgumentError(
      `rule "${rule}" has no risk within ${typeof horizon === 'number' ? `${horizon} steps` : horizon}; horizons by rule: ${known.join('; ')}${durations.length > 0 ? `; durations: ${durations.join(', ')}` : ''}. Compile the guard with the horizon`,
    );
  }

  /**
   * Takes calls of other tools, beside those that the guard file declares, for calls of safe tools, until it is called again. It is no part of the file:
   * `observed` records which calls were taken so.
   *
   * @param isSafe says so of a tool's name; null: no other tools are safe
   */
  trust(isSafe: ((tool: string) => boolean) | null): void {
    this.#decider.safeTools.trusts = isSafe;
  }

  /** Writes the rule's `onFailure` decision into `result`, for a decision that could not be carried out (no answer in time, or an unreadable answer). */
  failed<T extends GuardStep>(result: T): T {
    const strategy = this.file.rules.find(({ name }) => name === result.ruleOfStrategy)?.onFailure;
    result.decision = strategy?.kind ?? 'stop';
    result.action = strategy?.kind === 'replace' ? strategy.action : null;
    result.reason = 'strategy-failed';
    return result;
  }

  /**
   * Explains a result in one or two sentences: decision, rule, risk with its bounds, threshold, and the state in words.
   *
   * @param quotes whether why a predicate could not be read may quote what the state and the action hold. If not, only the place in the predicate is named, and what was expected
   * there; and of the state only what the model's states consist of is said.
   */
  explain(result: GuardStep, quotes = true): string {
    const { observer, last, shielding } = this.#decider;
    const isLast = result === last;
    const error = isLast ? wordsOfError(observer.errorOf(result.predicate), quotes) : '';
    const brokenBefore = isLast && this.#brokenBefore(result.rule);
    const state = this.#stateInWords(result, quotes);
    const asAgent = shielding?.asAgent(result, isLast);
    const answer = describeAnswer(result, this.file, this.#model, state, error, brokenBefore, asAgent);
    const words = `Step ${result.step}: ${answer}${isLast && this.#decider.asked.call === 'repeat' ? UNREAD : ''}`;
    return result.drift ? `${words} ${this.explainDrift()}` : words;
  }

  /**
   * Explains one rule's verdict on the last observation in the words of `explain`, but without the number of the step. For the rule that decided, this is the
   * guard's decision.
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
    const rule = watch.decidesItself ? name : '';
    const numbers = { risk, lower, upper, confidenceUpper, decidedOn };
    // What this rule does not read concerns it only where that refuses all the same.
    const unread = reason === 'predicate-failed' ? last.predicate : null;
    const predicate = observer.firstUnread(watch.reads) ?? unread;
    const own = { decision, reason, action, rule, ruleOfStrategy: name, predicate, ...numbers };
    const isLast = last.ruleOfStrategy === name && last.reason !== 'drift';
    const answer = isLast ? last : { ...last, ...own };
    return describeAnswer(
      answer,
      // Another rule may be broken.
      isLast ? this.file : { ...this.file, rules: [watch.rule] },
      this.#model,
      this.#stateInWords(last),
      wordsOfError(observer.errorOf(answer.predicate), true),
      this.#brokenBefore(name),
      shielding?.asAgent(last, true, name),
    );
  }

  /** Whether the rule was broken at a held step before the last observation, or even earlier. */
  #brokenBefore(name: string): boolean {
    const { history } = this;
    const r = this.rules.findIndex((rule) => rule.name === name);
    const at = r < 0 ? -1 : history.decidedAt(r);
    return at >= 0 && at < history.length - 1;
  }

  /** Describes in words the strongest evidence that the agent has changed; empty if drift is not watched. */
  explainDrift(): string {
    return this.drift?.describe((state) => this.#describe(state)) ?? '';
  }

  /**
   * The message for an agent that must reflect: the state in words, the rule, the probability, and the request to the agent.
   * @param said what is said in place of the rule's name and formula. Default: these
   */
  reflection(result: GuardStep, said: string | null = null): string {
    const { last, shielding } = this.#decider;
    const asAgent = shielding?.asAgent(result, result === last);
    return reflectionMessage(result, this.file, this.#model, this.#stateInWords(result), asAgent, said);
  }

  /** Only the last observation is kept; for earlier ones only the chain's state is known, if they had one. */
  #stateInWords(result: GuardStep, quotes = true): string | null {
    const { abstraction, complete, valuation } = this.#decider.observer;
    if (quotes && result === this.#decider.last && complete)
      return abstraction.describe(valuation, 0, undefined, this.file.words);
    return result.state < 0 ? null : this.#describe(result.state);
  }

  #describe(state: number): string {
    const { predicates, learntPredicates = predicates.length, states } = this.file;
    const { valuations, words } = states;
    return this.#decider.observer.abstraction.describe(
      Uint32Array.from(valuations.slice(state * words, (state + 1) * words)),
      0,
      learntPredicates,
      this.file.words,
    );
  }
}

function contextOf(action: Action | null, time: number | undefined): EvaluationContext {
  if (action === null && time === undefined) return NO_CONTEXT;
  return { ...(action !== null && { action }), ...(time !== undefined && { time }) };
}
