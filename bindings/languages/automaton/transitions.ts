import { type DecisionDiagram, leaf } from './decisionDiagram.js';

/** A deterministic automaton under construction; state 0 is initial, and leaf q of a root is "go to state q". */
export interface Transitions {
  readonly diagram: DecisionDiagram;
  /** Per state. */
  readonly roots: readonly number[];
  /** Per state 1 where a trace that ends there is accepted. */
  readonly accepting: Uint8Array;
}

/** Whether nothing that follows changes any more whether the trace is accepted, as far as the state's own transitions tell. */
export function isDecided({ roots }: Transitions, state: number): boolean {
  return roots[state] === leaf(state);
}
