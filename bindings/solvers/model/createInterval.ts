import { checkDescriptions } from './checkDescriptions.js';
import { checkIntervals, type RowLayout, statesOf } from './checkRows.js';
import type { IntervalDtmc, IntervalMdp } from './interval.js';

/** The parts of an interval chain; the number of states follows from `rowStart`. */
export type IntervalDtmcParts = Omit<IntervalDtmc, 'type' | 'states'>;

/** The parts of an interval decision process; the number of states follows from `rowGroupStart`. */
export type IntervalMdpParts = Omit<IntervalMdp, 'type' | 'states'>;

/**
 * Checks the parts of an interval Markov chain and makes a chain of them: 0 <= lower <= upper <= 1 and upper > 0 for every
 * transition, and some distribution between the bounds of every row (within 1e-9). Shapes are as for `createDtmc`; the arrays
 * are kept, not copied.
 *
 * @throws InvalidModelError naming the state, and both sums if no distribution lies between the bounds
 */
export function createIntervalDtmc(parts: IntervalDtmcParts): IntervalDtmc {
  return { ...parts, type: 'idtmc', states: checked(parts) };
}

/**
 * Checks the parts of an interval Markov decision process, as `createIntervalDtmc` does, and makes a process of them. Rows are
 * grouped as for `createMdp`.
 *
 * @throws InvalidModelError naming state and choice, and both sums if no distribution lies between the bounds
 */
export function createIntervalMdp(parts: IntervalMdpParts): IntervalMdp {
  return { ...parts, type: 'imdp', states: checked(parts) };
}

function checked(parts: RowLayout & (IntervalDtmcParts | IntervalMdpParts)): number {
  const states = statesOf(parts);
  checkIntervals(parts);
  checkDescriptions(parts, { states, choices: parts.rowStart.length - 1, branches: parts.columns.length });
  return states;
}
