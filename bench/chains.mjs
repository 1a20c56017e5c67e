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

/**
 * A chain of many components one after another, as products with automata are: single states, cycles of up to 20 states, and
 * every fiftieth a larger one of up to 200. What leaves a component goes to one of the next few, or ends in one of the last two
 * states.
 */
export function structuredChain(states, seed) {
  const random = randomNumbers(seed);
  const rows = [];
  while (rows.length < states - 2) {
    const first = rows.length;
    const kind = random();
    const wanted =
      kind < 0.4 ? 1 : kind < 0.98 ? 2 + Math.floor(random() * 19) : 50 + Math.floor(random() * 151);
    const size = Math.min(wanted, states - 2 - first);
    for (let i = 0; i < size; i++) {
      const successors = new Map();
      const add = (t, weight) => successors.set(t, (successors.get(t) ?? 0) + weight);
      if (size > 1) {
        add(first + ((i + 1) % size), 0.3 + random());
        add(first + Math.floor(random() * size), 0.3 + random());
      }
      for (let exits = size === 1 || random() < 0.5 ? 2 : 0; exits > 0; exits--)
        add(Math.min(states - 1, first + size + Math.floor(random() * 300)), 0.1 + random());
      if (random() < 0.05) add(states - 1 - Math.floor(random() * 2), 0.2 * random());
      const total = [...successors.values()].reduce((sum, weight) => sum + weight, 0);
      rows.push([...successors].sort(([a], [b]) => a - b).map(([t, weight]) => [t, weight / total]));
    }
  }
  rows.push([[states - 2, 1]], [[states - 1, 1]]);
  return matrixOf(rows);
}

/** A walk on a line whose ends absorb: decided after about as many steps as the square of its length. */
export function line(states) {
  return matrixOf(
    Array.from({ length: states }, (_, s) =>
      s === 0 || s === states - 1
        ? [[s, 1]]
        : [
            [s - 1, 0.5],
            [s + 1, 0.5],
          ],
    ),
  );
}

/** A walk on a square whose first and last corner absorb. */
export function square(side) {
  const last = side * side - 1;
  return matrixOf(
    Array.from({ length: last + 1 }, (_, s) => {
      if (s === 0 || s === last) return [[s, 1]];
      const [x, y] = [s % side, Math.floor(s / side)];
      const next = [y > 0 && s - side, x > 0 && s - 1, x < side - 1 && s + 1, y < side - 1 && s + side];
      const successors = next.filter((t) => t !== false);
      return successors.map((t) => [t, 1 / successors.length]);
    }),
  );
}
