/** Seeded instances for benchmarks, as compressed sparse rows. */

function matrixOf(rows) {
  const rowStart = new Uint32Array(rows.length + 1);
  for (const [s, row] of rows.entries()) rowStart[s + 1] = rowStart[s] + row.length;
  const entries = rows.flat();
  return {
    rowStart,
    columns: Uint32Array.from(entries, ([column]) => column),
    values: Float64Array.from(entries, ([, value]) => value),
  };
}

/** Numbers in [0, 1) from a seed (Mulberry32). */
export function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** About `degree` successors a state, mostly nearby; the last two states absorb, entered at about every tenth step. */
export function randomChain(states, degree, seed) {
  const random = randomNumbers(seed);
  return matrixOf(
    Array.from({ length: states }, (_, s) => {
      if (s >= states - 2) return [[s, 1]];
      const successors = new Set();
      for (let i = 0; i < degree; i++) {
        if (random() < 0.1) successors.add(states - 1 - Math.floor(random() * 2));
        const nearby = s + Math.floor(random() * 200) - 80;
        successors.add(
          random() < 0.02 ? Math.floor(random() * states) : Math.min(states - 1, Math.max(0, nearby)),
        );
      }
      const weights = [...successors].sort((a, b) => a - b).map((t) => [t, 0.05 + random()]);
      const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
      return weights.map(([t, weight]) => [t, weight / total]);
    }),
  );
}

/** The chain of Haddad and Monmege (2018): reaching 0 from n has probability p, but takes about 2^n steps to be decided. */
export function haddadMonmege(n, p = 0.7) {
  return matrixOf(
    Array.from({ length: 2 * n + 1 }, (_, x) => {
      if (x === 0 || x === 2 * n) return [[x, 1]];
      if (x === n)
        return [
          [n - 1, p],
          [n + 1, 1 - p],
        ];
      return x < n
        ? [
            [x - 1, 0.5],
            [n, 0.5],
          ]
        : [
            [n, 0.5],
            [x + 1, 0.5],
          ];
    }),
  );
}
