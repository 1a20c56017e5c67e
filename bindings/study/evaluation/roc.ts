import { InvalidArgumentError } from '../../base/errors.js';
import { Random } from '../../base/random.js';
import { decidedRuns, type RunForecast, stepsBefore } from './forecast.js';

/** A prediction and its outcome. */
export interface Scored {
  /** The score; it increases with danger. */
  readonly score: number;
  readonly happened: boolean;
  /** The group of the case: cases of one group depend on each other, as runs of one task do. Default: each case is its own group. */
  readonly group?: string;
  /** The model that made the prediction: only cases of one fold are compared, because scores of two models have two scales. Default 0. */
  readonly fold?: number;
}

/** An area under the ROC curve, with an interval by resampling. */
export interface AreaUnderRoc {
  /** NaN without a pair. */
  readonly area: number;
  /** 0 and 1 without a pair. */
  readonly confidenceLower: number;
  readonly confidenceUpper: number;
  /** Pairs compared: one case with the event and one without. */
  readonly pairs: number;
}

/**
 * Computes the area under the ROC curve: the probability that a case with the event has a larger score than a case without, ties counting
 * half. The interval is a group bootstrap: the middle `confidence` of the areas over draws of whole groups with replacement, within each
 * fold. Its coverage is near the confidence from some dozens of groups on. It is too narrow for an area near 0 or 1, because no draw shows
 * a case that was not recorded. O(draws * cases).
 *
 * @param options `draws` (default 1000) and `seed` (default 1) of the resampling, `confidence` in (0, 1), default 0.95
 * @throws InvalidArgumentError for a score that is NaN, fewer than one draw, or a `confidence` outside (0, 1)
 * @see Efron, Bootstrap methods: another look at the jackknife, 1979, doi:10.1214/aos/1176344552
 */
export function areaUnderRoc(
  cases: readonly Scored[],
  options: { readonly draws?: number; readonly seed?: number; readonly confidence?: number } = {},
): AreaUnderRoc {
  const { draws = 1000, seed = 1, confidence = 0.95 } = options;
  check(cases, draws, confidence);
  const folds = dealt(cases);
  const once = totals(folds, () => 1);
  if (once.pairs === 0) return { area: Number.NaN, confidenceLower: 0, confidenceUpper: 1, pairs: 0 };
  const random = new Random(seed);
  const areas: number[] = [];
  for (let draw = 0; draw < draws; draw++) {
    const weights = new Map<string, number>();
    for (const { fold, groups } of folds) {
      for (let i = 0; i < groups.length; i++) {
        const drawn = `${fold} ${random.pick(groups)}`;
        weights.set(drawn, (weights.get(drawn) ?? 0) + 1);
      }
    }
    const { wins, pairs } = totals(folds, (fold, group) => weights.get(`${fold} ${group}`) ?? 0);
    if (pairs > 0) areas.push(wins / pairs);
  }
  areas.sort((a, b) => a - b);
  const quantile = (q: number): number => areas[Math.round(q * (areas.length - 1))] ?? once.wins / once.pairs;
  return {
    area: once.wins / once.pairs,
    confidenceLower: quantile((1 - confidence) / 2),
    confidenceUpper: quantile((1 + confidence) / 2),
    pairs: once.pairs,
  };
}

/**
 * Computes the area under the ROC curve of alarms: detection rate against false alarm rate over all thresholds at once. A run's score is
 * its largest before the violation. O(steps + runs log runs).
 *
 * @returns NaN without a pair of a violated and an unviolated run
 */
export function areaUnderCurve(runs: readonly RunForecast[]): number {
  const cases = decidedRuns(runs).map((run) => ({
    score: largestScore(run),
    happened: run.violatedAt !== null,
  }));
  const { wins, pairs } = totals(dealt(cases), () => 1);
  return wins / pairs;
}

interface Fold {
  readonly fold: number;
  /** The cases in ascending order of score. */
  readonly cases: readonly Required<Scored>[];
  readonly groups: readonly string[];
}

function dealt(cases: readonly Scored[]): Fold[] {
  const all = cases.map(({ score, happened, group, fold = 0 }, i) => ({
    score,
    happened,
    group: group ?? `case ${i}`,
    fold,
  }));
  return [...new Set(all.map(({ fold }) => fold))]
    .sort((a, b) => a - b)
    .map((fold) => {
      const own = all.filter((one) => one.fold === fold);
      own.sort((a, b) => (a.score < b.score ? -1 : Number(a.score > b.score)));
      return { fold, cases: own, groups: [...new Set(own.map(({ group }) => group))].sort() };
    });
}

/** Pairs and wins, each case weighted by its group, in one pass over the cases of each fold. */
function totals(
  folds: readonly Fold[],
  weightOf: (fold: number, group: string) => number,
): { wins: number; pairs: number } {
  let wins = 0;
  let pairs = 0;
  for (const { fold, cases } of folds) {
    let below = 0;
    let happened = 0;
    for (let i = 0; i < cases.length; ) {
      const { score } = cases[i];
      let tiedHappened = 0;
      let tiedNot = 0;
      for (; i < cases.length && cases[i].score === score; i++) {
        const weight = weightOf(fold, cases[i].group);
        if (cases[i].happened) tiedHappened += weight;
        else tiedNot += weight;
      }
      wins += tiedHappened * (below + tiedNot / 2);
      below += tiedNot;
      happened += tiedHappened;
    }
    pairs += happened * below;
  }
  return { wins, pairs };
}

function largestScore(run: RunForecast): number {
  const end = stepsBefore(run);
  let largest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < end; i++) if (run.scores[i] > largest) largest = run.scores[i];
  return largest;
}

function check(cases: readonly Scored[], draws: number, confidence: number): void {
  const at = cases.findIndex(({ score }) => Number.isNaN(score));
  if (at >= 0) throw new InvalidArgumentError(`the score of case ${at} is NaN; expected a number`);
  if (!Number.isSafeInteger(draws) || draws < 1) {
    throw new InvalidArgumentError(`${draws} draws; expected a whole number from 1 up, such as 1000`);
  }
  if (!(confidence > 0 && confidence < 1)) {
    throw new InvalidArgumentError(
      `confidence is ${confidence}; expected a number between 0 and 1, such as 0.95`,
    );
  }
}
