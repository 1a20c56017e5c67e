import { InvalidArgumentError } from '../errors.js';
import type { EvaluationContext } from '../expression/index.js';
import { DriftWatch } from './drift.js';
import { describeDrift, describeStep, reflectionMessage } from './explain.js';
import type { GuardFile } from './guardFile.js';
import { createGuardStep, type GuardStep } from './guardStep.js';
import { History } from './history.js';
import { type Observation, Observer } from './observer.js';
import { type RuleStatus, RuleWatch } from './ruleWatch.js';
import { severity } from './strategy.js';

const NO_CONTEXT: EvaluationContext = {};

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
  #step = -1;
  /** The observation at hand belongs to this result. */
  #last: GuardStep | null = null;

  /** @internal Use `loadGuard` or `createGuard`, which check the file first. */
  constructor(file: GuardFile) {
    this.file = file;
    this.#observer = new Observer(file);
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
    this.history.reset();
    this.drift?.begin();
    for (const watch of this.#watches) watch.reset();
  }

  /**
   * Decides on one observation of the agent's world.
   *
   * @param state the observed state; whatever it holds or lacks, this does not throw.
   * @param context time in seconds and the action about to be taken, where predicates or the sampling period use them; a step
   * of a trace will do.
   * @returns a new object; where the observation comes before its time and `resample` is not `error`, the last decision again, with the
   * number of its step; see `stepInto` for a form that allocates nothing.
   */
  step(state: Readonly<Record<string, unknown>>, context: EvaluationContext = NO_CONTEXT): GuardStep {
    return this.stepInto(state, context, createGuardStep());
  }

  /** As `step`, but overwrites `result` (made by `createGuardStep`) and returns it: nothing is allocated. */
  stepInto<T extends GuardStep>(
    state: Readonly<Record<string, unknown>>,
    context: EvaluationContext,
    result: T,
  ): T {
    const observer = this.#observer;
    const watches = this.#watches;
    if (observer.timed && !this.#isDue(context ?? NO_CONTEXT)) return this.#repeat(result);
    observer.observe(state, context ?? NO_CONTEXT);
    this.#step++;
    this.counters.steps++;
    if (observer.fault !== null) this.counters.faults++;
    if (observer.unseenTransition) this.counters.unseenTransitions++;
    this.history.record(observer);
    const drift = this.drift;
    if (drift !== null) drift.read(observer);

    let winner = watches[0];
    let allAllow = true;
    for (let r = 0; r < watches.length; r++) {
      const watch = watches[r];
      watch.read(observer);
      watch.decide(observer);
      this.history.follow(r, watch.automatonState, watch.verdict);
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
    if (drift !== null) {
      result.drift = drift.alarm;
      if (drift.alarm && severity[drift.onDrift] > severity[result.decision]) {
        result.decision = drift.onDrift;
        result.action = null;
        result.reason = 'drift';
      }
      if (drift.obeyed && severity[result.decision] > severity.report) drift.lose();
    }
    this.#last = result;
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
