import { ActionAbstraction } from '../abstraction/index.js';
import { EvaluationError, InvalidArgumentError } from '../errors.js';
import type { EvaluationContext } from '../expression/index.js';
import type { Action } from '../trace/index.js';
import { DriftWatch } from './drift.js';
import { describeDrift, describeStep, reflectionMessage } from './explain.js';
import type { GuardFile } from './guardFile.js';
import { createGuardStep, type GuardStep, type Reason } from './guardStep.js';
import { History } from './history.js';
import type { Observed, ReadAction, Readings } from './observed.js';
import { type Observation, Observer } from './observer.js';
import { createProposal, type GuardProposal, type JudgedAction, type Permission } from './proposal.js';
import { type RuleStatus, RuleWatch, type ShieldedAction } from './ruleWatch.js';
import { type ActionRisks, Shield, UNTRIED } from './shield.js';
import { severity } from './strategy.js';

const NO_CONTEXT: EvaluationContext = {};
const NONE: readonly never[] = [];
/** A shield has refused the action for what it is. */
const SHIELDED: ReadonlySet<Reason> = new Set(['at-threshold', 'over-budget', 'untried-action']);

/** What is asked beside a proposed action. */
export interface ProposalOptions {
  /** Actions that were permitted before and will have run by then, in their order: several calls proposed at once. */
  readonly pending?: readonly Action[];
  /** Seconds, where it is a new observation. */
  readonly time?: number;
}

/** What a guard has seen since it was made. */
export interface GuardCounters {
  steps: number;
  /** Observations decided by `onUnknown`. */
  faults: number;
  /** Steps between two states of the data that the data never took. */
  unseenTransitions: number;
  /** Steps that were missing, and so were the one before them again (`resample: hold`). */
  heldSteps: number;
  /** Observations that came before their time and did not count (`resample: hold` or `skip`). */
  earlyObservations: number;
}

/**
 * Watches one run of an agent: each observation is abstracted, every rule's automaton steps, the risk is looked up and
 * compared, and the most severe rule decides. A fault never becomes an `allow`.
 *
 * One guard follows one run at a time; call `reset` between runs.
 */
export class Guard {
  readonly file: GuardFile;
  /** What each rule says of the last observation, in the order of the file; the objects are the same at every step. */
  readonly rules: readonly RuleStatus[];
  readonly counters: GuardCounters = {
    steps: 0,
    faults: 0,
    unseenTransitions: 0,
    heldSteps: 0,
    earlyObservations: 0,
  };
  /** What the last observation came to; the same object at every step. */
  readonly observation: Observation;
  /** The steps that the rules have read, as far back as explaining them needs. */
  readonly history: History;
  /** Whether the agent still behaves as in the data; it goes on from run to run. Null where drift is not watched. */
  readonly drift: DriftWatch | null;
  readonly #watches: readonly RuleWatch[];
  readonly #observer: Observer;
  /** Null where the guard knows no actions. */
  readonly #shield: Shield | null;
  readonly #actions: ActionAbstraction;
  /** What the last decision is on, beside the observation: see `Observed`. */
  #call: Observed['call'] = 'step';
  #held = 0;
  #action: ReadAction = null;
  #pending: readonly ReadAction[] = NONE;
  #earlier: readonly Readings[] = NONE;
  /** What was read of a proposal, where the observation has been put back to what it was before. */
  #now: Readings | null = null;
  /** The action let through before the last decision did not run; the one let through by it does not. */
  #withheld = false;
  #withholds = false;
  #step = -1;
  /** The observation at hand belongs to this result. */
  #last: GuardStep | null = null;

  /** @internal Use `loadGuard` or `createGuard`, which check the file first. */
  constructor(file: GuardFile) {
    this.file = file;
    this.#observer = new Observer(file);
    this.#actions = new ActionAbstraction(file.actions?.predicates);
    this.#shield = file.actions === undefined ? null : new Shield(file, file.actions);
    this.observation = this.#observer;
    this.drift = file.drift === undefined ? null : new DriftWatch(file.drift, file);
    this.#watches = file.rules.map((rule) => new RuleWatch(rule, file));
    this.rules = this.#watches;
    this.history = new History(
      file.states.words,
      file.rules.map(({ automaton }) => automaton),
    );
  }

