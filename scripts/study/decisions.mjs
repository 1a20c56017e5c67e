// Decision processes that are known entirely: per state its actions, each a list of [successor, probability]. State 0 is the start, the last one the end.

const distribution = (row) => {
  const sum = row.reduce((total, [, weight]) => total + weight, 0);
  return row.map(([t, weight]) => [t, weight / sum]).sort(([a], [b]) => a - b);
};
const processOf = (states) => states.map((actions) => actions.map(distribution));

/** n states, each with as many actions, which lead to the next state, others up to `degree` and the end, by a fixed sequence of weights. */
function scattered(n, actions, degree, exit) {
  let word = 54321;
  const next = () => {
    word = (Math.imul(word, 1664525) + 1013904223) >>> 0;
    return word / 2 ** 32;
  };
  const row = (s) => {
    const targets = new Map([
      [(s % n) + 1, 0.1 + next()],
      [n + 1, exit],
    ]);
    while (targets.size < degree + 1) targets.set(1 + Math.floor(next() * n), 0.1 + next());
    return [...targets];
  };
  const choices = (s) => Array.from({ length: actions }, () => row(s));
  return processOf([[[[1, 1]]], ...Array.from({ length: n }, (_, i) => choices(i + 1)), []]);
}

/** A ladder whose top is rare: climbing boldly or with care, or down. */
function ladder(n) {
  const climb = (s, up) => [
    [s + 1, up],
    [1, 0.6 - up],
    [n + 1, 0.4],
  ];
  return processOf([
    [[[1, 1]]],
    ...Array.from({ length: n - 1 }, (_, i) => [climb(i + 1, 0.2), climb(i + 1, 0.02)]),
    [[[n + 1, 1]]],
    [],
  ]);
}

/** Looking leads nowhere and costs nothing; going may break something; a way back that may leak. */
const looking = processOf([
  [[[1, 1]]],
  [
    [[1, 1]],
    [
      [2, 0.7],
      [4, 0.3],
    ],
  ],
  [
    [[2, 1]],
    [
      [1, 0.5],
      [3, 0.1],
      [4, 0.4],
    ],
    [
      [1, 0.98],
      [3, 0.02],
    ],
  ],
  [[[4, 1]]],
  [],
]);

/** Trying again: nearly always nothing happens, and what happens at last is worse after one action than after the other. */
const retrying = processOf([
  [
    [
      [1, 0.5],
      [2, 0.5],
    ],
  ],
  [
    [
      [1, 0.95],
      [3, 0.01],
      [4, 0.04],
    ],
    [
      [2, 0.9],
      [4, 0.1],
    ],
  ],
  [
    [
      [1, 0.3],
      [2, 0.6],
      [3, 0.05],
      [4, 0.05],
    ],
    [
      [2, 0.5],
      [4, 0.5],
    ],
  ],
  [[[4, 1]]],
  [],
]);

/** One state, two actions with many outcomes, most of them seldom; the seldom ones are the bad ones. */
function manyOutcomes(n) {
  const [bad, end] = [n + 2, n + 3];
  const tail = (power) => Array.from({ length: n }, (_, i) => [i + 2, 1 / (i + 1) ** power]);
  const next = (i) => [
    [1, 0.2],
    [bad, i > n / 2 ? 0.9 : 0.02],
    [end, i > n / 2 ? 0.1 : 0.78],
  ];
  return processOf([
    [[[1, 1]]],
    [tail(1.5), tail(2.5)],
    ...Array.from({ length: n }, (_, i) => [next(i)]),
    [[[end, 1]]],
    [],
  ]);
}

/** `bad` is the state to be reached; with `known` the successors of a state are known. */
export const decisionCases = [
  { name: 'sparse', mdp: scattered(6, 2, 2, 0.3), bad: 6 },
  { name: 'dense, successors known', mdp: scattered(5, 3, 4, 0.4), bad: 5, known: true },
  { name: 'rare', mdp: ladder(5), bad: 5 },
  { name: 'looking', mdp: looking, bad: 3 },
  { name: 'retrying', mdp: retrying, bad: 3 },
  { name: 'many outcomes', mdp: manyOutcomes(14), bad: 16 },
];

/** How agents choose among the actions of the state they are in: by chance, by the step, by what came of it before. */
export const agents = {
  'by chance': (mdp, random) => (states) => Math.floor(random.next() * mdp[states.at(-1)].length),
  'in turns': (mdp) => (states) => states.length % mdp[states.at(-1)].length,
  'with a memory': (mdp, random) => (states, chosen) => {
    const s = states.at(-1);
    const last = states.lastIndexOf(s, -2);
    const again =
      last < 0 || states[last + 1] === s ? Math.floor(random.next() * mdp[s].length) : chosen[last];
    return again % mdp[s].length;
  },
};

