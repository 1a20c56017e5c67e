import type { DrawnRows } from '../../../bindings/estimation/pac/index.js';
import { rowsOf } from '../../../bindings/estimation/pac/problem.js';
import type { KnownChain } from './sampledRows.js';

/** A decision process known entirely: per state the rows of its actions. State 0 is the start, the last one the end. */
export type KnownMdp = readonly KnownChain[];

/** Which action is taken, from the run so far: its states, the last one at hand, and what was chosen in those before. */
export type Agent = (states: readonly number[], chosen: readonly number[]) => number;

/** An action of a state, and what it led to. */
interface Draw {
  readonly action: number;
  readonly outcomes: number[];
}

/** Runs of an agent from the start to the end, cut after `steps`, as rows of draws. */
export function sampleDecisions(
  mdp: KnownMdp,
  runs: number,
  random: () => number,
  agent: Agent,
  { known = false, steps = 100 }: { known?: boolean; steps?: number } = {},
): DrawnRows & { readonly rowGroupStart: Uint32Array; readonly actions: readonly (number | null)[] } {
  const end = mdp.length - 1;
  const drawn: Draw[][] = mdp.map(() => []);
  const order: Draw[] = [];
  for (let run = 0; run < runs; run++) {
    const states = [0];
    const chosen: number[] = [];
    for (let step = 0; states[step] !== end && step < steps; step++) {
      const s = states[step];
      const action = s === 0 ? 0 : agent(states, chosen);
      let draw = drawn[s].find((one) => one.action === action);
      if (draw === undefined) {
        draw = { action, outcomes: [] };
        drawn[s].push(draw);
        order.push(draw);
      }
      let u = random();
      const row = mdp[s][action];
      const t = (row.find(([, p]) => (u -= p) < 0) ?? row[row.length - 1])[0];
      draw.outcomes.push(t);
      chosen.push(action);
      states.push(t);
    }
  }
  const rows = drawn.flatMap((draws, s) =>
    (draws.length > 0 ? draws : [undefined]).map((draw) => rowOf(draw, known ? mdp[s].flat() : [])),
  );
  const starts = (sizes: readonly number[]): Uint32Array =>
    Uint32Array.from(
      [0, ...sizes].map(
        (
          (sum) => (size: number) =>
            (sum += size)
        )(0),
      ),
    );
  const per = (value: (draw: Draw) => number): Float64Array =>
    Float64Array.from(drawn.flatMap((draws) => (draws.length > 0 ? draws.map(value) : [0])));
  return {
    rowGroupStart: starts(drawn.map((draws) => Math.max(1, draws.length))),
    rowStart: starts(rows.map(({ length }) => length)),
    columns: Uint32Array.from(rows.flat().map(([t]) => t)),
    counts: Float64Array.from(rows.flat().map(([, count]) => count)),
    firstDraws: Float64Array.from(rows.flat().map(([, , first]) => first)),
    draws: per(({ outcomes }) => outcomes.length),
    drawsSinceNew: per(({ outcomes }) => {
      const firsts = [...new Set(outcomes)].map((t) => outcomes.indexOf(t) + 1);
      return outcomes.length - Math.max(...firsts);
    }),
    rank: per((draw) => order.indexOf(draw) + 1),
    known,
    actions: drawn.flatMap((draws) => (draws.length > 0 ? draws.map(({ action }) => action) : [null])),
  };
}

/** Target, count and first draw of each successor seen, and of those possible. */
function rowOf(
  draw: Draw | undefined,
  possible: readonly (readonly [number, number])[],
): (readonly [number, number, number])[] {
  const outcomes = draw?.outcomes ?? [];
  return [...new Set([...outcomes, ...possible.map(([t]) => t)])]
    .sort((a, b) => a - b)
    .map((t) => [t, outcomes.filter((one) => one === t).length, outcomes.indexOf(t) + 1] as const);
}

/** A random process of n states with up to `actions` actions each, between start and end. */
export function randomMdp(n: number, actions: number, random: () => number): KnownMdp {
  const end = n + 1;
  const row = (s: number): KnownChain[number] => {
    const targets = new Set<number>();
    const width = 1 + Math.floor(random() * 3);
    while (targets.size < Math.min(width, n)) targets.add(1 + Math.floor(random() * n));
    // Some actions never end the run, so that an agent may go on for ever.
    if (s > 0 && random() < 0.7) targets.add(end);
    const weights = [...targets].sort((a, b) => a - b).map((t) => [t, -Math.log(1 - random())] as const);
    const sum = weights.reduce((total, [, w]) => total + w, 0);
    return weights.map(([t, w]) => [t, w / sum] as const);
  };
  return Array.from({ length: n + 2 }, (_, s) =>
    s === end ? [] : Array.from({ length: s === 0 ? 1 : 1 + Math.floor(random() * actions) }, () => row(s)),
  );
}

/**
 * The truth of policies over the actions that were drawn, and any in states where none was: the probability to reach `target`, `best` of
 * the values of actions, by sweeps from below until nothing moves.
 */
export function reachUnder(
  mdp: KnownMdp,
  rows: ReturnType<typeof sampleDecisions>,
  target: number,
  best: (values: readonly number[], weights: readonly number[]) => number,
  steps = Number.POSITIVE_INFINITY,
): Float64Array {
  let values = Float64Array.from(mdp, (_, s) => Number(s === target));
  for (let moved = 1, step = 0; moved > 1e-15 && step < steps; step++) {
    const before = values;
    values = before.map((value, s) => {
      if (s === target || mdp[s].length === 0) return value;
      const [first, end] = rowsOf(rows, s);
      const taken = rows.actions.slice(first, end).filter((action) => action !== null);
      const mean = (action: number): number => mdp[s][action].reduce((sum, [t, p]) => sum + p * before[t], 0);
      if (taken.length === 0)
        return best(
          mdp[s].map((_, action) => mean(action)),
          mdp[s].map(() => 1 / mdp[s].length),
        );
      const draws = rows.draws.subarray(first, end);
      const all = draws.reduce((sum, n) => sum + n, 0);
      return best(
        taken.map(mean),
        Array.from(draws, (n) => n / all),
      );
    });
    moved = values.reduce((most, value, s) => Math.max(most, Math.abs(value - before[s])), 0);
  }
  return values;
}

export const least = (values: readonly number[]): number => Math.min(...values);
export const greatest = (values: readonly number[]): number => Math.max(...values);
export const asAgent = (values: readonly number[], weights: readonly number[]): number =>
  values.reduce((sum, value, i) => sum + weights[i] * value, 0);
