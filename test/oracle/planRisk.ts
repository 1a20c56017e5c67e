import type { Trace } from '../../bindings/observations/trace/index.js';
import { max, Rational } from './rational.js';

/*
 * The risk of a plan by its definition: a game over the sequences of calls that the plan may make. Data choose the next call, as some sequence goes on; frequencies of the traces, counted here, choose the state
 * that follows.
 */

/** A state as it is observed after a call, or before the first; null: the recordings end. */
export type Seen = string | null;

/** What may come next, with probabilities; null: nothing is known. */
export type Chances = readonly (readonly [next: Seen, probability: Rational])[] | null;

export interface SmallModel {
  /** What is observed before the first call; null: the first call gives the first observation. */
  readonly first: Chances;
  readonly after: (state: Seen | undefined, call: string) => Chances;
}

const share = (counts: ReadonlyMap<Seen, number>): Chances => {
  const sum = [...counts.values()].reduce((a, b) => a + b, 0);
  if (sum === 0) return null;
  return [...counts].map(([next, n]) => [next, new Rational(BigInt(n), BigInt(sum))] as const);
};

class Table {
  readonly rows = new Map<string, Map<Seen, number>>();
  add(row: string, next: Seen): void {
    const counts = this.rows.get(row) ?? new Map<Seen, number>();
    this.rows.set(row, counts.set(next, (counts.get(next) ?? 0) + 1));
  }
}

/** What calls lead to, by what they led to in traces. @param stateOf a state as it is observed @param callOf a call as the model tells it from others */
export function countedDecisions(
  traces: readonly Trace[],
  stateOf: (step: Trace['steps'][number]) => string,
  callOf: (step: Trace['steps'][number]) => string,
): SmallModel {
  const table = new Table();
  const first = new Map<Seen, number>();
  for (const { steps, complete } of traces) {
    const states = steps.map(stateOf);
    first.set(states[0], (first.get(states[0]) ?? 0) + 1);
    steps.forEach((step, i) => {
      const isLast = i === steps.length - 1;
      if (!isLast || complete) table.add(`${states[i]} ${callOf(step)}`, isLast ? null : states[i + 1]);
    });
  }
  return {
    first: share(first),
    after: (state, call) =>
      state === null ? null : share(table.rows.get(`${state} ${call}`) ?? new Map<Seen, number>()),
  };
}

/** How the agent of the traces goes on with a call, if what is observed at a step has the call in it. */
export function countedSteps(
  traces: readonly Trace[],
  stateOf: (step: Trace['steps'][number]) => string,
  isOf: (state: string, call: string) => boolean,
): SmallModel {
  const table = new Table();
  for (const { steps } of traces) {
    let before = 'start';
    for (const step of steps) {
      table.add(before, stateOf(step));
      before = stateOf(step);
    }
  }
  return {
    first: null,
    after: (state, call) => {
      const row = table.rows.get(state ?? 'start') ?? new Map<Seen, number>();
      return share(new Map([...row].filter(([next]) => next !== null && isOf(next, call))));
    },
  };
}

/** What has become of a rule when these states were observed, and what becomes of it if the run ends there. */
export interface SmallRule {
  readonly so: (seen: readonly string[]) => 'broken' | 'kept' | 'open';
  readonly breaksAtEnd: (seen: readonly string[]) => boolean;
}

/** A call of a step, as the model tells it from others. */
export interface SmallCalled {
  readonly step: string;
  readonly call: string;
}

/** What each outcome is worth. */
interface Worth {
  readonly broken: number;
  readonly kept: number;
  readonly unknown: number;
}

const rational = (value: number) => new Rational(BigInt(value));

/** The greatest mean worth, whichever of the sequences data choose. */
export function greatest(
  sequences: readonly (readonly SmallCalled[])[],
  { first, after }: SmallModel,
  rule: SmallRule,
  worth: Worth,
): Rational {
  const value = (
    left: readonly (readonly SmallCalled[])[],
    state: Seen | undefined,
    seen: readonly string[],
  ): Rational => {
    const so = rule.so(seen);
    if (so !== 'open') return rational(worth[so]);
    const ways = new Map<string, (readonly SmallCalled[])[]>();
    let best: Rational | null = null;
    const offer = (one: Rational) => {
      best = best === null ? one : max(best, one);
    };
    for (const sequence of left) {
      if (sequence.length === 0) offer(rational(rule.breaksAtEnd(seen) ? worth.broken : worth.kept));
      else {
        const key = JSON.stringify(sequence[0]);
        ways.set(key, [...(ways.get(key) ?? []), sequence]);
      }
    }
    for (const same of ways.values()) {
      const rest = same.map((sequence) => sequence.slice(1));
      offer(mean(after(state, same[0][0].call), rest, seen));
    }
    return best as unknown as Rational;
  };
  const mean = (
    chances: Chances,
    rest: readonly (readonly SmallCalled[])[],
    seen: readonly string[],
  ): Rational => {
    if (chances === null) return rational(worth.unknown);
    return chances
      .map(([next, p]) => p.times(value(rest, next, next === null ? seen : [...seen, next])))
      .reduce((a, b) => a.plus(b));
  };
  return first === null ? value(sequences, undefined, []) : mean(first, sequences, []);
}
