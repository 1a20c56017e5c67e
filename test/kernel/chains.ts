import type { Csr } from '../../bindings/solvers/kernel/index.js';

/** A matrix from rows of [column, value]. */
export function chainOf(rows: readonly (readonly (readonly [number, number])[])[]): Csr {
  const rowStart = new Uint32Array(rows.length + 1);
  for (const [s, row] of rows.entries()) rowStart[s + 1] = rowStart[s] + row.length;
  const entries = rows.flat();
  return {
    rowStart,
    columns: Uint32Array.from(entries, ([column]) => column),
    values: Float64Array.from(entries, ([, value]) => value),
  };
}

/** Knuth and Yao's die from a fair coin: states 0–6 toss, 7–12 show 1–6. */
export const die = chainOf([
  ...[
    [1, 2],
    [3, 4],
    [5, 6],
    [1, 7],
    [8, 9],
    [10, 11],
    [2, 12],
  ].map(([heads, tails]): [number, number][] => [
    [heads, 0.5],
    [tails, 0.5],
  ]),
  ...[7, 8, 9, 10, 11, 12].map((s): [number, number][] => [[s, 1]]),
]);

/** A gambler with s of `coins` coins wins each round with probability `win`; 0 and `coins` are the end. */
export function gambler(coins: number, win: number): Csr {
  return chainOf(
    Array.from({ length: coins + 1 }, (_, s): [number, number][] =>
      s === 0 || s === coins
        ? [[s, 1]]
        : [
            [s - 1, 1 - win],
            [s + 1, win],
          ],
    ),
  );
}

/**
 * The chain of Haddad and Monmege (2018) on which value iteration stops far from the answer: from n towards 0 with probability p
 * and towards 2n with 1 - p, but at every further step back to n unless it goes `onward`.
 */
export function haddadMonmege(n: number, p = 0.7, onward = 0.5): Csr {
  return chainOf(
    Array.from({ length: 2 * n + 1 }, (_, x): [number, number][] => {
      if (x === 0 || x === 2 * n) return [[x, 1]];
      if (x === n) {
        return [
          [n - 1, p],
          [n + 1, 1 - p],
        ];
      }
      return x < n
        ? [
            [x - 1, onward],
            [n, 1 - onward],
          ]
        : [
            [n, 1 - onward],
            [x + 1, onward],
          ];
    }),
  );
}

/** Numbers in [0, 1) from a seed (Mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * A chain of `states` states with about `degree` random successors each, mostly nearby; the last two absorb, and are entered
 * at about every tenth step.
 */
export function randomChain(states: number, degree: number, seed: number): Csr {
  const random = randomNumbers(seed);
  return chainOf(
    Array.from({ length: states }, (_, s): [number, number][] => {
      if (s >= states - 2) return [[s, 1]];
      const successors = new Set<number>();
      for (let i = 0; i < degree; i++) {
        if (random() < 0.1) successors.add(states - 1 - Math.floor(random() * 2));
        const nearby = s + Math.floor(random() * 200) - 80;
        successors.add(
          random() < 0.02 ? Math.floor(random() * states) : Math.min(states - 1, Math.max(0, nearby)),
        );
      }
      const weights = [...successors]
        .sort((a, b) => a - b)
        .map((t): [number, number] => [t, 0.05 + random()]);
      const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
      return weights.map(([t, weight]) => [t, weight / total]);
    }),
  );
}
