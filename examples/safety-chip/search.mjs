import { VIOLATED } from 'foreguard';
import { rooms } from './house.mjs';

/** States of house and automata that a search looks at before it gives up. */
const MOST = 200_000;

/** One bit a predicate, in the order of the rooms. */
const bitsOf = rooms.map((_, room) => Uint32Array.of(1 << room));

/** The states of the constraints' automata after a step in a room; null if one is violated. */
export function advance(constraints, states, room) {
  const next = new Array(states.length);
  for (let c = 0; c < states.length; c++) {
    const { automaton, stepper } = constraints[c];
    next[c] = stepper.step(states[c], bitsOf[room]);
    if (automaton.verdict[next[c]] === VIOLATED) return null;
  }
  return next;
}

const initial = (constraints) => constraints.map(({ automaton }) => automaton.initial);
const mayEnd = (constraints, states) => states.every((q, c) => constraints[c].automaton.accepting[q] === 1);

/**
 * A shortest way, as the nodes it comes through, to do the task and keep all constraints to the end of the run: the planner's actions with walks in between, by
 * breadth-first search over house and automata. Null if there is none; undefined if too many states had to be looked at.
 */
export function search(house, constraints) {
  const first = advance(constraints, initial(constraints), house.room(house.start));
  if (first === null) return null;
  const queue = [{ node: house.start, states: first, from: -1 }];
  const seen = new Set([keyOf(queue[0])]);
  for (let i = 0; i < queue.length; i++) {
    const { node, states } = queue[i];
    if (house.isDone(node) && mayEnd(constraints, states)) return wayTo(queue, i);
    for (const next of [house.planned(node), ...house.walks(node)]) {
      const after = next === null ? null : advance(constraints, states, house.room(next));
      if (after === null) continue;
      const entry = { node: next, states: after, from: i };
      const key = keyOf(entry);
      if (seen.has(key)) continue;
      if (seen.size === MOST) return undefined;
      seen.add(key);
      queue.push(entry);
    }
  }
  return null;
}

const keyOf = ({ node, states }) => `${node} ${states.join(' ')}`;

function wayTo(queue, last) {
  const way = [];
  for (let i = last; i >= 0; i = queue[i].from) way.push(queue[i].node);
  return way.reverse();
}

/** Whether the planner alone, told nothing, breaks a constraint on its way or by ending. */
export function isBrokenByPlan(house, constraints) {
  let states = initial(constraints);
  for (let node = house.start; ; ) {
    states = advance(constraints, states, house.room(node));
    if (states === null) return true;
    const next = house.planned(node);
    if (next === null) return !mayEnd(constraints, states);
    node = next;
  }
}

/**
 * A set of so many constraints, drawn one by one among those that leave a way to do the task, which the planner breaks. Null if `tries` orders gave none.
 *
 * @param random of the order
 */
export function drawSet(house, all, size, random, tries = 40) {
  for (let i = 0; i < tries; i++) {
    const drawn = [];
    for (const constraint of shuffled(all, random)) {
      if (drawn.length === size) break;
      if (search(house, [...drawn, constraint])) drawn.push(constraint);
    }
    if (drawn.length === size && isBrokenByPlan(house, drawn)) return drawn;
  }
  return null;
}

/** The same things in another order. */
export function shuffled(all, random) {
  const left = [...all];
  for (let i = left.length - 1; i > 0; i--) {
    const j = Math.floor(random.next() * (i + 1));
    [left[i], left[j]] = [left[j], left[i]];
  }
  return left;
}