/** Runs of an agent, counted as learning counts them: per state and action, in order. */
export class DecisionDraws {
  runs = 0;
  #rows = [];

  constructor(mdp, random, agent, { known = false, steps = 200 } = {}) {
    Object.assign(this, { mdp, random, agent, known, steps });
  }

  run(runs) {
    const { mdp, random, agent, steps } = this;
    for (const end = mdp.length - 1; runs > 0; runs--, this.runs++) {
      const states = [0];
      const chosen = [];
      while (states.at(-1) !== end && chosen.length < steps) {
        const s = states.at(-1);
        const action = s === 0 ? 0 : agent(states, chosen);
        let row = this.#rows.find((one) => one.s === s && one.action === action);
        if (row === undefined) {
          row = { s, action, rank: this.#rows.length + 1, draws: 0, since: 0, seen: new Map() };
          this.#rows.push(row);
        }
        let u = random.next();
        const [t] = mdp[s][action].find(([, p]) => (u -= p) < 0) ?? mdp[s][action].at(-1);
        row.draws++;
        row.since++;
        const entry = row.seen.get(t);
        if (entry === undefined) {
          row.seen.set(t, { count: 1, first: row.draws });
          row.since = 0;
        } else entry.count++;
        chosen.push(action);
        states.push(t);
      }
    }
  }

  /** The rows as certificates take them, and which action each is of; -1 in states never left. */
  rows() {
    const { mdp, known } = this;
    const groups = mdp.map((_, s) => {
      const found = this.#rows.filter((row) => row.s === s);
      return found.length > 0 ? found : [{ action: -1, rank: 0, draws: 0, since: 0, seen: new Map() }];
    });
    const all = groups.flat();
    const entries = groups.map((rows, s) =>
      rows.map(({ seen }) => {
        const targets = new Set([...seen.keys(), ...(known ? mdp[s].flat().map(([t]) => t) : [])]);
        return [...targets].sort((a, b) => a - b).map((t) => [t, seen.get(t) ?? { count: 0, first: 0 }]);
      }),
    );
    const flat = entries.flat(2);
    const starts = (sizes) =>
      Uint32Array.from(
        [0, ...sizes].map(
          (
            (sum) => (size) =>
              (sum += size)
          )(0),
        ),
      );
    return {
      rowGroupStart: starts(groups.map(({ length }) => length)),
      rowStart: starts(entries.flat().map(({ length }) => length)),
      columns: Uint32Array.from(flat, ([t]) => t),
      counts: Float64Array.from(flat, ([, { count }]) => count),
      firstDraws: Float64Array.from(flat, ([, { first }]) => first),
      draws: Float64Array.from(all, ({ draws }) => draws),
      drawsSinceNew: Float64Array.from(all, ({ since }) => since),
      rank: Float64Array.from(all, ({ rank }) => rank),
      known,
      actions: all.map(({ action }) => action),
    };
  }
}

/**
 * The truth: the probability to reach `bad` from every state, within `steps`, if `best` of the means of the actions drawn (and any of a state
 * where none was) is taken. By sweeps from below; what is left out at the end is below the rounding allowed for.
 */
export function decisionTruth({ mdp, bad }, { rowGroupStart, actions, draws }, best, steps = 100_000) {
  let values = mdp.map((_, s) => Number(s === bad));
  for (let step = 0, moved = 1; step < steps && moved > 1e-14; step++) {
    const before = values;
    const mean = (row) => row.reduce((sum, [t, p]) => sum + p * before[t], 0);
    values = mdp.map((choices, s) => {
      if (s === bad || choices.length === 0) return before[s];
      const drawn = [];
      for (let row = rowGroupStart[s]; row < rowGroupStart[s + 1]; row++) {
        if (actions[row] >= 0) drawn.push([mean(choices[actions[row]]), draws[row]]);
      }
      return best(drawn.length > 0 ? drawn : choices.map((row) => [mean(row), 1]));
    });
    moved = values.reduce((most, value, s) => Math.max(most, value - before[s]), 0);
  }
  return values;
}

export const policies = {
  least: (values) => Math.min(...values.map(([value]) => value)),
  greatest: (values) => Math.max(...values.map(([value]) => value)),
  asAgent: (values) => {
    const all = values.reduce((sum, [, draws]) => sum + draws, 0);
    return values.reduce((sum, [value, draws]) => sum + (value * draws) / all, 0);
  },
};
