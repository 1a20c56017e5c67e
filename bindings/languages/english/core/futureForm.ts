import type { Formula } from '../../logic/index.js';
import type { FretCell } from './cell.js';
import { type Duty, dutyOf, required } from './duty.js';
import { endpointsOf, leaves } from './endpoints.js';
import { and, binary, constant, implies, lastStep, not, or, steps, unary } from './trees.js';

/**
 * The meaning of a requirement on finite runs, with operators of the future: it holds at the first step of a run if the run satisfies the requirement.
 *
 * @throws InvalidArgumentError if the cell lacks a part that it needs
 * @source FRET 3.1 (NASA), "Generation of formal requirements from structured natural language" (Giannakopoulou et al., REFSQ 2020)
 */
export function fretFutureForm(cell: FretCell): Formula {
  const mode = cell.scope === 'null' ? constant(true) : required(cell, 'mode');
  const { end } = endpointsOf(cell.scope, mode);
  const body = atTriggers(cell, end, owed(dutyOf(cell), end));
  switch (cell.scope) {
    case 'null':
    case 'onlyAfter':
      return body;
    case 'before':
      return or(mode, body);
    case 'in':
      return atEachStart(mode, body);
    case 'notin':
    case 'onlyIn':
      return atEachStart(not(mode), body);
    case 'after': {
      const exit = leaves(mode);
      return binary('W', not(exit), and(exit, unary('X', body)));
    }
    case 'onlyBefore':
      return binary('W', not(mode), and(mode, body));
  }
}

function atEachStart(inside: Formula, body: Formula): Formula {
  const entered = implies(inside, body);
  return and(entered, unary('G', implies(not(inside), unary('WX', entered))));
}

/** At the first step of an interval: the duty holds at each of the interval's triggers. */
function atTriggers(cell: FretCell, end: Formula | null, duty: Formula): Formula {
  if (cell.condition === 'null') return duty;
  const trigger = required(cell, 'trigger');
  const here = implies(trigger, duty);
  if (cell.condition === 'holding') return through(end, here);
  const rises = implies(not(trigger), unary('WX', here));
  return and(here, end === null ? unary('G', rises) : binary('W', rises, end));
}

/** From here to the end of the interval, which it includes. */
function through(end: Formula | null, goal: Formula): Formula {
  return end === null ? unary('G', goal) : binary('R', end, goal);
}

function owed(duty: Duty, end: Formula | null): Formula {
  const { goal } = duty;
  switch (duty.kind) {
    case 'now':
      return goal;
    case 'next':
      return end === null ? unary('WX', goal) : or(end, unary('WX', goal));
    case 'atEnd':
      return through(end, implies(endOr(end), goal));
    case 'always':
      return through(end, goal);
    case 'some':
      return end === null ? unary('F', goal) : binary('U', not(end), goal);
    case 'for':
      return lasting(goal, duty.duration, end);
    case 'within':
      return onceWithin(goal, duty.duration, end);
    case 'after':
      return and(lasting(not(goal), duty.duration, end), onceWithin(goal, duty.duration + 1, end));
    case 'notAfter':
      return or(onceWithin(goal, duty.duration, end), lasting(not(goal), duty.duration + 1, end));
    case 'until':
      return end === null
        ? binary('W', goal, duty.stop)
        : binary('R', or(duty.stop, end), or(goal, duty.stop));
    case 'before':
      return binary('R', end === null ? goal : or(goal, end), not(duty.stop));
  }
}

function lasting(goal: Formula, duration: number, end: Formula | null): Formula {
  const window = unary('G', goal, steps(0, duration));
  return end === null ? window : or(window, through(end, goal));
}

/** Once in the next steps, or the interval ends before they are over. */
function onceWithin(goal: Formula, duration: number, end: Formula | null): Formula {
  const once = unary('F', goal, steps(0, duration));
  return duration === 0 ? goal : or(once, unary('F', endOr(end), steps(0, duration - 1)));
}

function endOr(end: Formula | null): Formula {
  return end === null ? lastStep() : or(end, lastStep());
}
