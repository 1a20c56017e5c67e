import type { EvaluationContext } from '../../languages/expression/runtime/index.js';
import type { Decider, State } from './decider.js';
import type { GuardFile } from './guardFile.js';
import { copyGuardStep, type GuardStep } from './guardStep.js';
import type { PendingCalls } from './pendingCalls.js';
import { isStepCall, type RecordedStep } from './recordedStep.js';
import { StepClock } from './stepClock.js';

/**
 * What a decider does about time if steps have a sampling period: observations before their time do not count, and missing steps are held, skipped or a fault.
 */
export class TimedSteps {
  readonly clock: StepClock;
  readonly #decider: Decider;

  constructor(file: GuardFile, decider: Decider) {
    this.clock = new StepClock(file);
    this.#decider = decider;
  }

  /**
   * Whether a state is a step by its time alone: one whose time has come is, even if it reads as the last one; with `resample: hold` or `skip`, one before its
   * time is not. Null if time does not decide. Changes nothing.
   */
  isStep(context: EvaluationContext): boolean | null {
    const { clock } = this;
    const hasCome = clock.hasCome(context);
    return hasCome === true || (hasCome === false && clock.resamples) ? hasCome : null;
  }

  /** As `Decider.unreadFor`. */
  unreadFor(state: State, context: EvaluationContext): number {
    const { clock } = this;
    const { observer } = this.#decider;
    if (!clock.resamples || clock.hasCome(context) !== false || observer.isSame(state, context)) return 0;
    return clock.dueIn(context);
  }

  /** Takes a state in which an action is proposed; returns whether it counts. Also detects a clock that stands still. */
  takes(context: EvaluationContext, isStep: boolean): boolean {
    const { clock } = this;
    const counts = isStep || (clock.resamples && clock.hasCome(context) === false);
    if (!counts) clock.wasAsked = false;
    return counts && this.#isDue(context);
  }

  /** Whether an observation counts; if it does, the rules first read the previous one again for each held step. */
  #isDue(context: EvaluationContext): boolean {
    const { clock } = this;
    const { asked, counters, drift, observer } = this.#decider;
    asked.clear();
    const due = clock.due(context);
    if (due === 0) {
      counters.earlyObservations++;
      return false;
    }
    observer.irregular = clock.irregular;
    asked.lost = observer.lost = clock.lost;
    if (clock.skipped) drift?.lose();
    this.#decider.standIfUndone();
    if (due > 1) {
      counters.heldSteps += due - 1;
      asked.held = (due - 1) | 0; // A small integer is stored without allocating.
      observer.beginHeld();
      for (let held = 1; held < due; held++) {
        observer.hold(clock.dueOf(held));
        this.#hold();
      }
    }
    return true;
  }

  /** The rules read the last observation again, as that of a held step. */
  #hold(): void {
    const { drift, observer, rules } = this.#decider;
    drift?.lose();
    rules.read(observer);
  }

  /**
   * Answers an observation before its time, which does not count; null if it counts. Another action there is decided on in the state that counted last. If predicates read actions
   * and the action of the counted step has run, the new action is decided as one more step that is not kept: a later action does not undo an earlier one.
   */
  answerEarly<T extends GuardStep>(
    state: State,
    context: EvaluationContext,
    pending: PendingCalls,
    result: T,
  ): T | null {
    if (this.#isDue(context)) return null;
    const decider = this.#decider;
    const { asked, observer, shielding, wasSafe } = decider;
    const isSafe = decider.safeTools.isProposed(context);
    if (!observer.readsAction) {
      const asks = isSafe !== wasSafe || shielding?.isProposed(context) === true;
      return asks ? decider.reconsider(state, context, pending, result) : this.#repeat(result);
    }
    const isSame = isSafe === wasSafe && observer.isSameAction(state, context);
    // The last decision may concern another early action, which is not kept.
    if (isSame && asked.earlier.length === 0) return this.#repeat(result);
    if (!isSame && asked.isUndone) return decider.reconsider(state, context, pending, result);
    const counted = observer.readings();
    asked.begin('propose');
    asked.safe = isSafe;
    asked.clear();
    if (shielding !== null) shielding.ask(context, pending);
    if (!isSame) {
      asked.earlier = [counted];
      observer.observe(state, context, true);
    }
    return decider.takeAgain(result);
  }

  /** Repeats the last decision. */
  #repeat<T extends GuardStep>(result: T): T {
    const decider = this.#decider;
    decider.asked.begin('repeat');
    if (decider.last !== null) copyGuardStep(decider.last, result);
    result.unread = true;
    decider.last = result;
    return result;
  }

  /** Sets the clock to the time of a recorded question, and holds steps again. Answers one about an observation before its time; null if it counts. */
  recall<T extends GuardStep>(observed: RecordedStep, result: T): T | null {
    const { asked, drift } = this.#decider;
    const isStep = isStepCall(observed);
    // Records of earlier releases have no times.
    this.clock.recall(observed, isStep);
    if (isStep && this.clock.skipped) drift?.lose();
    if (observed.call === 'repeat') return this.#repeat(result);
    asked.stood = null;
    if (!isStep) return null;
    this.#decider.standAgain(observed);
    this.#holdAgain(observed);
    return null;
  }

  /** The rules read the recorded step before a step again, once for each step that was missing. */
  #holdAgain({ held, heldAs }: RecordedStep): void {
    const { observer } = this.#decider;
    if (held <= 0) return;
    observer.beginHeld();
    for (let i = 0; i < held; i++) {
      observer.holdRecorded(heldAs?.[i]);
      this.#hold();
    }
  }
}
