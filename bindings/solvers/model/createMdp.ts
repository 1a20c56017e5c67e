import { checkDescriptions } from './checkDescriptions.js';
import { checkDistributions, statesOf } from './checkRows.js';
import type { Mdp } from './mdp.js';

/** The parts of a decision process; the number of states follows from `rowGroupStart`. */
export type MdpParts = Omit<Mdp, 'type' | 'states'>;

/**
 * Checks the parts of a Markov decision process and makes a process of them.
 *
 * Shapes: `rowGroupStart` Uint32Array(states + 1), every state with at least one row; the rest as for `createDtmc`, with one
 * row per choice. Rewards and annotations of choices, and actions, have one entry per row. The arrays are kept, not copied: do
 * not change them afterwards.
 *
 * @returns the process, sharing the arrays of `parts`
 * @throws InvalidModelError naming state and choice, and the sum if a row does not sum to 1
 */
export function createMdp(parts: MdpParts): Mdp {
  const states = statesOf(parts);
  checkDistributions(parts);
  checkDescriptions(parts, { states, choices: parts.rowStart.length - 1, branches: parts.columns.length });
  return { ...parts, type: 'mdp', states };
}
