// The whole way: traces, learning with smoothing and all valid states, certify.
import { Abstraction, certify, Learner, parseSpecification, readLearntChain } from '../../dist/index.js';
import { reach } from './truth.mjs';

const specification = parseSpecification(
  `version: 1
predicates: { warm: x >= 1, hot: x >= 2, broken: x >= 3 }
constraints: { state: '(!hot || warm) && (!broken || hot)', transition: '!(from.broken && to.hot)' }
rules:
  fine: { formula: 'G !broken', threshold: 0.5 }
  soon: { formula: 'P<0.5 [ F<=3 broken ]' }
  cools: { formula: 'G (hot -> F[0,2] !warm)', threshold: 0.5, atEnd: weak }
learning: { smoothing: 1, states: valid }
`,
  { source: 'oven.yaml' },
);
const abstraction = new Abstraction(specification.abstraction);
const [UP, DOWN, END] = [0.25, 0.45, 0.3];
const BROKEN = 3;

/** x rises by one or falls by one, or the run ends; broken, it ends. */
const rows = [0, 1, 2, 3].map((x) =>
  x === BROKEN
    ? [[4, 1]]
    : [
        [x + 1, UP],
        [Math.max(0, x - 1), DOWN],
        [4, END],
      ],
);
rows.push([]);

/** Of `cools`: (x, steps left), all that is asked after x = 2: to come to 0 within two steps. Anything from 1 on is warm. */
const COOLS = [
  [
    [1, UP],
    [0, DOWN],
    [5, END],
  ],
  [
    [2, UP],
    [0, DOWN],
    [5, END],
  ],
  // At 2, two steps left: the next must be 1, the one after it 0. A step up leads to the end, and what is cut short breaks no promise.
  [
    [5, UP],
    [3, DOWN],
    [5, END],
  ],
  [
    [4, UP],
    [0, DOWN],
    [5, END],
  ],
  [],
  [],
];

const truths = {
  fine: reach(rows, new Set([BROKEN])),
  soon: reach(rows, new Set([BROKEN]), 3),
  cools: reach(COOLS, new Set([4])),
};

function trace(id, random) {
  const steps = [{ state: { x: 0 } }];
  for (let x = 0; x !== BROKEN && random.next() >= END; ) {
    x = random.next() * (UP + DOWN) < UP ? x + 1 : Math.max(0, x - 1);
    steps.push({ state: { x } });
  }
  return { id: String(id), steps };
}

/** One data set: whether at some look a certificate of some rule, in some state, has the truth outside. */
export async function learntCase(random, delta, looks, narrow) {
  const learner = new Learner(abstraction, specification.learning);
  let count = 0;
  for (const runs of looks) {
    for (; count < runs; count++) learner.add(trace(count, random));
    const { model } = learner.chain();
    const { valuations, end } = readLearntChain(model);
    const level = Array.from(valuations.subarray(1, end), (bits) => [0, 1, 3, 7].indexOf(bits));
    const { rules } = certify(specification, model, { delta });
    for (const { name, start, entries } of rules) {
      const truth = truths[name];
      if (truth[0] < start.confidenceLower - 1e-12 || truth[0] > start.confidenceUpper + 1e-12) return 1;
      for (const { state, verdict, confidenceLower, confidenceUpper } of entries) {
        // With a deadline open, x = 1 has another risk than without: only x = 0, where none is open, and x = 2 are looked up.
        if (verdict !== 'open' || (name === 'cools' && level[state] !== 0)) continue;
        const p = truth[level[state]];
        if (p < confidenceLower - 1e-12 || p > confidenceUpper + 1e-12) return 1;
      }
    }
    if (rules.every(({ start }) => start.confidenceUpper - start.confidenceLower <= narrow)) break;
  }
  return 0;
}