  /** Begins a new run: automata at their start, no history, no reflections counted. Counters go on, and so does `drift`. */
  reset(): void {
    this.#step = -1;
    this.#last = null;
    this.#observer.reset();
    this.#shield?.reset();
    this.#withholds = false;
    this.history.reset();
    this.drift?.begin();
    for (const watch of this.#watches) watch.reset();
  }

  /**
   * Decides on one observation of the agent's world.
   *
   * @param state the observed state; whatever it holds or lacks, this does not throw.
   * @param context time in seconds and the action about to be taken, where predicates, the sampling period or a shield use them; a step
   * of a trace will do. A guard that knows actions decides on the action, and on the state where there is none. An action that it lets through is taken to run.
   * @returns a new object; where the observation comes before its time and `resample` is not `error`, the last decision again, with the
   * number of its step; see `stepInto` for a form that allocates nothing.
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
    this.#held = 0;
    if (this.#observer.timed && !this.#isDue(context ?? NO_CONTEXT)) return this.#repeat(result);
    return this.#observe(state, context ?? NO_CONTEXT, NONE, result);
  }

  /**
   * Decides on another action in the state observed last, or on one more action there, before it runs: no step is made, unless `state` is no longer read
   * as it was; then this is a step.
   *
   * A guard that knows actions (`learning: { model: mdp }`) judges what came of the action in the data, once those of `pending` have run, too. Other guards
   * decide on the state, and on the action as far as predicates read it. An action that is let through is taken to run; where it does not, call `withhold`.
   *
   * @param state the agent's world, as it is now; whatever it holds or lacks, this does not throw.
   */
  propose(
    state: Readonly<Record<string, unknown>>,
    action: Action,
    { pending = NONE, time }: ProposalOptions = {},
  ): GuardProposal {
    const proposal = createProposal();
    const context = { action, ...(time !== undefined && { time }) };
    this.#held = 0;
    if (this.#step < 0 || !this.#observer.isSame(state, context)) {
      if (this.#observer.timed && !this.#isDue(context)) return this.#repeat(proposal);
      return this.#observe(state, context, pending, proposal);
    }
    this.#begin('propose', action, pending);
    if (this.#observer.readsAction) {
      this.#earlier = pending.map((earlier) => {
        this.#observer.observe(state, { ...context, action: earlier }, true);
        return this.#observer.readings();
      });
      this.#observer.observe(state, context, true);
    }
    return this.#takeAgain(proposal);
  }

