import { Abstraction } from '../../../bindings/abstraction/index.js';
import { Counter, HistoryCounts } from '../../../bindings/learning/index.js';
import { Random } from '../../../bindings/random.js';
import type { Trace } from '../../../bindings/trace/index.js';

/** Draws the next letter, or null for the end, after the letters so far. */
export type Agent = (before: readonly string[], random: Random) => string | null;

export const letters = (names: string): Abstraction =>
  new Abstraction({ predicates: [...names].map((name) => ({ name, expression: `x == "${name}"` })) });

/** Runs of an agent: `{ x: letter }`, cut after `steps`. */
export function runsOf(agent: Agent, runs: number, seed: number, steps = 200): Trace[] {
  return Array.from({ length: runs }, (_, i) => {
    const random = new Random(seed, i);
    const word: string[] = [];
    let next: string | null = null;
    do {
      next = agent(word, random);
      if (next !== null) word.push(next);
    } while (next !== null && word.length < steps);
    return { id: `${i}`, complete: next === null, steps: word.map((x) => ({ state: { x } })) };
  });
}

export function historyOf(abstraction: Abstraction, traces: Iterable<Trace>): HistoryCounts {
  const counter = new Counter(abstraction);
  const history = new HistoryCounts(counter);
  for (const trace of traces) counter.add(trace);
  return history;
}

/** A first-order agent: from each letter, and `^` for the start, the next letters with their weights; `.` ends. */
export function markov(rows: Readonly<Record<string, Readonly<Record<string, number>>>>): Agent {
  return (word, random) => {
    const row = Object.entries(rows[word.at(-1) ?? '^']);
    let u = random.next() * row.reduce((sum, [, weight]) => sum + weight, 0);
    const [drawn] = row.find(([, weight]) => (u -= weight) < 0) ?? row[0];
    return drawn === '.' ? null : drawn;
  };
}
