import { PairTable } from '../../base/pairTable.js';
import { contentOf, DecisionDiagram, Substitution } from './decisionDiagram.js';
import type { Transitions } from './transitions.js';

/**
 * Computes the smallest automaton with the same language by partition refinement. Two states stay in one class while their transitions lead
 * to the same classes under every valuation, which is one comparison of two references. Only states whose successors have moved to a new
 * class are examined again, and the largest piece of a class that splits keeps its number, so each transition is examined O(log states)
 * times. States are numbered breadth first.
 *
 * @see J. Hopcroft, An n log n algorithm for minimizing states in a finite automaton, 1971; D'Antoni, Veanes (2014),
 * doi:10.1145/2535838.2535849
 */
export function minimise(automaton: Transitions): Transitions {
  const classOf = refine(automaton);
  const representative = new Int32Array(classOf.length);
  for (const [state, own] of classOf.entries()) representative[own] = state;
  // States are numbered as they are reached from the initial state; a representative's successors stand for those of its class.
  const numberOf = new Int32Array(classOf.length).fill(-1);
  const order: number[] = [];
  const visit = (own: number): number => {
    if (numberOf[own] < 0) numberOf[own] = order.push(own) - 1;
    return numberOf[own];
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
  const predecessors = new Predecessors(automaton);
  const classOf = byDistances(automaton, predecessors);
  const sizes: number[] = [];
  for (const own of classOf) sizes[own] = (sizes[own] ?? 0) + 1;
  /** For each class, its states, and possibly some that have left it. */
  const members: number[][] = sizes.map(() => []);
  for (const [state, own] of classOf.entries()) members[own].push(state);
  const toClass = new Substitution(automaton.diagram, new DecisionDiagram(), (state) => classOf[state]);
  const queued = new Uint8Array(classOf.length);
  let stale: readonly number[] = [...classOf.keys()];
  for (;;) {
    const moved: number[] = [];
    // A state alone in its class stays there.
    const doubtful = stale.filter((state) => sizes[classOf[state]] > 1);
    for (const pieces of piecesOf(automaton, doubtful, classOf, toClass)) {
      const own = classOf[pieces[0][0]];
      const looked = pieces.reduce((sum, piece) => sum + piece.length, 0);
      const largest = pieces.reduce((best, piece) => (piece.length > best.length ? piece : best));
      // The states that were not examined also belong together: none of them has a successor that moved, whereas all others do.
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
    const next: number[] = [];
    for (const state of moved) {
      for (let i = predecessors.start[state]; i < predecessors.start[state + 1]; i++) {
        const before = predecessors.states[i];
        if (queued[before] === 0) next.push(before);
        queued[before] = 1;
      }
    }
    for (const state of next) queued[state] = 0;
    stale = next;
  }
}

/** For every state q, its predecessors under some valuation: entries `start[q]` to `start[q + 1]` of `states`. */
class Predecessors {
  readonly start: Int32Array;
  readonly states: Int32Array;

  constructor({ diagram: { nodes }, roots }: Transitions) {
    const from: number[] = [];
    const to: number[] = [];
    /** The state that last visited a node, and a leaf. */
    const visitor = new Int32Array(nodes.length / 3).fill(-1);
    const caller = new Int32Array(roots.length).fill(-1);
    const pending: number[] = [];
    for (let state = 0; state < roots.length; state++) {
      pending.push(roots[state]);
      for (let reference = pending.pop(); reference !== undefined; reference = pending.pop()) {
        if (reference < 0) {
          const successor = contentOf(reference);
          if (caller[successor] === state) continue;
          caller[successor] = state;
          from.push(state);
          to.push(successor);
        } else if (visitor[reference] !== state) {
          visitor[reference] = state;
          pending.push(nodes[3 * reference + 1], nodes[3 * reference + 2]);
        }
      }
    }
    this.start = new Int32Array(roots.length + 1);
    this.states = new Int32Array(to.length);
    for (const q of to) this.start[q + 1]++;
    for (let q = 0; q < roots.length; q++) this.start[q + 1] += this.start[q];
    const place = this.start.slice();
    for (let i = 0; i < to.length; i++) this.states[place[to[i]]++] = from[i];
  }
}

/**
 * The initial partition: by whether a state accepts, and by its distances to acceptance, to rejection, and to the states that cannot reach
 * one of them. States with the same language agree in all of these, and states that count down a deadline, which refinement would split one
 * step per round, are separated at once.
 */
function byDistances({ accepting }: Transitions, predecessors: Predecessors): Int32Array {
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

/** Steps from each state to the nearest one that `isTarget`; -1 if none is reachable. */
function distances({ start, states }: Predecessors, isTarget: (state: number) => boolean): Int32Array {
  const distance = new Int32Array(start.length - 1).map((_, state) => (isTarget(state) ? 0 : -1));
  const reached = [...distance.keys()].filter((state) => distance[state] === 0);
  // The list grows during the iteration.
  for (const state of reached) {
    for (let i = start[state]; i < start[state + 1]; i++) {
      if (distance[states[i]] >= 0) continue;
      distance[states[i]] = distance[state] + 1;
      reached.push(states[i]);
    }
  }
  return distance;
}

/** For every class with states to examine, these states, grouped by the classes that they lead to. */
function piecesOf(
  { roots }: Transitions,
  states: readonly number[],
  classOf: Int32Array,
  toClass: Substitution,
): Iterable<number[][]> {
  toClass.forget();
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
