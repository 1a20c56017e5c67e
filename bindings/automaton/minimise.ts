import { DecisionDiagram, Substitution } from './decisionDiagram.js';
import { PairTable } from './pairTable.js';
import { successorsOf, type Transitions } from './transitions.js';

/**
 * The smallest automaton with the same language, by refining a partition of the states: two of them stay together while their
 * transitions lead to the same classes under every valuation, which is one comparison of two references. Only states whose successors
 * have moved to a new class are looked at again, and of a class that falls apart the largest piece keeps its name, so that
 * each transition is looked at O(log states) times. States are numbered breadth first.
 *
 * @see J. Hopcroft, An n log n algorithm for minimizing states in a finite automaton, 1971; D'Antoni, Veanes (2014),
 * doi:10.1145/2535838.2535849
 */
export function minimise(automaton: Transitions): Transitions {
  const classOf = refine(automaton);
  const representative: number[] = [];
  classOf.forEach((own, state) => {
    representative[own] ??= state;
  });
  // Numbered as they are reached from the initial state; a representative's successors stand for those of its class.
  const numberOf = new Map<number, number>();
  const order: number[] = [];
  const visit = (own: number): number => {
    let number = numberOf.get(own);
    if (number === undefined) {
      number = order.push(own) - 1;
      numberOf.set(own, number);
    }
    return number;
  };
  visit(classOf[0]);
  const diagram = new DecisionDiagram();
  const toClass = new Substitution(automaton.diagram, diagram, (state) => visit(classOf[state]));
  const roots: number[] = [];
  for (let i = 0; i < order.length; i++) roots.push(toClass.of(automaton.roots[representative[order[i]]]));
  return {
    diagram,
    roots,
    accepting: Uint8Array.from(order, (own) => automaton.accepting[representative[own]]),
  };
}

/** The class of each state; classes are numbered from 0. */
function refine(automaton: Transitions): Int32Array {
  const states = automaton.roots.length;
  const predecessors: number[][] = Array.from({ length: states }, () => []);
  for (let state = 0; state < states; state++) {
    for (const successor of successorsOf(automaton, state)) predecessors[successor].push(state);
  }
  const classOf = byDistances(automaton, predecessors);
  const sizes: number[] = [];
  for (const own of classOf) sizes[own] = (sizes[own] ?? 0) + 1;
  /** Per class its states, and perhaps some that have left it. */
  const members: number[][] = sizes.map(() => []);
  for (const [state, own] of classOf.entries()) members[own].push(state);
  const diagram = new DecisionDiagram();
  let stale: Iterable<number> = classOf.keys();
  for (;;) {
    const moved: number[] = [];
    for (const pieces of piecesOf(automaton, stale, classOf, diagram)) {
      const own = classOf[pieces[0][0]];
      const looked = pieces.reduce((sum, piece) => sum + piece.length, 0);
      const largest = pieces.reduce((best, piece) => (piece.length > best.length ? piece : best));
      // The states that were not looked at belong together too: none of them has a successor that moved, all others have.
      const rest = sizes[own] - looked;
      const leaving = rest >= largest.length ? pieces : pieces.filter((piece) => piece !== largest);
      if (rest > 0 && rest < largest.length) {
        const found = new Set(pieces.flat());
        leaving.push(members[own].filter((state) => classOf[state] === own && !found.has(state)));
        members[own] = largest;
      }
      for (const piece of leaving) {
        const created = members.push(piece) - 1;
        sizes.push(piece.length);
        sizes[own] -= piece.length;
        for (const state of piece) {
          classOf[state] = created;
          moved.push(state);
        }
      }
    }
    if (moved.length === 0) return classOf;
    const next = new Set<number>();
    for (const state of moved) for (const before of predecessors[state]) next.add(before);
    stale = next;
  }
}

/**
 * A first partition: by whether a state accepts, and by how many steps away are acceptance, rejection, and the states from which
 * there is no way to either. States with one language agree in all four, and deadlines, which otherwise fall apart one step a round, are
 * told apart at once.
 */
function byDistances({ accepting }: Transitions, predecessors: readonly (readonly number[])[]): Int32Array {
  const toAccepting = distances(predecessors, (state) => accepting[state] === 1);
  const toRejecting = distances(predecessors, (state) => accepting[state] === 0);
  const toViolated = distances(predecessors, (state) => toAccepting[state] < 0);
  const toSatisfied = distances(predecessors, (state) => toRejecting[state] < 0);
  const fates = new PairTable();
  const deadlines = new PairTable();
  const classes = new PairTable();
  return accepting.reduce((classOf, _, state) => {
    const fate = fates.add(toAccepting[state], toRejecting[state]);
    classOf[state] = classes.add(fate, deadlines.add(toViolated[state], toSatisfied[state]));
    return classOf;
  }, new Int32Array(accepting.length));
}

/** Steps from each state to the nearest one that `isTarget`, -1 where there is no way. */
function distances(
  predecessors: readonly (readonly number[])[],
  isTarget: (state: number) => boolean,
): Int32Array {
  const distance = Int32Array.from(predecessors, (_, state) => (isTarget(state) ? 0 : -1));
  const reached = [...distance.keys()].filter((state) => distance[state] === 0);
  // The list grows while it is gone through.
  for (const state of reached) {
    for (const before of predecessors[state]) {
      if (distance[before] >= 0) continue;
      distance[before] = distance[state] + 1;
      reached.push(before);
    }
  }
  return distance;
}

/** For every class that has states to be looked at: these, grouped by where they lead to. */
function piecesOf(
  { diagram, roots }: Transitions,
  states: Iterable<number>,
  classOf: Int32Array,
  target: DecisionDiagram,
): Iterable<number[][]> {
  const toClass = new Substitution(diagram, target, (state) => classOf[state]);
  const groups = new Map<number, Map<number, number[]>>();
  for (const state of states) {
    let group = groups.get(classOf[state]);
    if (group === undefined) groups.set(classOf[state], (group = new Map()));
    const signature = toClass.of(roots[state]);
    const piece = group.get(signature);
    if (piece === undefined) group.set(signature, [state]);
    else piece.push(state);
  }
  return [...groups.values()].map((group) => [...group.values()]);
}
