import { areaUnderCurve, brierScore, detection, forecastRuns, reliability } from 'foreguard/study';
import { drives, ruleName } from './learnt.mjs';

/** Thresholds of the second paper: it acts where the probability of keeping the law is below θ, at a risk above 1 − θ. */
export const minimumSafe = [0.3, 0.5, 0.7];
/** REDriver's: it acts where the robustness is below. */
export const robustnessThresholds = [0.4, 0.8, 1.2];

/** What a guard predicts on drives that nothing was learnt from, and how good that is. */
export async function judgeGuard(guardFile, scenario, range) {
  const { [ruleName]: runs } = await forecastRuns(guardFile, drives(scenario, range));
  return {
    runs,
    thresholds: minimumSafe.map((value) => ({ value, ...detection(runs, (risk) => 1 - risk < value) })),
    area: areaUnderCurve(runs),
    brier: brierScore(runs),
    bins: reliability(runs),
  };
}

/** The same of scores that say nothing of probability: alarms at thresholds of their own. */
export function judgeScores(runs, values, alarmsAt) {
  return {
    runs,
    thresholds: values.map((value) => ({ value, ...detection(runs, alarmsAt(value)) })),
    area: areaUnderCurve(runs),
  };
}

/**
 * Detection rate and warning against the false alarm rate, over thresholds at every so-many-th score, so that predictors on
 * different scales can be compared at the same price.
 */
export function operatingPoints(runs, points = 60) {
  const largest = runs.map(({ scores, violatedAt }) => {
    let most = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < (violatedAt ?? scores.length); i++) most = Math.max(most, scores[i]);
    return most;
  });
  const sorted = [...new Set(largest)].filter(Number.isFinite).sort((a, b) => b - a);
  const chosen = new Set(
    Array.from({ length: points }, (_, i) => sorted[Math.floor((i * (sorted.length - 1)) / (points - 1))]),
  );
  return [...chosen].map((threshold) => {
    const found = detection(runs, (score) => score >= threshold);
    return {
      threshold,
      falseAlarmRate: found.falseAlarmRate.rate,
      detectionRate: found.detectionRate.rate,
      warningSeconds: found.warningSecondsOfAll.mean,
    };
  });
}

/** Of operating points the one that detects most at no more than a rate of false alarms; undefined where none is that cheap. */
export function atPrice(points, most) {
  const affordable = points.filter(({ falseAlarmRate }) => falseAlarmRate <= most);
  if (affordable.length === 0) return undefined;
  // Thresholds descend, so that of two that detect as much the later warns no later.
  return affordable.reduce((a, b) => (b.detectionRate >= a.detectionRate ? b : a));
}
