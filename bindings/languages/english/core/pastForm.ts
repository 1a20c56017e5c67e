import type { Formula } from '../../logic/index.js';
import type { FretCell } from './cell.js';
import { type Duty, dutyOf, required } from './duty.js';
import { endpointsOf, first, hasLeft } from './endpoints.js';
import { and, binary, constant, firstStep, implies, not, or, steps, unary } from './trees.js';

/**
 * The same meaning with operators of the past: it holds at the last step of a run if the run satisfies the requirement.
 *
 * @throws InvalidArgumentError if the cell lacks a part that it needs
 * @source see `fretFutureForm`
 */
export function fretPastForm(cell: FretCell): Formula {
  const mode = cell.scope === 'null' ? constant(true) : required(cell, 'mode');
  const { start } = endpointsOf(cell.scope, mode);
  const body = settled(dutyOf(cell), triggersOf(cell, start));
  switch (cell.scope) {
    case 'null':
      return body;
    case 'before':
      return and(
        unary('H', implies(and(first(mode), not(firstStep())), unary('Y', body))),
        implies(unary('H', not(mode)), body),
      );
    case 'in':
      return atEachEnd(mode, body);
    case 'notin':
    case 'onlyIn':
      return atEachEnd(not(mode), body);
    case 'after':
    case 'onlyBefore':
      return implies(unary('O', start as Formula), body);
    case 'onlyAfter': {
      const left = hasLeft(mode);
      return and(unary('H', implies(first(left), unary('Y', body))), implies(unary('H', not(left)), body));
    }
  }
}

function atEachEnd(inside: Formula, body: Formula): Formula {
  return and(unary('H', implies(hasLeft(inside), unary('Y', body))), implies(inside, body));
}

/** The triggers of an interval, seen from a later step of it. */
interface Triggers {
  /** The interval begins here. */
  readonly start: Formula;
  readonly trigger: Formula;
  /** No step of the interval so far was a trigger. */
  readonly none: Formula;
  /** Whether the goal has held at every step of the interval so far. */
  readonly throughout: (goal: Formula) => Formula;
}

function triggersOf(cell: FretCell, start: Formula | null): Triggers {
  const throughout = (goal: Formula): Formula =>
    start === null ? unary('H', goal) : binary('S', goal, and(goal, start));
  const begin = start ?? firstStep();
  if (cell.condition === 'null') return { start: begin, trigger: begin, none: constant(false), throughout };
  const condition = required(cell, 'trigger');
  const rises = start === null ? unary('WY', not(condition)) : or(start, unary('Y', not(condition)));
  const trigger = cell.condition === 'holding' ? condition : and(condition, rises);
  return { start: begin, trigger, none: throughout(not(condition)), throughout };
}

/** At the last step of an interval: what its triggers asked for has been done. */
function settled(duty: Duty, { start, trigger, none, throughout }: Triggers): Formula {
  const { goal } = duty;
  // "Since a trigger" may look behind the start of the interval; it is asked only where the interval itself has a trigger, which then lies nearer.
  const never = binary('S', not(goal), and(not(goal), trigger));
  const lasted = (target: Formula, duration: number): Formula =>
    throughout(implies(unary('O', trigger, steps(0, duration)), or(none, target)));
  const expired = (target: Formula, duration: number): Formula => {
    if (duration === 0) return throughout(implies(trigger, target));
    const unmet = unary('O', and(trigger, not(target)), steps(duration, duration));
    return throughout(implies(unmet, unary('O', or(start, target), steps(0, duration - 1))));
  };
  switch (duty.kind) {
    case 'now':
      return throughout(implies(trigger, goal));
    case 'next':
      return throughout(implies(unary('Y', trigger), or(goal, start)));
    case 'atEnd':
      return or(none, goal);
    case 'always':
      return throughout(or(none, goal));
    case 'some':
      return or(none, not(never));
    case 'for':
      return lasted(goal, duty.duration);
    case 'within':
      return expired(goal, duty.duration);
    case 'after':
      return and(lasted(not(goal), duty.duration), expired(goal, duty.duration + 1));
    case 'notAfter': {
      const { duration } = duty;
      const due = and(unary('O', trigger, steps(duration + 1, duration + 1)), goal);
      const excused = or(unary('O', start, steps(0, duration)), unary('O', goal, steps(1, duration + 1)));
      return throughout(implies(due, excused));
    }
    case 'until': {
      const { stop } = duty;
      const running = binary('S', not(stop), and(not(stop), trigger));
      return throughout(implies(running, or(none, goal)));
    }
    case 'before': {
      const met = and(not(trigger), unary('Y', not(never)));
      return throughout(implies(duty.stop, or(none, met)));
    }
  }
}