  /** The action that the last decision let through, if it did, does not run after all: a budget has back what it took. */
  withhold(): void {
    this.#shield?.giveBack();
    this.#withholds = true;
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
    const shield = this.#shield;
    if (shield === null) {
      throw new InvalidArgumentError(
        'the guard was compiled from a chain, which knows no actions; learn a decision process (learning: { model: mdp })',
      );
    }
    const context = time === undefined ? NO_CONTEXT : { time };
    if (this.#step < 0 || !this.#observer.isSame(state, context)) this.step(state, context);
    const before = pending.map((earlier) => this.#numberOf(this.#readAction(earlier)));
    const judged = this.#bySafety(
      actions?.map((action) => this.#readAction(action)) ?? this.#taken(),
      before,
    );
    return { actions: judged, safest: judged.find(({ permitted }) => permitted) ?? null };
  }

  /** What the last decision is on, as plain data: all that it depends on but the decisions before. */
  observed(): Observed {
    return {
      call: this.#call,
      ...(this.#now ?? this.#observer.readings()),
      held: this.#held,
      action: this.#action,
      pending: this.#pending,
      earlier: this.#earlier,
      withheld: this.#withheld,
    };
  }

  /**
   * Decides once more as it did on what was read then. A guard of the same file that is given all that was observed in a run, from `reset` on and in the same
   * order, decides the same, to the last bit.
   */
  decideAgain(observed: Observed): GuardProposal {
    const proposal = createProposal();
    if (observed.withheld) this.withhold();
    if (observed.call === 'repeat') return this.#repeat(proposal);
    this.#begin(observed.call, null, NONE);
    this.#held = observed.held;
    this.#action = observed.action;
    this.#pending = observed.pending;
    this.#earlier = observed.earlier;
    if (observed.call === 'step') {
      for (let held = 0; held < observed.held; held++) this.#hold();
      if (this.#observer.readsAction) this.#save();
      this.#observer.observeRecorded(observed);
      return this.#take(proposal);
    }
    if (this.#observer.readsAction) this.#observer.observeRecorded(observed, true);
    return this.#takeAgain(proposal);
  }

  #observe<T extends GuardStep>(
    state: Readonly<Record<string, unknown>>,
    context: EvaluationContext,
    pending: readonly Action[],
    result: T,
  ): T {
    const observer = this.#observer;
    const shield = this.#shield;
    this.#begin('step', null, NONE);
    if (observer.readsAction) this.#save();
    observer.observe(state, context);
    if (shield !== null) {
      this.#action = this.#readAction(actionOf(context));
      if (pending.length > 0) this.#pending = pending.map((earlier) => this.#readAction(earlier));
    }
    return this.#take(result);
  }

  #begin(call: Observed['call'], action: Action | null, pending: readonly Action[]): void {
    this.#call = call;
    this.#withheld = this.#withholds;
    this.#withholds = false;
    this.#now = null;
    this.#earlier = NONE;
    const knows = this.#shield !== null;
    this.#action = knows ? this.#readAction(action) : null;
    this.#pending = knows && pending.length > 0 ? pending.map((earlier) => this.#readAction(earlier)) : NONE;
  }

  /** Where the rules stand before a step that may have to be read again. */
  #save(): void {
    this.history.save();
    for (const watch of this.#watches) watch.save();
  }

  #restore(): void {
    this.history.restore();
    for (const watch of this.#watches) watch.restore();
  }

  /** The rules read the observation and decide on it. */
  #take<T extends GuardStep>(result: T): T {
    const observer = this.#observer;
    const watches = this.#watches;
    this.#step++;
    this.counters.steps++;
    if (observer.unseenTransition) this.counters.unseenTransitions++;
    this.history.record(observer);
    this.drift?.read(observer);
    for (let r = 0; r < watches.length; r++) {
      const watch = watches[r];
      watch.read(observer);
      if (this.#shield === null) watch.decide(observer);
      else watch.decide(observer, this.#shielded(r));
      this.history.follow(r, watch.automatonState, watch.verdict);
    }
    return this.#finish(result);
  }

  /** The rules decide on another action in the same state. Where predicates read the action, they first read what it makes of the step. */
  #takeAgain(result: GuardProposal): GuardProposal {
    const observer = this.#observer;
    const watches = this.#watches;
    if (!observer.readsAction) {
      for (let r = 0; r < watches.length; r++) watches[r].decideAgain(observer, this.#shielded(r));
      return this.#finish(result);
    }
    const now = observer.readings();
    this.#now = now;
    // The step itself is that of the action which runs first.
    const first = this.#earlier[0] ?? now;
    this.#restore();
    observer.observeRecorded(first, true);
    this.history.record(observer);
    for (const watch of watches) watch.read(observer);
    watches.forEach((watch, r) => {
      this.history.follow(r, watch.automatonState, watch.verdict);
    });
    if (this.#earlier.length === 0) {
      for (const watch of watches) watch.decide(observer);
      return this.#finish(result);
    }
    for (const earlier of this.#earlier.slice(1)) {
      observer.observeRecorded(earlier, true);
      for (const watch of watches) watch.read(observer);
    }
    observer.observeRecorded(now, true);
    for (const watch of watches) {
      watch.read(observer);
      watch.decide(observer);
    }
    this.#finish(result);
    // What was read ahead of what has run is not kept.
    this.#restore();
    observer.observeRecorded(first, true);
    this.history.record(observer);
    watches.forEach((watch, r) => {
      watch.read(observer);
      this.history.follow(r, watch.automatonState, watch.verdict);
    });
    return result;
  }

  /** Takes over the decision of the most severe rule. */
  #finish<T extends GuardStep>(result: T): T {
    const observer = this.#observer;
    const watches = this.#watches;
    const drift = this.drift;
    let winner = watches[0];
    let allAllow = true;
    for (let r = 0; r < watches.length; r++) {
      const watch = watches[r];
      if (watch.strategy !== null && !watch.shadow) allAllow = false;
      if (severity[watch.decision] > severity[winner.decision]) winner = watch;
    }
    winner.countReflection();
    if (allAllow) for (let r = 0; r < watches.length; r++) watches[r].forgetReflections();

    const strategy = winner.strategy;
    result.step = this.#step;
    result.decision = winner.decision;
    result.action = strategy !== null && strategy.kind === 'replace' ? strategy.action : null;
    result.risk = winner.risk;
    result.lower = winner.lower;
    result.upper = winner.upper;
    result.confidenceUpper = winner.confidenceUpper;
    result.decidedOn = winner.decidedOn;
    result.state = observer.state;
    result.rule = winner.rule.name;
    result.reason = winner.reason;
    result.predicate = observer.predicate;
    result.unseenTransition = observer.unseenTransition;
    result.drift = false;
    if (this.#shield !== null) this.#settle(result, this.#shield, winner);
    if (drift !== null) {
      result.drift = drift.alarm;
      if (drift.alarm && severity[drift.onDrift] > severity[result.decision]) {
        result.decision = drift.onDrift;
        result.action = null;
        result.reason = 'drift';
      }
      if (drift.obeyed && severity[result.decision] > severity.report) drift.lose();
    }
    if (observer.fault !== null || result.reason === 'untried-action') this.counters.faults++;
    this.#last = result;
    return result;
  }

  /** What only a shield adds: the action's risks, what else is permitted, and what the action takes of a budget. */
  #settle(result: GuardStep, shield: Shield, winner: RuleWatch): void {
    const action = this.#action;
    shield.keep();
    if (result.reason === 'untried-action' && typeof action === 'object' && action !== null) {
      result.reason = 'predicate-failed';
      result.predicate = action.failed;
    }
    if (this.#isOfState()) return;
    const shielded = this.#watches.map((_, r) => this.#shielded(r));
    const judgement = shielded[this.#watches.indexOf(winner)]?.judgement;
    const refused = severity[result.decision] > severity.report;
    const pending = this.#pending.map((earlier) => this.#numberOf(earlier));
    const alternatives =
      refused && judgement !== undefined
        ? this.#bySafety(this.#taken(), pending).filter(({ permitted }) => permitted)
        : NONE;
    if (!refused) shield.charge(shielded.map((one) => one?.judgement ?? null));
    else if (alternatives.length === 0 && pending.length === 0 && judgement && SHIELDED.has(result.reason)) {
      result.decision = 'stop';
      result.action = null;
      result.reason = 'nothing-permitted';
    }
    if (!('alternatives' in result)) return;
    const proposal = result as GuardProposal;
    proposal.name = nameOf(action);
    proposal.alternatives = alternatives.map(({ name }) => name);
    proposal.risks =
      judgement === undefined || judgement.untried
        ? null
        : { asAgent: judgement.asAgent, least: judgement.least, most: judgement.most };
  }

  /** Nothing was proposed: the decision is on the state. */
  #isOfState(): boolean {
    return this.#action === null && this.#call === 'step';
  }

  /** What rule number r makes of what is at hand; null where it is decided by the state as a chain's would be. */
  #shielded(r: number): ShieldedAction | null {
    const shield = this.#shield;
    if (shield === null || this.#observer.fault !== null || !shield.covers(r)) return null;
    if (!this.#isOfState()) {
      const pending = this.#pending.map((earlier) => this.#numberOf(earlier));
      return this.#judge(shield, r, this.#numberOf(this.#action), pending);
    }
    if (shield.file.mode === 'predict') return null;
    const judgement = shield.stateRisks(r, this.#observer.state, this.#watches[r].possible);
    return { mode: shield.file.mode, judgement, affordable: true };
  }

  #judge(shield: Shield, r: number, action: number, pending: readonly number[]): ShieldedAction | null {
    const judgement = shield.judge(r, this.#observer.state, this.#watches[r].possible, pending, action);
    if (judgement === null) return null;
    return { mode: shield.file.mode, judgement, affordable: shield.affords(r, judgement) };
  }

  /** Actions as a shield judges them once those of `pending` have run, the safest first. */
  #bySafety(actions: readonly ReadAction[], pending: readonly number[]): JudgedAction[] {
    const shield = this.#shield;
    if (shield === null) return [];
    const unknown = this.#observer.fault !== null;
    return actions
      .map((action) => {
        const judged = this.#watches.map((_, r) =>
          unknown ? null : this.#judge(shield, r, this.#numberOf(action), pending),
        );
        const most = (number: (one: ShieldedAction) => number): number =>
          judged.reduce((max, one) => (one === null ? max : Math.max(max, number(one))), unknown ? 1 : 0);
        const asAgent = most(({ judgement }) => judgement.asAgent.upper);
        const least = most(({ judgement }) => judgement.least.upper);
        return {
          asAgent,
          least,
          name: nameOf(action),
          permitted: !unknown && judged.every((one, r) => one === null || this.#watches[r].permits(one)),
          risk: shield.file.mode === 'predict' ? asAgent : least,
          rules: Object.fromEntries(this.#watches.map(({ name }, r) => [name, risksOf(judged[r])])),
        };
      })
      .sort((one, other) => one.least - other.least || one.asAgent - other.asAgent)
      .map(({ name, permitted, risk, rules }) => ({ name, permitted, risk, rules }));
  }

  /** All that was ever done in the state observed last, none included. */
  #taken(): (string | null)[] {
    const shield = this.#shield;
    const { state } = this.#observer;
    if (shield === null || state < 0) return [];
    return Array.from(shield.takenIn(state), (action) => shield.nameOf(action));
  }

  #readAction(action: unknown): ReadAction {
    try {
      return this.#actions.nameOf(action as Action | null | undefined);
    } catch (error) {
      return { failed: (error instanceof EvaluationError ? error.predicate : undefined) ?? '?' };
    }
  }

  #numberOf(action: ReadAction): number {
    return typeof action === 'object' && action !== null
      ? UNTRIED
      : (this.#shield?.numberOf(action) ?? UNTRIED);
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
    const watch = this.#watches.find(({ name }) => name === rule);
    const bounds = steps === undefined ? undefined : watch?.within(steps, this.#observer);
    if (bounds !== undefined) return bounds;
    const durations = Object.keys(this.file.durations ?? {});
    const known = this.file.rules.map(
      ({ name, horizons = {} }) => `${name}: ${Object.keys(horizons).join(', ') || 'none'}`,
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
    const error = result === this.#last ? this.#observer.error : null;
    const words = describeStep(result, this.file, this.#stateInWords(result), error);
    return result.drift ? `${words} ${this.explainDrift()}` : words;
  }

  /** In words, what speaks most for it that the agent has changed, and how much it says; empty where drift is not watched. */
  explainDrift(): string {
    return this.drift === null ? '' : describeDrift(this.drift, (state) => this.#describe(state));
  }

  /** The message for an agent that shall reflect: the state in words, the rule, the probability, and what is asked of it. */
  reflection(result: GuardStep): string {
    return reflectionMessage(result, this.file, this.#stateInWords(result));
  }

  /** Whether an observation counts; if so, the rules first read the one before it for each step that is missing. */
  #isDue(context: EvaluationContext): boolean {
    const due = this.#observer.due(context);
    if (due === 0) {
      this.counters.earlyObservations++;
      return false;
    }
    if (due > 1) {
      this.counters.heldSteps += due - 1;
      this.#held = (due - 1) | 0; // A small integer is stored without allocating.
      for (let held = 1; held < due; held++) this.#hold();
    }
    return true;
  }

  /** The rules read the last observation once more. */
  #hold(): void {
    this.history.record(this.#observer);
    this.drift?.stay();
    for (let r = 0; r < this.#watches.length; r++) {
      const watch = this.#watches[r];
      watch.read(this.#observer);
      this.history.follow(r, watch.automatonState, watch.verdict);
    }
  }

  #repeat<T extends GuardStep>(result: T): T {
    this.#call = 'repeat';
    const last = this.#last ?? result;
    result.step = last.step;
    result.decision = last.decision;
    result.action = last.action;
    result.risk = last.risk;
    result.lower = last.lower;
    result.upper = last.upper;
    result.confidenceUpper = last.confidenceUpper;
    result.decidedOn = last.decidedOn;
    result.state = last.state;
    result.rule = last.rule;
    result.reason = last.reason;
    result.predicate = last.predicate;
    result.unseenTransition = last.unseenTransition;
    result.drift = last.drift;
    this.#last = result;
    return result;
  }

  /** Only the last observation is kept; of earlier ones the chain's state is known, if they had one. */
  #stateInWords(result: GuardStep): string | null {
    const { abstraction, complete, valuation } = this.#observer;
    if (result === this.#last && complete) return abstraction.describe(valuation, 0);
    return result.state < 0 ? null : this.#describe(result.state);
  }

  #describe(state: number): string {
    const { valuations, words } = this.file.states;
    return this.#observer.abstraction.describe(
      Uint32Array.from(valuations.slice(state * words, (state + 1) * words)),
      0,
    );
  }
}

/** A context is the caller's object: reading it may throw. */
function actionOf(context: EvaluationContext): unknown {
  try {
    return context.action;
  } catch (error) {
    return { name: error };
  }
}

function nameOf(action: ReadAction): string | null {
  return typeof action === 'string' ? action : null;
}

function risksOf(shielded: ShieldedAction | null): ActionRisks | null {
  if (shielded === null || shielded.judgement.untried) return null;
  const { asAgent, least, most } = shielded.judgement;
  return { asAgent, least, most };
}
