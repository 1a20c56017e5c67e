import type { Guard, RuleStatus } from '../guard/index.js';
import type { Trace } from '../trace/index.js';
import { EventWatch } from './eventWatch.js';

/**
 * Takes a guard along a trace, from a fresh start.
 *
 * @param visit called for every rule after every step; `violated`: the rule is broken by then, or, of a PCTL rule, what it
 * bounds has happened, counted from any step so far
 * @returns the number of steps with a fault, and which rules are broken when the trace has ended, not at all if it was cut
 */
export function followTrace(
  guard: Guard,
  { steps, complete = true }: Trace,
  visit: (rule: number, step: number, status: RuleStatus, violated: boolean) => void,
): { unknown: number; violatedAtEnd: boolean[] } {
  guard.reset();
  const predicates = guard.file.predicates.map(({ name }) => name);
  const events = guard.file.rules.map(({ monitor }) =>
    monitor ? new EventWatch(monitor, predicates) : null,
  );
  let unknown = 0;
  steps.forEach((step, i) => {
    const { heldSteps, earlyObservations } = guard.counters;
    guard.step(step.state, step);
    const held = guard.counters.heldSteps - heldSteps;
    const early = guard.counters.earlyObservations > earlyObservations;
    if (guard.observation.fault !== null && !early) unknown++;
    guard.rules.forEach((status, r) => {
      const event = events[r];
      if (!early) event?.observe(guard.observation, held);
      visit(r, i, status, event === null ? status.violated : event.happened);
    });
  });
  const violatedAtEnd = guard.rules.map(
    (status, r) => complete && (events[r]?.happensAtEnd() ?? status.violatedAtEnd),
  );
  return { unknown, violatedAtEnd };
}
