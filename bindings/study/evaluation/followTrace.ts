import { SATISFIED, VIOLATED } from '../../languages/automaton/index.js';
import type { Trace } from '../../observations/trace/index.js';
import { createGuardStep, type Guard, type GuardStep, type RuleStatus } from '../../runtime/guard/index.js';
import { DueTimes } from './dueTimes.js';
import { EventMonitor } from './eventMonitor.js';

/**
 * How a rule stands on a whole trace: `open` where that is not known, since the trace was cut before the rule was decided, or steps that could
 * not be read may have decided it otherwise.
 */
export type Verdict = 'kept' | 'violated' | 'open';

/** A step as a rule reads it. */
export interface Moment {
  /** Its number in the recording; one that is held has the number of the step that it repeats. */
  readonly step: number;
  /** Nobody recorded it: it was missing, and is the step before it again, or nothing is known of it. */
  readonly held: boolean;
  /** How many steps the rule reads before it, those held included, and those missing of which nothing is known but their number; those left out not. */
  readonly position: number;
  /** In seconds, of a step that is held when it was due; NaN where it is not known. */
  readonly time: number;
}

/** A step of a trace, as a guard took it. The object and what it holds are the same at every step. */
export interface FollowedStep {
  /** Of the trace, from 0. */
  index: number;
  readonly result: GuardStep;
  /** The step came before its time: the guard gave its last decision again, and read nothing. */
  repeated: boolean;
  /** How many steps the rules read before this one; of one that comes before its time, before the last that counted. */
  position: number;
  /** By rule, where it was broken for certain, or, of a PCTL rule, what it bounds happened, counted from any step; null where it was not by now. */
  readonly violatedAt: (Moment | null)[];
}

/** What is known of a trace once a guard has taken all of its steps. */
export interface FollowedTrace {
  /** By rule. */
  readonly verdicts: readonly Verdict[];
  /** The last step that counts; null where there is none. */
  readonly last: Moment | null;
  /** Steps that the guard held. */
  readonly held: number;
  /** Numbers of the steps that came before their time, and were left out. */
  readonly leftOut: readonly number[];
}

/**
 * Takes a guard along a trace, from a fresh start.
 *
 * @param visit called after every step
 */
export function followTrace(
  guard: Guard,
  { steps, complete = true }: Trace,
  visit: (step: FollowedStep) => void,
): FollowedTrace {
  guard.reset();
  const predicates = guard.file.predicates.map(({ name }) => name);
  const events = guard.file.rules.map(({ monitor }) =>
    monitor ? new EventMonitor(monitor, predicates) : null,
  );
  const due = new DueTimes(guard.file);
  const heldAtFirst = guard.counters.heldSteps;
  const leftOut: number[] = [];
  let last: Moment | null = null;
  const followed: FollowedStep = {
    index: 0,
    result: createGuardStep(),
    repeated: false,
    position: -1,
    violatedAt: guard.rules.map(() => null),
  };
  steps.forEach((step, i) => {
    const { heldSteps, earlyObservations } = guard.counters;
    // Drift counts nothing across a gap, whether the guard holds the steps that are missing or what sampled the recording did.
    if (step.held === true) guard.drift?.lose();
    guard.stepInto(step.state, step, followed.result);
    if (step.held === true) guard.drift?.lose();
    due.take(step.time);
    const held = guard.counters.heldSteps - heldSteps;
    const early = guard.counters.earlyObservations > earlyObservations;
    if (early) leftOut.push(i);
    const before = followed.position;
    followed.position = guard.history.length - 1;
    const missing = followed.position - before - held - 1;
    // Another action before its time is decided on anew.
    followed.repeated = early && guard.observed().call === 'repeat';
    followed.index = i;
    const { position } = followed;
    const repeatedStep = last?.step ?? 0;
    // One that comes before its time has the number of the one before it.
    const now: Moment = {
      step: early ? repeatedStep : i,
      held: false,
      position,
      time: step.time ?? Number.NaN,
    };
    const heldBefore = (ago: number): Moment => ({
      step: repeatedStep,
      held: true,
      position: position - ago,
      time: due.before(ago),
    });
    guard.rules.forEach((status, r) => {
      const event = events[r];
      if (!early) event?.observe(guard.observation, held, missing);
      if (followed.violatedAt[r] !== null) return;
      const at = event === null ? decidedAt(guard, status, r) : event.happenedAt;
      if (at !== null) followed.violatedAt[r] = at < position ? heldBefore(position - at) : now;
    });
    if (!early) last = now;
    visit(followed);
  });
  return {
    verdicts: guard.rules.map((status, r): Verdict => {
      if (followed.violatedAt[r] !== null) return 'violated';
      const event = events[r];
      if (event !== null) return complete ? event.verdictAtEnd() : 'open';
      return verdictOf(complete ? status.verdictAtEnd : status.verdict);
    }),
    last,
    held: guard.counters.heldSteps - heldAtFirst,
    leftOut,
  };
}

/** The place, among the steps that the rules have read, of the one that violated rule number r; null where none did. */
function decidedAt({ history }: Guard, { violated }: RuleStatus, r: number): number | null {
  if (!violated) return null;
  const at = history.decidedAt(r);
  return at < 0 ? history.length - 1 : at;
}

function verdictOf(certain: number): Verdict {
  return certain === VIOLATED ? 'violated' : certain === SATISFIED ? 'kept' : 'open';
}
