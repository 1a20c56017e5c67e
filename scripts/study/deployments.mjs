// Guards at work on agents that are known entirely: a chain draws the data, then runs of the same chain, or of a changed one, are watched.

import { packTables } from '../../bench/internals.mjs';
import { createGuard } from '../../dist/guard.js';
import { bundleSources } from '../bundleSources.mjs';
import { Draws } from './chains.mjs';

const { stepsOf } = await import(
  await bundleSources(
    `export { stepsOf } from './bindings/rules/risk/driftRows.ts';`,
    'out/study/driftRows.mjs',
  )
);

const never = {
  predicates: [],
  states: 1,
  initial: 0,
  verdict: [0],
  accepting: [1],
  roots: [-1],
  nodes: [],
};

/** A draw from a row of a chain. */
export function drawFrom(row, random) {
  let left = random.next();
  let t = -1;
  for (const [successor, probability] of row) {
    t = successor;
    left -= probability;
    if (left < 0) break;
  }
  return t;
}

/**
 * Data of a chain: runs until `enough(draws)`, asked after each. States the data never entered are none of the guard's, and have
 * number -1 in `numbers`.
 */
export function recorded(chain, random, enough, steps = 200) {
  const draws = new Draws(chain, random, { steps });
  do draws.run(1);
  while (!enough(draws));
  const rows = draws.rows();
  const end = chain.length - 1;
  const entered = new Set(rows.columns);
  const numbers = chain.map((_, s) => (entered.has(s) && s !== end ? s - 1 : -1));
  return { rows, numbers, end };
}

/** The watch for drift of a guard compiled from data. */
export function watchOf({ rows, end }, falseAlarmRate) {
  const states = end - 1;
  const steps = stepsOf(rows, { start: 0, end });
  const rowStart = [0];
  const columns = [];
  for (let s = 1; s <= states; s++) {
    for (let e = rows.rowStart[s]; e < rows.rowStart[s + 1]; e++) {
      if (rows.columns[e] !== end) columns.push(rows.columns[e] - 1);
    }
    rowStart.push(columns.length);
  }
  const bits = Math.ceil(Math.log2(states + 1));
  const risk = Array.from({ length: states }, () => 0);
  const { drift } = createGuard({
    format: 'foreguard-guard',
    version: 2,
    specificationHash: '',
    modelHash: '',
    predicates: Array.from({ length: bits }, (_, i) => ({ name: `p${i}`, expression: 'false' })),
    constraints: {},
    states: {
      words: 1,
      valuations: Array.from({ length: states }, (_, s) => s),
      draws: [...rows.draws.slice(1, end)],
    },
    seen: { rowStart, columns },
    rules: [
      {
        name: 'none',
        formula: 'true',
        evaluation: 'trace',
        automaton: never,
        levels: [{ threshold: { compare: 'risk>=', value: 0.5 }, strategy: { kind: 'stop' } }],
        escalate: [],
        maxReflections: 0,
        afterViolation: { kind: 'stop' },
        onFailure: { kind: 'stop' },
        horizonSteps: null,
        tables: packTables(never, states, () => true, { lower: risk, upper: risk }),
      },
    ],
    drift: { falseAlarmRate, onDrift: 'report', ...steps },
    onUnknown: 'stop',
    decideOn: 'upper',
    samplingPeriodSeconds: null,
    periodTolerance: 0.1,
  });
  return drift;
}

/** Runs of a chain, read step by step: `begin()`, then `enter(state)`; a run that comes to a state in `stops` is cut there. */
export function* steps(chain, random, stops = []) {
  const end = chain.length - 1;
  let s = 0;
  for (;;) {
    const from = s;
    s = drawFrom(chain[from], random);
    if (s !== end) yield [from, s];
    if (s === end || stops.includes(s)) s = 0;
  }
}
