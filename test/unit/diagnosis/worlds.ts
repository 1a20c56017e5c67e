import { Random } from '../../../bindings/base/random.js';
import { Counter, HistoryCounts } from '../../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import type { Trace } from '../../../bindings/observations/trace/index.js';

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

/** What is known of a driver in a hidden mode, and what means nothing. */
export interface HiddenMode {
  /** Fields of every step that tell the mode. */
  readonly told: boolean;
  /** Fields drawn once a run, and as many drawn at every step, that have to do with nothing. */
  readonly noise: number;
}

/**
 * An agent in one of two modes, which the letters do not show: at each a, hurrying goes on to c with 0.8, else with 0.2, or to b; both lead back to a, c sometimes to
 * d, which is broken. A mode lasts for the whole run.
 */
export function hiddenMode(runs: number, seed: number, { told, noise }: HiddenMode): Trace[] {
  return Array.from({ length: runs }, (_, i) => {
    const random = new Random(seed, i);
    const hurry = random.chance(0.5);
    const constant = Array.from({ length: noise }, () => random.chance(0.5));
    const steps: { state: Record<string, unknown> }[] = [];
    let x = 'a';
    while (x !== '.' && steps.length < 200) {
      steps.push({
        state: {
          x,
          ...(told && { speed: hurry ? 5 + 5 * random.next() : 6 * random.next() }),
          ...Object.fromEntries(constant.map((value, k) => [`run${k}`, value])),
          ...Object.fromEntries(constant.map((_, k) => [`step${k}`, random.next()])),
        },
      });
      if (x === 'a') x = random.chance(0.15) ? '.' : random.chance(hurry ? 0.8 : 0.2) ? 'c' : 'b';
      else if (x === 'b') x = 'a';
      else if (x === 'c') x = random.chance(0.15) ? 'd' : 'a';
      else x = '.';
    }
    return { id: `${i}`, steps };
  });
}
