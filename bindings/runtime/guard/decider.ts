import { NotSupportedError } from '../../base/errors.js';
import type { EvaluationContext } from '../../languages/expression/runtime/index.js';
import type { EncodingExpressions } from '../../observations/abstraction/runtime/index.js';
import { noCounts } from './counters.js';
import type { DriftTest } from './driftTest.js';
import type { GuardFile } from './guardFile.js';
import type { GuardParts } from './guardParts.js';
import type { GuardStep } from './guardStep.js';
import type { RiskMonitor } from './model/riskMonitor.js';
import { Observer } from './observer.js';
import type { PendingCalls } from './pendingCalls.js';
import { Query } from './query.js';
import { isStepCall, type Readings, type RecordedStep } from './recordedStep.js';
import { RuleMonitor } from './ruleMonitor.js';
import { RuleRun } from './ruleRun.js';
import { SafeTools } from './safeTools.js';
import type { Shield } from './shield.js';
import { severity } from './strategy.js';
import type { Tables } from './tables.js';
import type { TimedSteps } from './timedSteps.js';

const NO_RULES =
  'this guard has policies and no rules: a session judges by them (createSession), a step alone cannot';

export type State = Readonly<Record<string, unknown>>;

/**
 * The decision engine: every rule's automaton reads an observation, the rules decide, and the most severe decision is copied into a result. An observation
 * without actions to shield allocates nothing.
 */
export class Decider {
  readonly observer: Observer;
  /** Null if steps have no sampling period. */
  readonly timed: TimedSteps | null;
  readonly rules: RuleRun;
  /** Null if drift is not watched. */
  readonly drift: DriftTest | null;
  /** Null if the guard knows no actions. */
  readonly shielding: Shield | null;
  readonly asked = new Query();
  readonly safeTools: SafeTools;
  readonly counters = noCounts();
  /** The result of the current observation. */
  last: GuardStep | null = null;
  /** Number of the step observed last, from 0; -1 before the first. */
  step = -1;
  /** Doing nothing was permitted last: the next observation is a step in any case. */
  #idled = false;
  /** The last decision was on a call of a safe tool: it says nothing of other calls, nor theirs of it. */
  wasSafe = false;
  readonly #hasShadow: boolean;
  /** The first rule of which a risk is known; null if there is none. */
  readonly #predicted: RuleMonitor | null;

  /** @param parts at least those that the file needs. */
  constructor(
    file: GuardFile,
    expressions: EncodingExpressions,
    { clock, constraints, DriftTest, model, Shield }: GuardParts,
    tables: Tables,
  ) {
    const states = model && file.modelHash !== null ? new model.ModelStates(file, tables) : null;
    this.observer = new Observer(file, expressions, states, constraints ?? null, clock ?? null);
    this.timed = clock ? new clock.TimedSteps(file, this) : null;
    this.rules = new RuleRun(file, model && file.modelHash !== null ? model.RiskMonitor : RuleMonitor);
    this.safeTools = new SafeTools(file);
    this.#predicted = this.rules.watches.find(({ rule }) => rule.tables !== undefined) ?? null;
    this.#hasShadow = file.rules.some(({ shadow }) => shadow === true);
    this.drift = DriftTest && file.drift ? new DriftTest(file.drift, file) : null;
    this.shielding =
      Shield && file.actions
        ? new Shield(
            file,
            file.actions,
            this.observer,
            // A guard with actions has a model.
            this.rules.watches as readonly RiskMonitor[],
            this.asked,
            tables,
            this.safeTools,
          )
        : null;
  }

  reset(): void {
    this.step = -1;
    this.#idled = false;
    this.wasSafe = false;
    this.last = null;
    this.observer.reset();
    this.timed?.clock.reset();
    this.asked.reset();
    this.shielding?.reset();
    this.rules.reset();
    this.drift?.begin();
  }

  /**
   * Whether a state in which an action is proposed is a step of its own: it reads differently from the last observation, follows doing nothing, or, if steps
   * have a period, its time has come. Changes nothing.
   *
   * @param isObserved the state is a new observation, although it may read as the last one
   */
  isStep(state: State, context: EvaluationContext, isObserved = false): boolean {
    const byTime = this.timed === null ? null : this.timed.isStep(context);
    if (byTime !== null) return byTime;
    return isObserved || this.step < 0 || this.#idled || !this.observer.isSame(state, context);
  }

