import { expect } from 'vitest';
import { type IntervalRows, prepareIntervals } from '../../bindings/solvers/kernel/intervalRows.js';
import type { Pointer } from '../../bindings/solvers/kernel/wasm/exports.js';
import { randomGroups } from './fuzzMdp.js';
import { pick, randomRows } from './garbage.js';
import type { RawModule } from './rawModule.js';

/** The numbers of sets and arrays of a problem: see `robustArray`. */
const [REMAIN, TARGET, BOUNDS, STARTS, GAIN] = [0, 1, 2, 3, 4];

/** Arrays of a model as `intervalArray` numbers them. */
const ARRAYS = [
  'rowGroupStart',
  'rowStart',
  'columns',
  'lower',
  'upper',
  'centre',
  'radius',
  'excess',
] as const;

/** No state: see assembly/solve/intervalRow.ts. */
const NOBODY = 2 ** 32 - 1;

/** Interval models, which the bindings check, with any sets, values and bounds. */
export function callRawIntervals(module: RawModule): void {
  const { exports, random } = module;
  const states = 1 + module.below(pick(random, [2, 15, 40]));
  const rows = randomIntervals(module, states);
  const entries = rows.columns.length;
  let longest = 0;
  for (let row = 0; row < rows.rows; row++)
    longest = Math.max(longest, rows.rowStart[row + 1] - rows.rowStart[row]);
  const block = module.block(exports.intervalsBytes(states, rows.rows, entries, longest));
  const model = exports.layOutIntervals(block, states, rows.rows, entries, longest);
  for (const [i, name] of ARRAYS.entries()) module.write(exports.intervalArray(model, i), rows[name]);
  exports.prepareIntervals(model);

  const coin = () => module.coin();
  const scratch = module.block(exports.robustScratchBytes(states));
  const set = () => module.set(states);
  exports.robustProb0(model, set(), set(), coin(), coin(), set(), scratch);
  const allowed = coin() ? module.set(rows.rows) : 0;
  exports.robustProb1(model, set(), set(), coin(), coin(), allowed, set(), scratch);
  exports.robustStep(
    model,
    module.set(states),
    coin() ? module.bounds(rows.rows) : 0,
    module.double(),
    module.bounds(states),
    module.bounds(states),
    coin(),
    coin(),
  );
  const distributions = module.doubles(entries);
  exports.rowDistributions(model, module.bounds(states), coin(), distributions);
  for (let state = 0; state < states; state++) {
    const row = rows.rowGroupStart[state];
    const bounds = module.bounds(states);
    exports.optimise(model, row, bounds, coin(), pick(random, [state, NOBODY]), module.double());
    const gain = coin() ? module.bounds(rows.rows) : 0;
    exports.lowerByRow(model, bounds, row, state, coin(), gain);
    exports.upperByRow(model, bounds, row, state, coin(), gain);
  }
  for (const rewarded of [false, true]) solve(module, model, states, rows.rows, rewarded);
}

function randomIntervals(module: RawModule, states: number): IntervalRows {
  const { random } = module;
  const groups = module.coin() ? undefined : randomGroups(random, states);
  const rows = groups?.[states] ?? states;
  const { rowStart, columns, values: centre } = randomRows(random, rows, states);
  const spread = pick(random, [0, 1e-9, 0.1, 1]);
  const lower = centre.map((p) => Math.max(0, p - spread * random()));
  const upper = centre.map((p) => Math.min(1, p + spread * random()));
  for (const [e, low] of lower.entries()) if (low < 2 ** -500) lower[e] = 0;
  const radius = Float64Array.from({ length: rows }, () => pick(random, [0, 0.01, 0.3, 2]));
  const matrix = { rowStart, columns, lower, upper, ...(module.coin() && { centre, radius }) };
  return prepareIntervals(matrix, groups);
}

function solve(module: RawModule, model: Pointer, states: number, rows: number, rewarded: boolean): void {
  const { exports } = module;
  const block = module.block(exports.robustUntilBytes(model, rewarded));
  const until = exports.layOutRobustUntil(block, model, module.coin(), module.coin(), rewarded);
  if (rewarded) module.noise(exports.robustArray(until, GAIN), 16 * rows);
  const setBytes = 4 * ((states + 31) >>> 5);
  module.noise(exports.robustArray(until, REMAIN), setBytes);
  module.noise(exports.robustArray(until, TARGET), setBytes);
  const components = exports.classifyRobust(until);
  expect(components).toBeLessThanOrEqual(states);
  const starts = module.readWords(exports.robustArray(until, STARTS), components + 1);
  expect(starts[components]).toBeLessThanOrEqual(states);
  const spoil = () => module.noise(exports.robustArray(until, BOUNDS), 16 * states);
  for (let component = 0; component < components; component++) {
    if (module.coin()) spoil();
    if (module.coin()) exports.findEndComponents(until, component);
    if (module.coin()) spoil();
    exports.robustSweep(until, component, module.coin());
    exports.findEndComponents(until, component);
    expect(exports.robustSweeps(until, component, module.word(), 20)).toBeLessThanOrEqual(20);
    exports.widestRobustGap(until, 0, component, 1, module.double());
    exports.inheritedRobustGap(until, component, 0, 1);
    if (rewarded) {
      exports.scaleTrial(until, component, module.double(), module.double());
      exports.trialSweep(until, component, module.double());
    }
  }
}
