/** Verdict of an automaton state: `violated` means no good continuation, `satisfied` no bad one, `open` that both kinds exist. */
export const OPEN = 0;
/** No continuation is good. See `OPEN`. */
export const VIOLATED = 1;
/** No continuation is bad. See `OPEN`. */
export const SATISFIED = 2;

/**
 * A deterministic automaton that reads one valuation of predicates per step.
 *
 * Transitions are symbolic: all states share a decision diagram, whose size depends on the formula and not on 2^k. `roots[q]` is the root
 * of state q; a reference r >= 0 is node r of `nodes`, and a reference r < 0 is the leaf "go to state -r - 1". Node n is the triple
 * nodes[3n] = predicate (an index into `predicates`), nodes[3n + 1] = reference if it is false, nodes[3n + 2] = reference if it is true.
 * Predicates ascend along every path.
 *
 * Plain data, stored unchanged in guard.json.
 */
export interface Automaton {
  readonly predicates: readonly string[];
  readonly states: number;
  readonly initial: number;
  /** One of OPEN, VIOLATED, SATISFIED for each state; the last two are absorbing. */
  readonly verdict: ArrayLike<number>;
  /** For each state, 1 if a trace that ends there satisfies the formula. */
  readonly accepting: ArrayLike<number>;
  readonly roots: ArrayLike<number>;
  readonly nodes: ArrayLike<number>;
}
