import { type Automaton, OPEN, SATISFIED, VIOLATED } from './automaton.js';
import { DecisionDiagram, leaf } from './decisionDiagram.js';

/** An automaton as it is drawn. Transition i is taken if predicate i holds, and none before it of the same state can be; where none can be taken, the state stays. */
export interface DrawnAutomaton {
  readonly states: readonly string[];
  readonly initial: string;
  /** States of which each trace that reaches them is bad. */
  readonly errors: readonly string[];
  readonly transitions: readonly { readonly from: string; readonly to: string }[];
}

/** The automaton of a drawn one: its predicate i is that of transition i. A trace is accepted unless it reaches an error. */
export function explicitAutomaton({ states, initial, errors, transitions }: DrawnAutomaton): Automaton {
  const order = [initial, ...states.filter((state) => state !== initial)];
  const number = new Map(order.map((state, i) => [state, i]));
  const isError = order.map((state) => errors.includes(state));
  const diagram = new DecisionDiagram();
  const roots = order.map((state, q) => {
    let root = leaf(q);
    if (isError[q]) return root;
    // The last transition is tried last, so it stands lowest in the diagram.
    for (let i = transitions.length - 1; i >= 0; i--)
      if (transitions[i].from === state)
        root = diagram.node(i, root, leaf(number.get(transitions[i].to) as number));
    return root;
  });
  const mayFail = reaching(
    order.length,
    isError,
    transitions.map(({ from, to }) => [number.get(from) as number, number.get(to) as number]),
  );
  return {
    predicates: transitions.map((_, i) => `${i}`),
    states: order.length,
    initial: 0,
    verdict: order.map((_, q) => (isError[q] ? VIOLATED : mayFail[q] ? OPEN : SATISFIED)),
    accepting: isError.map((error) => (error ? 0 : 1)),
    roots,
    nodes: diagram.nodes,
  };
}

/** For each state, whether an error can be reached. */
function reaching(
  states: number,
  isError: readonly boolean[],
  edges: readonly (readonly [number, number])[],
): boolean[] {
  const reached = [...isError];
  for (let round = 0, changed = true; changed && round <= states; round++) {
    changed = false;
    for (const [from, to] of edges)
      if (reached[to] && !reached[from]) {
        reached[from] = true;
        changed = true;
      }
  }
  return reached;
}
