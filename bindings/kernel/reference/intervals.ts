import type { BitSet } from '../bitSet.js';
import type { Bounds, EngineIntervals, Players, StepProblem } from '../engine.js';
import type { IntervalRows } from '../intervalRows.js';
import { SMALLEST_PROBABILITY } from '../invalidModel.js';
import { predecessorsOf, prob0, prob1 } from './intervalGraph.js';
import { RowOptimiser } from './intervalRow.js';
import { ReferenceRobustUntil } from './robustUntil.js';

export function openIntervals(model: IntervalRows): EngineIntervals {
  const predecessors = predecessorsOf(model);
  return {
    prob0: (remain, target, players) => prob0(model, predecessors, remain, target, players),
    prob1: (remain, target, players) => prob1(model, predecessors, remain, target, players),
    openUntil: (remain, target, players) =>
      new ReferenceRobustUntil(model, predecessors, remain, target, players),
    openSteps: (active, target, players) => new ReferenceRobustSteps(model, active, target, players),
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

class ReferenceRobustSteps implements StepProblem {
  private readonly model: IntervalRows;
  private readonly active: BitSet;
  private readonly players: Players;
  private readonly optimiser: RowOptimiser;
  private current: Bounds;

  constructor(model: IntervalRows, active: BitSet, target: BitSet, players: Players) {
    const start = Float64Array.from({ length: model.states }, (_, s) => (target.has(s) ? 1 : 0));
    this.model = model;
    this.active = active;
    this.players = players;
    this.optimiser = new RowOptimiser(model);
    this.current = { lower: start, upper: start };
  }

  step(): boolean {
    const { rowGroupStart } = this.model;
    const best = this.players.schedulerMax ? Math.max : Math.min;
    const following = { lower: this.current.lower.slice(), upper: this.current.upper.slice() };
    for (const s of this.active) {
      let { lower, upper } = this.mean(rowGroupStart[s]);
      for (let row = rowGroupStart[s] + 1; row < rowGroupStart[s + 1]; row++) {
        const other = this.mean(row);
        lower = best(lower, other.lower);
        upper = best(upper, other.upper);
      }
      following.lower[s] = lower < SMALLEST_PROBABILITY ? 0 : lower;
      following.upper[s] = upper > 0 ? Math.min(1, Math.max(upper, SMALLEST_PROBABILITY)) : 0;
    }
    const { lower, upper } = this.current;
    this.current = following;
    return (
      lower.some((value, s) => value !== following.lower[s]) ||
      upper.some((value, s) => value !== following.upper[s])
    );
  }

  bounds(): Bounds {
    return { lower: this.current.lower.slice(), upper: this.current.upper.slice() };
  }

  close(): void {}

  private mean(row: number): { lower: number; upper: number } {
    const optimiser = this.optimiser;
    const current = this.current;
    optimiser.optimise(row, current.lower, this.players.natureMax);
    const lower = optimiser.mean(row, current.lower)?.lower ?? 0;
    optimiser.optimise(row, current.upper, this.players.natureMax);
    return { lower, upper: optimiser.mean(row, current.upper)?.upper ?? 1 };
  }
}
