import { NotSupportedError } from '../../base/errors.js';
import type { Alphabet } from './alphabet.js';
import { codePointsOf } from './characterSet.js';
import { FALSE, type Machine, NONE, type Together, TRUE } from './machine.js';

/** Tables with more states are kept as they are: making them smaller takes longer than it saves. */
const MOST_STATES_TO_MERGE = 1000;

/** Most states of a table. */
export const MOST_TABLE_STATES = 200_000;

/** All states of a machine over the classes of an alphabet; state 0 is the start, and states are numbered breadth first. */
export interface Table {
  readonly alphabet: Alphabet;
  readonly states: number;
  /** The successor of state s under class c, at `s * alphabet.size + c`. */
  readonly next: Int32Array;
  /** As `Machine.outcomes`, for each state. */
  readonly outcomes: Int32Array;
  /** As `Machine.doubts`, for each state. */
  readonly doubts: Uint8Array;
  readonly through: string | undefined;
  readonly exactBelow: number;
  readonly together: Together;
}

/** One predicate, whose outcomes are bits. */
const ALONE: Together = {
  predicates: 1,
  of: (outcome) => [FALSE, TRUE, NONE].filter((bit) => (outcome & bit) !== 0).map((bit) => [bit]),
};

/**
 * Makes all states of a machine.
 *
 * @param alphabet tells apart at least the sets of the machine
 * @param count is told of each step, and may throw
 * @throws NotSupportedError for more than `MOST_TABLE_STATES` states
 */
export function tabulate(
  machine: Machine,
  alphabet: Alphabet,
  count: (steps: number) => void = () => {},
): Table {
  const numbers = new Map<number | string, number>([[machine.start, 0]]);
  const states: (number | string)[] = [machine.start];
  const next: number[] = [];
  for (let i = 0; i < states.length; i++) {
    count(alphabet.size);
    for (const codePoint of alphabet.representatives) {
      const to = machine.next(states[i], codePoint);
      let number = numbers.get(to);
      if (number === undefined) {
        number = states.push(to) - 1;
        numbers.set(to, number);
        if (number >= MOST_TABLE_STATES)
          throw new NotSupportedError(
            `a predicate over texts needs more than ${MOST_TABLE_STATES} states; shorten its pattern or its constants`,
          );
      }
      next.push(number);
    }
  }
  const table: Table = {
    alphabet,
    states: states.length,
    next: Int32Array.from(next),
    outcomes: Int32Array.from(states, (state) => machine.outcomes(state)),
    doubts: Uint8Array.from(states, (state) => (machine.doubts?.(state) === true ? 1 : 0)),
    through: machine.through,
    exactBelow: machine.exactBelow ?? Number.POSITIVE_INFINITY,
    together: machine.together ?? ALONE,
  };
  return states.length > MOST_STATES_TO_MERGE || machine.isSmall === true ? table : smallest(table);
}

/** The state in which a text ends. */
export function stateAfter(table: Table, text: string): number {
  let state = 0;
  for (const codePoint of codePointsOf(text))
    state = table.next[state * table.alphabet.size + table.alphabet.classOf(codePoint)];
  return state;
}

/**
 * The table with the fewest states that says the same of every text, by refinement of partitions: states stay together while their successors do.
 *
 * @see E. F. Moore, Gedanken-experiments on sequential machines, 1956
 */
export function smallest(table: Table): Table {
  const { alphabet, states, next, outcomes, doubts } = table;
  const { size } = alphabet;
  let [classOf, count] = numbered(states, (state) => outcomes[state] * 2 + doubts[state]);
  for (;;) {
    const before = classOf;
    const pair = new Map<number, number>();
    // One class after another is folded into the number of a state's signature, so that no signature is ever written out.
    let [own, distinct] = [classOf, count];
    for (let c = 0; c < size; c++) {
      pair.clear();
      const folded = new Int32Array(states);
      for (let state = 0; state < states; state++) {
        const key = own[state] * count + before[next[state * size + c]];
        let number = pair.get(key);
        if (number === undefined) {
          number = pair.size;
          pair.set(key, number);
        }
        folded[state] = number;
      }
      own = folded;
      distinct = pair.size;
    }
    if (distinct === count) return quotient(table, classOf, count);
    [classOf, count] = [own, distinct];
  }
}

function numbered(states: number, keyOf: (state: number) => number): [Int32Array, number] {
  const numbers = new Map<number, number>();
  const classOf = Int32Array.from({ length: states }, (_, state) => {
    const key = keyOf(state);
    if (!numbers.has(key)) numbers.set(key, numbers.size);
    return numbers.get(key)!;
  });
  return [classOf, numbers.size];
}

function quotient(table: Table, classOf: Int32Array, count: number): Table {
  const { alphabet, states, next, outcomes, doubts } = table;
  if (count === states) return table;
  const { size } = alphabet;
  const representative = new Int32Array(count);
  for (let state = states - 1; state >= 0; state--) representative[classOf[state]] = state;
  const numberOf = new Int32Array(count).fill(-1);
  const order = [classOf[0]];
  numberOf[classOf[0]] = 0;
  const successors: number[] = [];
  for (let i = 0; i < order.length; i++) {
    for (let c = 0; c < size; c++) {
      const to = classOf[next[representative[order[i]] * size + c]];
      if (numberOf[to] < 0) numberOf[to] = order.push(to) - 1;
      successors.push(numberOf[to]);
    }
  }
  return {
    ...table,
    states: order.length,
    next: Int32Array.from(successors),
    outcomes: Int32Array.from(order, (own) => outcomes[representative[own]]),
    doubts: Uint8Array.from(order, (own) => doubts[representative[own]]),
  };
}
