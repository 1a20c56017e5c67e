import { checkDescriptions, checkLength } from './checkDescriptions.js';
import { checkDistributions, statesOf } from './checkRows.js';
import type { Dtmc } from './dtmc.js';

/** The parts of a chain; the number of states follows from `rowStart`. */
export type DtmcParts = Omit<Dtmc, 'type' | 'states'>;

/**
 * Checks the parts of a discrete-time Markov chain and makes a chain of them.
 *
 * Shapes: `rowStart` Uint32Array(states + 1), `columns` Uint32Array and `values` Float64Array with one entry per transition,
 * columns ascending within a row. Probabilities lie in (0, 1] and each row sums to 1 within 1e-9; states in `unknown` have
 * an empty row instead. `initial` ascends and may be empty. Labels, rewards, annotations and valuations have one entry per
 * state or per transition. The arrays are kept, not copied: do not change them afterwards.
 *
 * @returns the chain, sharing the arrays of `parts`
 * @throws InvalidModelError naming the state, and the sum if a row does not sum to 1
 */
export function createDtmc(parts: DtmcParts): Dtmc {
  const { unknown } = parts;
  const states = statesOf(parts);
  if (unknown) checkLength('the set of unknown states', unknown.size, states, 'states');
  checkDistributions(parts, unknown);
  checkDescriptions(parts, { states, choices: states, branches: parts.columns.length });
  return { ...parts, type: 'dtmc', states };
}
