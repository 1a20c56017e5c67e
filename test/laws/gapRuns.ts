import type { Random } from '../../bindings/base/random.js';
import type { Step, Trace } from '../../bindings/observations/trace/index.js';
import { below } from './actionWorlds.js';

/** A value of the list, drawn at random. */
export const pick = <T>(random: Random, values: readonly T[]): T => values[below(random, values.length)];

/** Steps with times: a gap has a number of missing steps, or nobody knows how many (`some`), or nor where (`anywhere`). */
export interface Run {
  readonly trace: Trace;
  readonly valuations: readonly number[];
  /** Per step what is missing before it; `early`: it may be none itself. */
  readonly missing: readonly (number | 'some' | 'anywhere' | 'early')[];
}

/** A run over the predicates a and b, with times in periods of a second, and at most one gap. */
export function runOf(random: Random, resample: 'error' | 'hold' | 'skip', id: string): Run {
  const valuations: number[] = [];
  const missing: Run['missing'][number][] = [];
  const steps: Step[] = [];
  let time = 10;
  let gaps = 1;
  const add = (lost: Run['missing'][number], told: unknown): void => {
    const valuation = below(random, 4);
    valuations.push(valuation);
    missing.push(lost);
    const state = { a: (valuation & 1) === 1, b: (valuation & 2) === 2 };
    steps.push({ state, ...(told !== undefined && { time: told as number }) });
  };
  add(0, time);
  let left = 1;
  for (let i = 1 + below(random, 5); i > 0; i--) {
    const chance = left > 0 ? random.next() : 1;
    if (chance < 0.3 && resample === 'error') {
      const count = 1 + below(random, 3);
      time += count + gaps;
      add(gaps > 1 ? 'anywhere' : count, time);
      [gaps, left] = [1, left - 1];
    } else if (chance < 0.5) {
      const ahead = resample !== 'error' || random.next() < 0.5;
      time += ahead ? 200 + gaps : -200;
      add(gaps > 1 ? 'anywhere' : 'some', time);
      [gaps, left] = [1, left - 1];
    } else if (chance > 0.8 && resample === 'error' && gaps === 1) {
      time += 0.3;
      add('early', time);
    } else if (chance > 0.75) {
      add(0, undefined);
      gaps++;
    } else {
      time += gaps;
      gaps = 1;
      add(0, time);
    }
  }
  return { trace: { id, complete: random.next() < 0.7, steps }, valuations, missing };
}

/** Every way in which the steps may have been; of those missing, nobody knows how many, up to five. */
export function fillings({ valuations, missing, trace }: Run): number[][] {
  const words = (length: number): number[][] =>
    length === 0 ? [[]] : words(length - 1).flatMap((word) => [0, 1, 2, 3].map((v) => [...word, v]));
  const upToFive = [0, 1, 2, 3, 4, 5].flatMap(words);
  return valuations.reduce<number[][]>(
    (before, v, i) => {
      const lost = missing[i];
      if (lost === 0) return before.map((word) => [...word, v]);
      if (lost === 'early') return before.flatMap((word) => [word, [...word, v]]);
      if (lost !== 'anywhere')
        return before.flatMap((word) =>
          (lost === 'some' ? upToFive : words(lost)).map((gap) => [...word, ...gap, v]),
        );
      // Behind the last step that has a time, or any that has none.
      let untimed = 0;
      while (trace.steps[i - 1 - untimed].time === undefined) untimed++;
      return before.flatMap((word) =>
        Array.from({ length: untimed + 1 }, (_, back) => word.length - back).flatMap((at) =>
          [0, 1, 2, 3].flatMap(words).map((gap) => [...word.slice(0, at), ...gap, ...word.slice(at), v]),
        ),
      );
    },
    [[]],
  );
}

/** Whether an observation that came too early breaks a rule both as a step and in place of the one before: then it is broken for certain. */
export function breaksEarly(run: Run, isBroken: (word: readonly number[]) => boolean): boolean {
  return run.missing.some((lost, i) => {
    if (lost !== 'early') return false;
    const [valuations, missing] = [run.valuations.slice(0, i), run.missing.slice(0, i)];
    const v = run.valuations[i];
    return fillings({ ...run, valuations, missing }).every(
      (word) => isBroken([...word, v]) && isBroken([...word.slice(0, -1), v]),
    );
  });
}
