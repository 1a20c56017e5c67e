import type { DrawnRows } from '../../../bindings/estimation/pac/index.js';

/** A chain known entirely: per state its successors, ascending, and their probabilities. State 0 is the start, the last one the end. */
export type KnownChain = readonly (readonly (readonly [successor: number, probability: number])[])[];

/** Runs from the start to the end, cut after `steps`, as rows of draws. */
export function sampleRows(
  chain: KnownChain,
  runs: number,
  random: () => number,
  { known = false, steps = 200 }: { known?: boolean; steps?: number | undefined } = {},
): DrawnRows {
  const end = chain.length - 1;
  const counts = chain.map((row) => new Map(known ? row.map(([t]) => [t, 0]) : []));
  const first = chain.map(() => new Map<number, number>());
  const draws = new Float64Array(chain.length);
  const since = new Float64Array(chain.length);
  const rank = new Float64Array(chain.length);
  let discovered = 0;
  for (let run = 0; run < runs; run++) {
    let s = 0;
    for (let step = 0; s !== end && step < steps; step++) {
      if (rank[s] === 0) rank[s] = ++discovered;
      let u = random();
      const t = (chain[s].find(([, p]) => (u -= p) < 0) ?? (chain[s].at(-1) as readonly [number, number]))[0];
      draws[s]++;
      since[s]++;
      if (!first[s].has(t)) {
        first[s].set(t, draws[s]);
        since[s] = 0;
      }
      counts[s].set(t, (counts[s].get(t) ?? 0) + 1);
      s = t;
    }
  }
  const ordered = counts.map((row) => [...row].sort(([a], [b]) => a - b));
  return {
    rowStart: Uint32Array.from([
      0,
      ...ordered.map(
        (
          (sum) => (row) =>
            (sum += row.length)
        )(0),
      ),
    ]),
    columns: Uint32Array.from(ordered.flatMap((row) => row.map(([t]) => t))),
    counts: Float64Array.from(ordered.flatMap((row) => row.map(([, count]) => count))),
    firstDraws: Float64Array.from(ordered.flatMap((row, s) => row.map(([t]) => first[s].get(t) ?? 0))),
    draws,
    drawsSinceNew: since,
    rank,
    known,
  };
}

/** A random chain of n states between start and end in which `end` is always reached. */
export function randomChain(n: number, degree: number, random: () => number): KnownChain {
  const end = n + 1;
  return Array.from({ length: n + 2 }, (_, s) => {
    if (s === end) return [];
    const targets = new Set<number>();
    while (targets.size < degree) targets.add(1 + Math.floor(random() * n));
    if (s > 0) targets.add(end);
    const weights = [...targets].sort((a, b) => a - b).map((t) => [t, -Math.log(1 - random())] as const);
    const sum = weights.reduce((total, [, w]) => total + w, 0);
    return weights.map(([t, w]) => [t, w / sum] as const);
  });
}

/** The probability to reach `target` from each state, by sweeps from below until nothing moves. */
export function reachProbability(chain: KnownChain, target: ReadonlySet<number>): Float64Array {
  const values = Float64Array.from(chain, (_, s) => Number(target.has(s)));
  for (let moved = 1; moved > 1e-15; ) {
    moved = 0;
    for (const [s, row] of chain.entries()) {
      if (target.has(s) || row.length === 0) continue;
      const next = row.reduce((sum, [t, p]) => sum + p * values[t], 0);
      moved = Math.max(moved, Math.abs(next - values[s]));
      values[s] = next;
    }
  }
  return values;
}
