import type { Bounds } from '../../../bindings/base/bounds.js';
import { BitSet } from '../../../bindings/solvers/kernel/bitSet.js';
import type { EngineIntervals, Players } from '../../../bindings/solvers/kernel/engine.js';
import type { IntervalRows } from '../../../bindings/solvers/kernel/intervalRows.js';
import { predecessorsOf, prob0, prob1 } from './intervalGraph.js';
import { NOBODY, RowOptimiser } from './intervalRow.js';
import { ReferenceRobustUntil } from './robustUntil.js';
import { bestRange, type Range, ReferenceSteps, type Step } from './steps.js';

export function openIntervals(model: IntervalRows): EngineIntervals {
  const predecessors = predecessorsOf(model);
  return {
    prob0: (remain, target, players) => prob0(model, predecessors, remain, target, players),
    prob1: (remain, target, players) => prob1(model, predecessors, remain, target, players),
    openUntil: (remain, target, players) =>
      new ReferenceRobustUntil(model, predecessors, remain, target, players),
    openReward: (gain, target, players) =>
      new ReferenceRobustUntil(model, predecessors, BitSet.full(model.states), target, players, gain),
    openSteps: (input, players) => new ReferenceSteps(input, robustStep(model, players)),
    distributions(values, maximise) {
      const optimiser = new RowOptimiser(model);
      const result = new Float64Array(model.columns.length);
      for (let row = 0; row < model.rows; row++) {
        const [start, end] = [model.rowStart[row], model.rowStart[row + 1]];
        optimiser.optimise(row, values, maximise);
        result.set(optimiser.mass.subarray(0, end - start), start);
      }
      return result;
    },
    free() {},
  };
}

/** One step of an interval model, by the best distributions of the best row. */
function robustStep(model: IntervalRows, { schedulerMax, natureMax }: Players): Step {
  const { rowGroupStart } = model;
  const optimiser = new RowOptimiser(model);
  const stepAlong = (row: number, before: Bounds, gain: Bounds | undefined): Range => {
    optimiser.optimise(row, before.lower, natureMax);
    const lower = optimiser.mean(row, before.lower, NOBODY, gain?.lower[row])?.lower ?? 0;
    optimiser.optimise(row, before.upper, natureMax);
    const upper = optimiser.mean(row, before.upper, NOBODY, gain?.upper[row])?.upper;
    return { lower, upper: upper ?? Number.POSITIVE_INFINITY };
  };
  return (s, before, gain) => {
    const rows = Array.from(
      { length: rowGroupStart[s + 1] - rowGroupStart[s] },
      (_, i) => rowGroupStart[s] + i,
    );
    return bestRange(
      rows.map((row) => stepAlong(row, before, gain)),
      schedulerMax,
    );
  };
}
