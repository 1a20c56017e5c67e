import { checkDescriptions } from './checkDescriptions.js';
import { checkIntervals, type RowLayout, statesOf } from './checkRows.js';
import type { IntervalDtmc, IntervalMdp } from './interval.js';

/** What an interval chain is made of; the number of states follows from `rowStart`. */
export type IntervalDtmcParts = Omit<IntervalDtmc, 'type' | 'states'>;

/** What an interval decision process is made of; the number of states follows from `rowGroupStart`. */
export type IntervalMdpParts = Omit<IntervalMdp, 'type' | 'states'>;

/**
 * Makes an interval Markov chain of its parts, after checking them: 0 <= lower <= upper <= 1 and upper > 0 for every
 * transition, and some distribution between the bounds of every row (within 1e-9). Shapes are as for `createDtmc`; the arrays are
 * kept, not copied.
 *
 * @throws InvalidModelError naming the state, and both sums where no distribution lies between the bounds
 */
export function createIntervalDtmc(parts: IntervalDtmcParts): IntervalDtmc {
  return { ...parts, type: 'idtmc', states: checked(parts) };
}

/**
 * Makes an interval Markov decision process of its parts, after checking them as `createIntervalDtmc` does, with rows grouped
 * as for `createMdp`.
 *
 * @throws InvalidModelError naming state and choice, and both sums where no distribution lies between the bounds
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
