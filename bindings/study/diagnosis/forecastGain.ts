import type { Random } from '../../base/random.js';
import type { Target } from './target.js';

/** Pseudo-draws of the prior, which is the forecast from the context alone: rare values of a predicate stay near it. */
const WEIGHT = 2;
/** Number of random sign flips for a p-value. */
const SIGNS = 9999;
/** Minimal number of runs with differing forecasts for a verdict. */
export const LEAST_RUNS = 20;

/** Runs for training, and others for judging. */
export interface Split {
  readonly trained: readonly number[];
  readonly judged: readonly number[];
}

/** How much better outcomes are predicted on held-out runs. */
export interface ForecastGain {
  /** Judged runs in which the forecasts differ; runs of one group count as one. */
  readonly runs: number;
  /** Improvement of the logarithmic score in bits per step; see `Forecasts.gainBits`. */
  readonly gainBits: number;
  /** One-sided, by random sign flips of the runs; null if fewer than 20 runs differ. */
  readonly pValue: number | null;
}

/**
 * Forecasts of a target from contexts alone, compared with forecasts that also know a predicate's value. Both are trained on one part of
 * the runs and judged on the other, run by run, because runs are independent and their steps are not.
 */
export class Forecasts {
  readonly #target: Target;
  readonly #split: Split;
  /** The context and the cell (a context with an outcome) of each step, as numbered in training; -1 if training has none. */
  readonly #contextOf: Int32Array;
  readonly #cellOf: Int32Array;
  /** The context of each cell, and how often the cell was seen in training. */
  readonly #contextOfCell: number[] = [];
  readonly #cells: number[] = [];
  readonly #contexts: number[] = [];
  readonly #outcomes: number[] = [];

  constructor(target: Target, split: Split) {
    this.#target = target;
    this.#split = split;
    const { context, outcome, runStart } = target;
    this.#contextOf = new Int32Array(context.length).fill(-1);
    this.#cellOf = new Int32Array(context.length).fill(-1);
    const numbers = new Map<number, { readonly context: number; readonly cells: Map<number, number> }>();
    for (const run of split.trained) {
      for (let i = runStart[run]; i < runStart[run + 1]; i++) {
        if (context[i] < 0 || outcome[i] < 0) continue;
        let known = numbers.get(context[i]);
        if (known === undefined) {
          known = { context: this.#contexts.length, cells: new Map() };
          numbers.set(context[i], known);
          this.#contexts.push(0);
          this.#outcomes.push(0);
        }
        let cell = known.cells.get(outcome[i]);
        if (cell === undefined) {
          cell = this.#cells.length;
          known.cells.set(outcome[i], cell);
          this.#cells.push(0);
          this.#contextOfCell.push(known.context);
          this.#outcomes[known.context]++;
        }
        this.#cells[cell]++;
        this.#contexts[known.context]++;
        this.#contextOf[i] = known.context;
        this.#cellOf[i] = cell;
      }
    }
    for (const run of split.judged) {
      for (let i = runStart[run]; i < runStart[run + 1]; i++) {
        if (context[i] < 0 || outcome[i] < 0) continue;
        const known = numbers.get(context[i]);
        this.#contextOf[i] = known?.context ?? -1;
        this.#cellOf[i] = known?.cells.get(outcome[i]) ?? -1;
      }
    }
  }

  /**
   * The information that a predicate's value adds on held-out runs: the logarithmic score with it minus the score without, in bits per
   * step. If a run has a single outcome, the mean over its steps, and then over runs.
   */
  gainBits(holds: Uint8Array): number {
    return this.#judge(holds).gainBits;
  }

  /** As `gainBits`, with a test of whether the gain exceeds chance. */
  judge(holds: Uint8Array, random: Random): ForecastGain {
    const { gainBits, gains } = this.#judge(holds);
    const runs = gains.length;
    return { runs, gainBits, pValue: runs < LEAST_RUNS ? null : signValue(gains, random) };
  }

  #judge(holds: Uint8Array): { gainBits: number; gains: number[] } {
    const trained = this.#count(holds);
    const { runStart, groups, ofRun } = this.#target;
    const gains = new Map<number, number>();
    let total = 0;
    let weight = 0;
    for (const run of this.#split.judged) {
      let gain = 0;
      let forecasts = 0;
      for (let i = runStart[run]; i < runStart[run + 1]; i++) {
        const context = this.#contextOf[i];
        if (context < 0) continue;
        gain += this.#gain(context, this.#cellOf[i], holds[i] === 1, trained);
        forecasts++;
      }
      if (forecasts === 0) continue;
      if (ofRun) gain /= forecasts;
      total += gain;
      weight += ofRun ? 1 : forecasts;
      if (gain !== 0) gains.set(groups[run], (gains.get(groups[run]) ?? 0) + gain);
    }
    return { gainBits: weight === 0 ? 0 : total / Math.LN2 / weight, gains: [...gains.values()] };
  }

  /** Steps in training at which the predicate holds, per cell and per context. */
  #count(holds: Uint8Array): { cells: Float64Array; contexts: Float64Array } {
    const cells = new Float64Array(this.#cells.length);
    const contexts = new Float64Array(this.#contexts.length);
    const { runStart } = this.#target;
    for (const run of this.#split.trained) {
      for (let i = runStart[run]; i < runStart[run + 1]; i++) {
        if (holds[i] === 0 || this.#cellOf[i] < 0) continue;
        cells[this.#cellOf[i]]++;
        contexts[this.#contextOf[i]]++;
      }
    }
    return { cells, contexts };
  }

  /** ln of the probability of an outcome forecast with the predicate, relative to the forecast without. */
  #gain(
    context: number,
    cell: number,
    held: boolean,
    { cells, contexts }: { cells: Float64Array; contexts: Float64Array },
  ): number {
    // Each outcome seen counts half a draw more, and so do all unseen outcomes together, if there are any.
    const possible = this.#target.outcomes ?? this.#outcomes[context] + 1;
    const all = this.#contexts[context];
    const ofAll = cell < 0 ? 0 : this.#cells[cell];
    const prior = WEIGHT * ((ofAll + 0.5) / (all + possible / 2));
    const draws = held ? contexts[context] : all - contexts[context];
    const seen = cell < 0 ? 0 : held ? cells[cell] : ofAll - cells[cell];
    // Both are shrunk towards the same prior, so a predicate that never changes here gains nothing.
    return Math.log(((seen + prior) * (all + WEIGHT)) / ((ofAll + prior) * (draws + WEIGHT)));
  }
}

/** How often the sum would be as large if each run's gain were equally likely to be a loss. */
function signValue(gains: readonly number[], random: Random): number {
  const sum = gains.reduce((total, gain) => total + gain, 0);
  const size = gains.reduce((total, gain) => total + Math.abs(gain), 0);
  let atLeast = 0;
  for (let drawn = 0; drawn < SIGNS; drawn++) {
    let bits = 0;
    let signed = 0;
    for (let i = 0; i < gains.length; i++) {
      if ((i & 31) === 0) bits = random.bits();
      signed += bits & 1 ? gains[i] : -gains[i];
      bits >>>= 1;
    }
    if (signed >= sum - 1e-12 * size) atLeast++;
  }
  return (atLeast + 1) / (SIGNS + 1);
}
