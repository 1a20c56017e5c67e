/** Verdict of an automaton state: `violated` has no good continuation, `satisfied` no bad one, `open` both. */
export const OPEN = 0;
/** No continuation is good. See `OPEN`. */
export const VIOLATED = 1;
/** No continuation is bad. See `OPEN`. */
export const SATISFIED = 2;

/**
 * A deterministic automaton that reads one valuation of predicates a step.
 *
 * Transitions are symbolic: a decision diagram shared by all states, so that its size follows the formula and not 2^k.
 * `roots[q]` is where state q starts; a reference r >= 0 is node r of `nodes`, and a reference r < 0 is the leaf
 * "go to state -r - 1". Node n is the triple nodes[3n] = predicate (an index into `predicates`), nodes[3n + 1] = reference
 * if it is false, nodes[3n + 2] = reference if it is true. Predicates ascend along every path.
 *
 * Plain data: it is stored in guard.json as it stands.
 */
export interface Automaton {
  readonly predicates: readonly string[];
  readonly states: number;
  readonly initial: number;
  /** One of OPEN, VIOLATED, SATISFIED for each state; the last two are absorbing. */
  readonly verdict: ArrayLike<number>;
  /** 1 where the trace would satisfy the formula if it ended here. */
  readonly accepting: ArrayLike<number>;
  readonly roots: ArrayLike<number>;
  readonly nodes: ArrayLike<number>;
}
