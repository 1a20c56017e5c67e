import { NotSupportedError } from '../errors.js';

/**
 * A deterministic automaton over a few letters. Of a rule over two Boolean formulas p and q only their truth values
 * matter: letter p + 2q, whatever number of predicates they read. State 0 is initial.
 */
export interface LetterAutomaton {
  readonly states: number;
  readonly letters: number;
  /** Int32Array(states * letters): successor of state s under letter a at s * letters + a. */
  readonly next: Int32Array;
  /** Uint8Array(states). */
  readonly accepting: Uint8Array;
}

const LETTERS = 4;
const MAX_STATES = 1_000_000;

function allocate(states: number): { next: Int32Array; accepting: Uint8Array } {
  if (states > MAX_STATES) {
    throw new NotSupportedError(
      `the automaton would have ${states} states, above ${MAX_STATES}: shorten the window, or sample less often`,
    );
  }
  return { next: new Int32Array(states * LETTERS), accepting: new Uint8Array(states) };
}

/**
 * `p U[from, to] q`: state i < deadline has read i valuations without a decision, all of them with p; then the two
 * absorbing states. An unbounded until waits at `from`.
 */
export function untilAutomaton(from: number, to: number | null): LetterAutomaton {
  const waiting = (to ?? from) + 1;
  const fulfilled = waiting;
  const failed = waiting + 1;
  const { next, accepting } = allocate(waiting + 2);
  for (let i = 0; i < waiting; i++) {
    const later = i + 1 < waiting ? i + 1 : to === null ? i : failed;
    for (let letter = 0; letter < LETTERS; letter++) {
      const p = (letter & 1) === 1;
      const q = letter >= 2;
      next[i * LETTERS + letter] = q && i >= from ? fulfilled : p ? later : failed;
    }
  }
  next.fill(fulfilled, fulfilled * LETTERS, failed * LETTERS);
  next.fill(failed, failed * LETTERS);
  accepting[fulfilled] = 1;
  return { states: waiting + 2, letters: LETTERS, next, accepting };
}

/**
 * `G(p -> F[0, deadline] q)`: idle (0), then wait(r) with r further positions left in which q may come (state r), then
 * violated. The oldest open obligation has the earliest deadline and one q meets them all, so it alone is kept. Without a
 * deadline one waiting state is enough.
 */
export function responseAutomaton(deadline: number | null): LetterAutomaton {
  const waits = deadline ?? 1;
  const violated = waits + 1;
  const { next, accepting } = allocate(waits + 2);
  for (let state = 0; state < violated; state++) {
    for (let letter = 0; letter < LETTERS; letter++) {
      const triggered = state > 0 || (letter & 1) === 1;
      // wait(deadline) after the trigger itself; one position fewer after each further one.
      const left = deadline === null ? 1 : state === 0 ? deadline : state - 1;
      const met = letter >= 2 || !triggered;
      next[state * LETTERS + letter] = met ? 0 : left === 0 ? violated : left;
    }
  }
  next.fill(violated, violated * LETTERS);
  accepting[0] = 1;
  return { states: waits + 2, letters: LETTERS, next, accepting };
}

/** The automaton of the negation. */
export function complement(automaton: LetterAutomaton): LetterAutomaton {
  return { ...automaton, accepting: automaton.accepting.map((accepts) => 1 - accepts) };
}

/** The part that can be reached from state 0, over the letters listed only, in breadth-first order. */
export function restrict(automaton: LetterAutomaton, letters: readonly number[]): LetterAutomaton {
  const { states, next, accepting } = automaton;
  const numberOf = new Int32Array(states).fill(-1);
  const order = [0];
  numberOf[0] = 0;
  for (let i = 0; i < order.length; i++) {
    for (const letter of letters) {
      const successor = next[order[i] * automaton.letters + letter];
      if (numberOf[successor] < 0) {
        numberOf[successor] = order.length;
        order.push(successor);
      }
    }
  }
  const kept = new Int32Array(order.length * letters.length);
  order.forEach((state, i) => {
    letters.forEach((letter, a) => {
      kept[i * letters.length + a] = numberOf[next[state * automaton.letters + letter]];
    });
  });
  return {
    states: order.length,
    letters: letters.length,
    next: kept,
    accepting: Uint8Array.from(order, (state) => accepting[state]),
  };
}
