import { SATISFIED, VIOLATED } from '../../languages/automaton/index.js';
import type { Trace } from '../../observations/trace/index.js';
import { createGuardStep, type Guard, type GuardStep, type RuleStatus } from '../../runtime/guard/index.js';
import { DueTimes } from './dueTimes.js';
import { EventMonitor } from './eventMonitor.js';

/**
 * The verdict of a rule on a whole trace: `open` if it is unknown, because the trace was cut before the rule was decided, or steps that
 * could not be read may have decided it otherwise.
 */
export type Verdict = 'kept' | 'violated' | 'open';

/** A step as a rule reads it. */
export interface Moment {
  /** Its number in the recording; a held step has the number of the step that it repeats. */
  readonly step: number;
  /** Whether the step was not recorded: it was missing, and either repeats the previous step, or is unknown. */
  readonly held: boolean;
  /** Whether it is such a step of which nothing is known: nobody held it. Default false. */
  readonly unknown?: boolean;
  /** The number of steps that the rule reads before it, including held steps and unknown missing steps, but not steps left out. */
  readonly position: number;
  /** Time in seconds; for a held step its due time; NaN if unknown. */
  readonly time: number;
}

/** A step of a trace as a guard processed it. The object and its contents are reused at every step. */
export interface FollowedStep {
  /** Index in the trace, from 0. */
  index: number;
  readonly result: GuardStep;
  /** The step came early: the guard repeated its last decision and read nothing. */
  repeated: boolean;
  /** The number of steps that the rules read before this one; for an early step, before the last step that counted. */
  position: number;
  /** For each rule, the moment of its certain violation, or, for a PCTL rule, of its bounded event, counted from any step; null if there is none so far. */
  readonly violatedAt: (Moment | null)[];
}

/** The result of a trace after a guard has processed all of its steps. */
export interface FollowedTrace {
  /** The verdict of each rule. */
  readonly verdicts: readonly Verdict[];
  /** The last step that counts; null if there is none. */
  readonly last: Moment | null;
  /** Number of steps that the guard held. */
  readonly held: number;
  /** Indices of the steps that came early and were left out. */
  readonly leftOut: readonly number[];
}

/**
 * Runs a guard along a trace, from a fresh start.
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
  const readsEvents = events.some((event) => event !== null);
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
    // The drift test does not count across a gap, whether the guard or the recording's sampler held the missing steps.
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
    const heldAs = held > 0 && readsEvents ? guard.observed().heldAs : undefined;
    // An early step with a different action is decided anew.
    followed.repeated = early && guard.observed().call === 'repeat';
    followed.index = i;
    const { position } = followed;
    const repeatedStep = last?.step ?? 0;
    // An early step has the number of the step before it.
    const now: Moment = {
      step: early ? repeatedStep : i,
      held: false,
      position,
      time: step.time ?? Number.NaN,
    };
    const heldBefore = (ago: number): Moment => ({
      step: repeatedStep,
      held: true,
      unknown: held === 0,
      position: position - ago,
      time: due.before(ago),
    });
    guard.rules.forEach((status, r) => {
      const event = events[r];
      if (!early) event?.observe(guard.observation, held, missing, heldAs);
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

/** The place, among the steps that the rules have read, of the step that violated rule number r; null if none did. */
function decidedAt({ history }: Guard, { violated }: RuleStatus, r: number): number | null {
  if (!violated) return null;
  const at = history.decidedAt(r);
  return at < 0 ? history.length - 1 : at;
}

function verdictOf(certain: number): Verdict {
  return certain === VIOLATED ? 'violated' : certain === SATISFIED ? 'kept' : 'open';
}
