// Chains that are known entirely: per state a list of [successor, probability], ascending. State 0 is the start, the last one the end.

/** Rows with weights made to sum to 1. */
function chainOf(rows) {
  return rows.map((row) => {
    const sum = row.reduce((total, [, weight]) => total + weight, 0);
    return row.map(([t, weight]) => [t, weight / sum]).sort(([a], [b]) => a - b);
  });
}

/** n states between start and end, each with the next one, others up to `degree` and the end, by a fixed sequence of weights. */
function scattered(n, degree, exit) {
  let word = 12345;
  const next = () => {
    word = (Math.imul(word, 1664525) + 1013904223) >>> 0;
    return word / 2 ** 32;
  };
  const row = (s) => {
    const targets = new Map([[(s % n) + 1, 0.1 + next()], ...(s > 0 ? [[n + 1, exit]] : [])]);
    while (targets.size < degree + (s > 0 ? 1 : 0)) targets.set(1 + Math.floor(next() * n), 0.1 + next());
    return [...targets];
  };
  return chainOf([...Array.from({ length: n + 1 }, (_, s) => row(s)), []]);
}

/** Rises by one with probability `up`, falls to 1 with `down`, or ends: the top is rare. */
function ladder(n, up, down) {
  const row = (s) => [[s + 1, up], ...(s > 1 ? [[1, down]] : []), [n + 1, 1 - up - (s > 1 ? down : 0)]];
  return chainOf([[[1, 1]], ...Array.from({ length: n - 1 }, (_, i) => row(i + 1)), [[n + 1, 1]], []]);
}

/** Two wells of three states each, left for each other once in a hundred steps. */
function wells() {
  const inside = (a, b, c) => [
    [a, 0.4],
    [b, 0.3],
    [c, 0.28],
  ];
  return chainOf([
    [[1, 1]],
    [...inside(1, 2, 3), [4, 0.01], [8, 0.01]],
    [...inside(1, 2, 3), [8, 0.02]],
    [...inside(1, 2, 3), [8, 0.02]],
    [...inside(4, 5, 6), [1, 0.01], [8, 0.01]],
    [...inside(4, 5, 6), [7, 0.02]],
    [...inside(4, 5, 6), [8, 0.02]],
    [[8, 1]],
    [],
  ]);
}

/** Round and round; a way out at each state, to the bad one only at the last. */
function ring(n) {
  const bad = n + 1;
  const row = (s) => [[s === n ? 1 : s + 1, 0.85], ...(s === n ? [[bad, 0.05]] : []), [n + 2, 0.1]];
  return chainOf([
    [
      [1, 0.5],
      [2, 0.5],
    ],
    ...Array.from({ length: n }, (_, i) => row(i + 1)),
    [[n + 2, 1]],
    [],
  ]);
}

/** One state with many successors, most of them so seldom that they are not seen for long; the seldom ones are the bad ones. */
function manySuccessors(n) {
  const bad = n + 2;
  const end = n + 3;
  const rows = Array.from({ length: n }, (_, i) => [
    [1, 0.2],
    [bad, i > n / 2 ? 0.9 : 0.02],
    [end, i > n / 2 ? 0.1 : 0.78],
  ]);
  return chainOf([
    [[1, 1]],
    Array.from({ length: n }, (_, i) => [i + 2, 1 / (i + 1) ** 1.5]),
    ...rows,
    [[end, 1]],
    [],
  ]);
}

/** The cases: a chain, and what is bad: a state, or (product) that `warned` is not answered within two steps. */
export const cases = [
  { name: 'sparse', chain: scattered(12, 2, 0.15), bad: 12 },
  { name: 'dense', chain: scattered(6, 6, 0.4), bad: 6 },
  { name: 'slow mixing', chain: wells(), bad: 7, steps: 60 },
  { name: 'rare event', chain: ladder(5, 0.25, 0.3), bad: 5 },
  { name: 'cyclic', chain: ring(5), bad: 6 },
  { name: 'unseen transitions', chain: manySuccessors(24), bad: 26 },
  {
    name: 'product with a rule',
    chain: scattered(5, 3, 0.2),
    rule: { formula: 'G (warned -> F[0,2] answered)', warned: [2, 4], answered: [3], within: 2 },
  },
  { name: 'known successors', chain: scattered(6, 3, 0.2), bad: 6, known: true },
];

/** Draws of a chain, run by run, as certificates take them. */
export class Draws {
  #chain;
  #random;
  #known;
  #steps;
  #rows;
  #discovered = 0;
  runs = 0;
  /** The last run showed a transition that was not seen before. */
  justFound = false;

  constructor(chain, random, { known = false, steps = 200 }) {
    this.#chain = chain;
    this.#random = random;
    this.#known = known;
    this.#steps = steps;
    this.#rows = chain.map((row) => ({
      counts: new Map(known ? row.map(([t]) => [t, 0]) : []),
      first: new Map(),
      draws: 0,
      since: 0,
      rank: 0,
    }));
  }

  /** More runs; one that is longer than `steps` is cut. */
  run(runs) {
    const end = this.#chain.length - 1;
    this.justFound = false;
    for (let i = 0; i < runs; i++) {
      let s = 0;
      for (let step = 0; s !== end && step < this.#steps; step++) s = this.#draw(s);
    }
    this.runs += runs;
  }

  #draw(s) {
    const row = this.#rows[s];
    if (row.rank === 0) row.rank = ++this.#discovered;
    let left = this.#random.next();
    let t = -1;
    for (const [successor, probability] of this.#chain[s]) {
      t = successor;
      left -= probability;
      if (left < 0) break;
    }
    row.draws++;
    row.since++;
    if (!row.first.has(t)) {
      row.first.set(t, row.draws);
      row.since = 0;
      this.justFound = true;
    }
    row.counts.set(t, (row.counts.get(t) ?? 0) + 1);
    return t;
  }

  /** @returns DrawnRows of what was drawn until now */
  rows() {
    const ordered = this.#rows.map(({ counts }) => [...counts].sort(([a], [b]) => a - b));
    const rowStart = new Uint32Array(ordered.length + 1);
    for (const [s, row] of ordered.entries()) rowStart[s + 1] = rowStart[s] + row.length;
    const perState = (key) => Float64Array.from(this.#rows, (row) => row[key]);
    return {
      rowStart,
      columns: Uint32Array.from(ordered.flatMap((row) => row.map(([t]) => t))),
      counts: Float64Array.from(ordered.flatMap((row) => row.map(([, count]) => count))),
      firstDraws: Float64Array.from(
        ordered.flatMap((row, s) => row.map(([t]) => this.#rows[s].first.get(t) ?? 0)),
      ),
      draws: perState('draws'),
      drawsSinceNew: perState('since'),
      rank: perState('rank'),
      known: this.#known,
    };
  }
}

/** A chain of n states, the last of them bad, with rows drawn from Dirichlet(½, …, ½) over all states and the end. */
export function priorChain(n, random) {
  const end = n + 1;
  // Half the square of a normal number is of Gamma(½).
  const weight = () => -Math.log(1 - random.next()) * Math.cos(2 * Math.PI * random.next()) ** 2;
  const row = (s) => Array.from({ length: s === 0 ? n : end }, (_, i) => [i + 1, weight() + 1e-300]);
  return chainOf([...Array.from({ length: n }, (_, s) => row(s)), [[end, 1]], []]);
}
