import { type DecisionDiagram, leaf } from './decisionDiagram.js';

/** A deterministic automaton under construction; state 0 is initial, and leaf q means "go to state q". */
export interface Transitions {
  readonly diagram: DecisionDiagram;
  /** For each state, the root of its transitions. */
  readonly roots: readonly number[];
  /** For each state, 1 if a trace that ends there is accepted. */
  readonly accepting: Uint8Array;
}

/** Whether a state is decided, judged by its own transitions only: every valuation leads back to it. */
export function isDecided({ roots }: Transitions, state: number): boolean {
  return roots[state] === leaf(state);
}
