import { createGuardStep, type Guard, type GuardStep } from '../guard/index.js';
import type { Trace } from '../trace/index.js';
import { EventWatch } from './eventWatch.js';

/** A step of a trace, as a guard took it. The object and what it holds are the same at every step. */
export interface FollowedStep {
  /** Of the trace, from 0. */
  index: number;
  readonly result: GuardStep;
  /** The step came before its time: the guard gave its last decision again, and read nothing. */
  repeated: boolean;
  /** By rule: it is broken by now, or, of a PCTL rule, what it bounds has happened, counted from any step so far. */
  readonly violated: boolean[];
}

/**
 * Takes a guard along a trace, from a fresh start.
 *
 * @param visit called after every step
 * @returns which rules are broken when the trace has ended, not at all if it was cut
 */
export function followTrace(
  guard: Guard,
  { steps, complete = true }: Trace,
  visit: (step: FollowedStep) => void,
): boolean[] {
  guard.reset();
  const predicates = guard.file.predicates.map(({ name }) => name);
  const events = guard.file.rules.map(({ monitor }) =>
    monitor ? new EventWatch(monitor, predicates) : null,
  );
  const followed: FollowedStep = {
    index: 0,
    result: createGuardStep(),
    repeated: false,
    violated: guard.rules.map(() => false),
  };
  steps.forEach((step, i) => {
    const { heldSteps, earlyObservations } = guard.counters;
    guard.stepInto(step.state, step, followed.result);
    const held = guard.counters.heldSteps - heldSteps;
    const early = guard.counters.earlyObservations > earlyObservations;
    // Another action before its time is decided on anew.
    followed.repeated = early && guard.observed().call === 'repeat';
    followed.index = i;
    guard.rules.forEach((status, r) => {
      const event = events[r];
      if (!early) event?.observe(guard.observation, held);
      followed.violated[r] = event === null ? status.violated : event.happened;
    });
    visit(followed);
  });
  return guard.rules.map((status, r) => complete && (events[r]?.happensAtEnd() ?? status.violatedAtEnd));
}
