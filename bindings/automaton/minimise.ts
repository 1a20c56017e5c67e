import type { LetterAutomaton } from './letterAutomaton.js';

/**
 * The smallest automaton with the same language, by partition refinement. A verdict is a property of the language left
 * from a state, so equal states have equal verdicts.
 *
 * O(letters * states * log states): only the smaller half of a split class is looked at again.
 *
 * @see J. Hopcroft, An n log n algorithm for minimizing states in a finite automaton, 1971
 */
export function minimise(automaton: LetterAutomaton): LetterAutomaton {
  const { states, letters, next } = automaton;
  const { start, predecessors } = reverse(automaton);
  const partition = new Partition(automaton.accepting);
  const pending: number[] = Array.from({ length: partition.count }, (_, c) => c);
  while (pending.length > 0) {
    const splitter = partition.members(pending.pop() as number);
    for (let letter = 0; letter < letters; letter++) {
      const sources: number[] = [];
      for (const state of splitter) {
        for (let i = start[letter * states + state]; i < start[letter * states + state + 1]; i++) {
          sources.push(predecessors[i]);
        }
      }
      // A class that is split while it waits has both its halves waiting; of any other the smaller half is enough.
      // The old number stays with the larger half, and re-queueing the new one covers both cases.
      partition.split(sources, (created) => pending.push(created));
    }
  }
  const classOf = partition.classOf;
  const result = new Int32Array(partition.count * letters);
  const accepting = new Uint8Array(partition.count);
  for (let state = 0; state < states; state++) {
    accepting[classOf[state]] = automaton.accepting[state];
    for (let letter = 0; letter < letters; letter++) {
      result[classOf[state] * letters + letter] = classOf[next[state * letters + letter]];
    }
  }
  return swapFirst({ states: partition.count, letters, next: result, accepting }, classOf[0]);
}

/** Predecessors of state s under letter a are entries start[a * states + s] to the next start. */
function reverse({ states, letters, next }: LetterAutomaton): {
  start: Int32Array;
  predecessors: Int32Array;
} {
  const start = new Int32Array(states * letters + 1);
  for (let i = 0; i < next.length; i++) start[(i % letters) * states + next[i] + 1]++;
  for (let i = 1; i < start.length; i++) start[i] += start[i - 1];
  const fill = start.slice();
  const predecessors = new Int32Array(next.length);
  for (let i = 0; i < next.length; i++) {
    predecessors[fill[(i % letters) * states + next[i]]++] = Math.floor(i / letters);
  }
  return { start, predecessors };
}

/** Classes of states; the states of a class lie side by side in `order`, so that a split is a few swaps. */
class Partition {
  count = 0;
  readonly classOf: Int32Array;
  private readonly order: Int32Array;
  private readonly position: Int32Array;
  private readonly first: number[] = [];
  private readonly size: number[] = [];
  private readonly marked: number[] = [];

  constructor(accepting: Uint8Array) {
    const states = accepting.length;
    this.classOf = new Int32Array(states);
    this.position = new Int32Array(states);
    const all = Array.from({ length: states }, (_, state) => state);
    this.order = Int32Array.from([
      ...all.filter((state) => !accepting[state]),
      ...all.filter((state) => accepting[state]),
    ]);
    this.order.forEach((state, i) => {
      this.position[state] = i;
    });
    const rejecting = states - accepting.reduce((sum, accepts) => sum + accepts, 0);
    if (rejecting > 0) this.add(0, rejecting);
    if (rejecting < states) this.add(rejecting, states - rejecting);
  }

  members(index: number): number[] {
    return Array.from(this.order.subarray(this.first[index], this.first[index] + this.size[index]));
  }

  /** Splits every class into the states in `selection` (each listed once) and the others; reports the new, smaller halves. */
  split(selection: readonly number[], onSplit: (created: number) => void): void {
    const touched: number[] = [];
    for (const state of selection) {
      const index = this.classOf[state];
      if (this.marked[index]++ === 0) touched.push(index);
      this.swap(this.position[state], this.first[index] + this.marked[index] - 1);
    }
    for (const index of touched) {
      const marked = this.marked[index];
      this.marked[index] = 0;
      const first = this.first[index];
      const rest = this.size[index] - marked;
      if (rest === 0) continue;
      if (marked <= rest) {
        this.first[index] = first + marked;
        this.size[index] = rest;
        onSplit(this.add(first, marked));
      } else {
        this.size[index] = marked;
        onSplit(this.add(first + marked, rest));
      }
    }
  }

  private add(first: number, size: number): number {
    const index = this.count++;
    this.first[index] = first;
    this.size[index] = size;
    this.marked[index] = 0;
    for (let i = first; i < first + size; i++) this.classOf[this.order[i]] = index;
    return index;
  }

  private swap(i: number, j: number): void {
    const a = this.order[i];
    const b = this.order[j];
    this.order[i] = b;
    this.order[j] = a;
    this.position[b] = i;
    this.position[a] = j;
  }
}

/** Renumbers so that `initial` is state 0. */
function swapFirst(automaton: LetterAutomaton, initial: number): LetterAutomaton {
  const { letters } = automaton;
  const renamed = (state: number): number => (state === initial ? 0 : state === 0 ? initial : state);
  const next = new Int32Array(automaton.next.length);
  const accepting = new Uint8Array(automaton.states);
  for (let state = 0; state < automaton.states; state++) {
    accepting[renamed(state)] = automaton.accepting[state];
    for (let letter = 0; letter < letters; letter++) {
      next[renamed(state) * letters + letter] = renamed(automaton.next[state * letters + letter]);
    }
  }
  return { ...automaton, next, accepting };
}