  /** Seconds until the rules read a state that comes before its time and reads otherwise than the last step; 0 if there is none such. Changes nothing. */
  unreadFor(state: State, context: EvaluationContext): number {
    return this.timed?.unreadFor(state, context) ?? 0;
  }

  /** Takes a state in which an action is proposed; returns whether it is a step, as `isStep`. */
  takes(state: State, context: EvaluationContext, isObserved = false): boolean {
    const isStep = this.isStep(state, context, isObserved);
    if (this.timed !== null) return this.timed.takes(context, isStep);
    if (isStep) this.asked.clear();
    return isStep;
  }

  /** Answers an observation that comes before its time and does not count; null if it counts, as all do where steps have no period. */
  answerEarly<T extends GuardStep>(
    state: State,
    context: EvaluationContext,
    pending: PendingCalls,
    result: T,
  ): T | null {
    if (this.timed !== null) return this.timed.answerEarly(state, context, pending, result);
    this.asked.clear();
    return null;
  }

  /** Makes the rules read the last step again without its action, which did not run, where the step remains one: its time has passed, or the loop counts its own steps. */
  standIfUndone(): void {
    const { asked, observer } = this;
    if (!observer.readsAction || !asked.isUndone || this.step < 0) return;
    const idle = observer.withoutAction();
    if (idle === null) return;
    this.#stand(
      idle,
      this.rules.watches.flatMap(({ violated }, r) => (violated ? [r] : [])),
    );
  }

  /** As `standIfUndone`, from a record. */
  standAgain({ stood, told }: RecordedStep): void {
    if (stood !== undefined) this.#stand(stood, told ?? []);
  }

  /** @param told the rules of which it was decided that they are broken: what breaks them without the action as well is no news */
  #stand(readings: Readings, told: readonly number[]): void {
    const { asked, observer, rules } = this;
    const { irregular } = observer;
    this.readAgain(readings);
    for (const r of told) if (rules.watches[r]?.violated) rules.watches[r].close();
    observer.irregular = irregular;
    observer.holdWithoutAction();
    asked.stood = readings;
    asked.told = told;
  }

  /**
   * Decides on a new observation, with its action after those of `pending` have run.
   * @param isTick the caller counts its own steps: the observation remains one although its action does not run
   */
  observe<T extends GuardStep>(
    state: State,
    context: EvaluationContext,
    pending: PendingCalls,
    result: T,
    call: 'step' | 'observe' = 'step',
    idle = false,
    isTick = false,
  ): T {
    const { asked, observer, shielding } = this;
    if (this.timed === null && asked.ticked) this.standIfUndone();
    const again = this.#beginStep();
    asked.begin(call, idle);
    asked.ticked = isTick;
    asked.safe = this.safeTools.isProposed(context);
    if (observer.readsAction && pending.unread.length > 0) {
      this.#readEarlier(state, context, pending, again);
      observer.observe(state, context, true);
    } else observer.observe(state, context, again);
    if (shielding !== null) shielding.ask(context, pending);
    return this.#take(result);
  }

  /** Decides on an action in the state observed last; predicates that read the action read `state` in place of that observation. */
  reconsider<T extends GuardStep>(
    state: State,
    context: EvaluationContext,
    pending: PendingCalls,
    result: T,
    idle = false,
    call: 'propose' | 'approve' = 'propose',
  ): T {
    const { asked, observer, shielding } = this;
    if (call === 'approve' && this.timed !== null) this.timed.clock.wasAsked = false;
    asked.begin(call, idle);
    asked.safe = this.safeTools.isProposed(context);
    asked.clear();
    if (shielding !== null) shielding.ask(context, pending);
    if (observer.readsAction) {
      this.#readEarlier(state, context, pending, true);
      observer.observe(state, context, true);
    }
    return this.takeAgain(result);
  }

  /**
   * Begins a step; if predicates read the action, the last step may have to be read again. If neither the action nor a replacement ran, and the step does not
   * stand without it, it did not happen: the next observation replaces it. Rereading a step does not restore the missing steps before it.
   * @returns whether the next observation replaces the last step
   */
  #beginStep(): boolean {
    const { asked, rules } = this;
    const { readsAction } = this.observer;
    const undone = readsAction && asked.isUndone && this.step >= 0;
    if (undone) rules.restore();
    rules.begin(asked.lost);
    if (readsAction) rules.save();
    return undone;
  }

  /** Takes back the action that the last decision permitted, or all those since the last observation, because they do not run. */
  withhold(what: 'last' | 'all'): void {
    this.shielding?.giveBack(what);
    this.asked.withhold(what);
    if (this.asked.ticked) this.observer.readIdle();
  }

  /** Decides again on a recorded question and its recorded readings. */
  decideAgain<T extends GuardStep>(observed: RecordedStep, result: T): T {
    const { asked, observer } = this;
    const repeated = this.timed?.recall(observed, result) ?? null;
    if (repeated !== null) return repeated;
    const isStep = isStepCall(observed);
    if (this.timed === null) {
      asked.stood = null;
      if (isStep) this.standAgain(observed);
    }
    asked.lost = observer.lost = isStep ? (observed.lost ?? 0) : 0;
    const again = isStep && this.#beginStep();
    asked.recall(observed);
    if (isStep) {
      observer.observeRecorded(asked.earlier[0] ?? observed, again);
      if (asked.earlier.length > 0) observer.observeRecorded(observed, true);
    } else if (observer.readsAction) observer.observeRecorded(observed, true);
    observer.forgetState();
    if (isStep) return this.#take(result);
    return this.takeAgain(result);
  }

  /** Predicates read the step with each of the pending actions; with `again`, the first also replaces the last observation. */
  #readEarlier(state: State, context: EvaluationContext, pending: PendingCalls, again: boolean): void {
    this.asked.excused = pending.excused;
    this.asked.earlier = pending.unread.map((action, i) => {
      this.observer.observe(state, { ...context, action }, again || i > 0);
      return this.observer.readings();
    });
  }

  /** The rules read the observation and decide on it. */
  #take<T extends GuardStep>(result: T): T {
    const { observer, rules, shielding } = this;
    if (this.asked.earlier.length > 0) return this.#takeAfterEarlier(result);
    this.#count();
    rules.read(observer);
    rules.isSafe(this.asked.safe);
    rules.isSibling(this.asked.sibling);
    for (let r = 0; r < rules.watches.length; r++) {
      const watch = rules.watches[r];
      if (shielding === null) watch.decide(observer);
      else watch.decide(observer, shielding.judge(r));
    }
    return this.#conclude(result);
  }

  /** Counts an observed step. */
  #count(): void {
    this.step++;
    this.counters.steps++;
    this.shielding?.observe();
    if (this.observer.unseenTransition) this.counters.unseenTransitions++;
    this.drift?.read(this.observer);
  }

  /** Decides when other actions run first: the step itself belongs to the one that runs first. */
  #takeAfterEarlier<T extends GuardStep>(result: T): T {
    const { observer, asked } = this;
    const now = observer.readings();
    observer.observeRecorded(asked.earlier[0], true);
    this.#count();
    observer.observeRecorded(now, true);
    return this.takeAgain(result);
  }

  /** The rules decide on another action in the same state. If predicates read the action, the rules first read the step with it. */
  takeAgain<T extends GuardStep>(result: T): T {
    const { observer, rules, shielding, asked } = this;
    const { watches } = rules;
    const isApproved = asked.call === 'approve';
    rules.isSafe(asked.safe);
    rules.isSibling(asked.sibling);
    if (!observer.readsAction) {
      for (let r = 0; r < watches.length; r++)
        watches[r].decideAgain(observer, shielding?.judge(r) ?? null, isApproved);
      return this.#conclude(result);
    }
    const now = observer.readings();
    const [first, ...others] = [...asked.earlier, now];
    asked.now = now;
    this.readAgain(first);
    this.#excuse(0);
    for (const [i, other] of others.entries()) {
      observer.observeRecorded(other, true);
      rules.readAhead(observer);
      this.#excuse(i + 1);
    }
    watches.forEach((watch, r) => {
      watch.decide(observer, shielding?.judge(r) ?? null, isApproved);
    });
    this.#conclude(result);
    if (others.length === 0) return result;
    observer.holdReadings();
    // Readings ahead of the actions that have run are not kept.
    this.readAgain(first);
    this.#excuse(0);
    rules.close();
    return result;
  }

  /** Excuses what a person has approved of an earlier action, now that the rules have read it again. @param i its place among `earlier` */
  #excuse(i: number): void {
    const names = this.asked.excused[i];
    if (names !== undefined && names.length > 0) this.rules.excuse(names);
  }

  /** The rules read the last step anew, as it was recorded. */
  readAgain(readings: Readings): void {
    this.rules.restore();
    this.observer.observeRecorded(readings, true);
    this.rules.read(this.observer);
  }

  /** Adds the decision that rules in shadow mode would have made. */
  #addShadow(result: GuardStep): void {
    for (const { wouldDecide } of this.rules.watches) {
      if (severity[wouldDecide] > severity[result.wouldDecide]) result.wouldDecide = wouldDecide;
    }
  }

  /** Copies the decision of the most severe rule. */
  #conclude<T extends GuardStep>(result: T): T {
    const { observer, drift, shielding } = this;
    const { watches } = this.rules;
    if (watches.length === 0) throw new NotSupportedError(NO_RULES);
    let winner = watches[0];
    let allAllow = true;
    for (let r = 0; r < watches.length; r++) {
      const watch = watches[r];
      if (watch.strategy !== null && !watch.shadow) allAllow = false;
      if (watch.outranks(winner)) winner = watch;
    }
    // Where nothing is against a call, a risk says more than that an exact rule is kept.
    if (winner.strategy === null && winner.rule.tables === undefined) winner = this.#predicted ?? winner;
    if (this.asked.counts) {
      if (!this.asked.sibling) for (let r = 0; r < watches.length; r++) watches[r].beginTurn();
      winner.countReflection();
      // A safe call is not judged: it does not show that the agent has found another way.
      if (allAllow && !this.asked.safe)
        for (let r = 0; r < watches.length; r++) watches[r].forgetReflections();
    }

    const strategy = winner.strategy;
    result.step = this.step;
    result.decision = winner.decision;
    result.action = strategy !== null && strategy.kind === 'replace' ? strategy.action : null;
    result.risk = winner.risk;
    result.lower = winner.lower;
    result.upper = winner.upper;
    result.confidenceUpper = winner.confidenceUpper;
    result.decidedOn = winner.decidedOn;
    result.state = observer.state;
    result.rule = winner.decidesItself ? winner.rule.name : '';
    result.ruleOfStrategy = winner.rule.name;
    result.reason = winner.reason;
    result.predicate = observer.firstUnread(winner.reads) ?? observer.predicate;
    result.unseenTransition = observer.unseenTransition;
    result.drift = false;
    result.unread = this.timed?.clock.leavesOut ?? false;
    if (shielding !== null) shielding.attachAlternatives(result, winner);
    if (drift !== null) {
      result.drift = drift.alarm;
      if (drift.alarm && severity[drift.onDrift] > severity[result.decision]) {
        result.decision = drift.onDrift;
        result.action = null;
        result.rule = winner.rule.name;
        result.reason = 'drift';
      }
      if (drift.obeyed && severity[result.decision] > severity.report) drift.lose();
    }
    result.wouldDecide = result.decision;
    if (this.#hasShadow) this.#addShadow(result);
    if (shielding !== null) shielding.charge(result);
    this.wasSafe = this.asked.safe;
    this.#idled = this.asked.idle && severity[result.decision] <= severity.report;
    // The world goes on at once: earlier charges are final.
    if (this.#idled) shielding?.observe();
    const { reason } = result;
    if (observer.fault !== null || reason === 'untried-action' || reason === 'predicate-failed')
      this.counters.faults++;
    this.last = result;
    return result;
  }
}
