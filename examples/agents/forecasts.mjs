import { Abstraction, compileGuard, learn, learnMdp } from 'foreguard';
import { areaUnderRoc, brierScore, detection, forecastRuns, reliability } from 'foreguard/study';
import { eachFold } from '../measures/folds.mjs';

/**
 * @typedef {import('foreguard/study').RunForecast & { id: string, group: string, fold: number }} Forecast `id`: the run; `group`: the task; `fold`: the chain that predicted
 */

/**
 * Learns on all folds but one and forecasts that one, for each in turn: every run is forecast once, by a chain that saw no run of its task.
 *
 * @param {import('foreguard').Specification} specification with one rule; of a decision process, a forecast is the risk of the action proposed at the step
 * @param {readonly { trace: import('foreguard').Trace, group: string }[]} runs
 * @param {ReadonlyMap<string, number>} foldOf each task's fold
 * @returns {Promise<{ forecasts: Forecast[], states: number[] }>} `states`: those seen, by fold
 */
export async function crossForecast(specification, runs, foldOf) {
  const forecasts = [];
  const states = [];
  const learnModel = specification.learning.model === 'mdp' ? learnMdp : learn;
  for (const { fold, training, tested } of eachFold(runs, foldOf)) {
    const { model, report } = await learnModel(
      new Abstraction(specification.abstraction),
      training.map(({ trace }) => trace),
      specification.learning,
    );
    const guardFile = compileGuard(specification, model);
    const [rule] = Object.values(
      await forecastRuns(
        guardFile,
        tested.map(({ trace }) => trace),
      ),
    );
    rule.forEach((forecast, i) => {
      forecasts.push({ ...forecast, id: tested[i].trace.id, group: tested[i].group, fold });
    });
    states.push(report.states.seen);
  }
  return { forecasts, states };
}

/** A verdict spoken in a run's last step is known to nobody before: forecasts end with the step before it. A violation is at that last step, and no forecast from there on counts. */
export const beforeTheVerdict = ({ scores, violatedAt, ...run }) => ({
  ...run,
  scores: violatedAt === null ? scores.slice(0, -1) : scores,
  violatedAt: violatedAt === null ? null : Math.min(violatedAt, scores.length - 1),
});

/**
 * What forecasts are worth: areas under the ROC curve by step, among the runs that go on and have not come to harm, their calibration, and alarms.
 *
 * @param {readonly Forecast[]} all those whose outcome is not known are left out
 * @param {{ steps: number[], thresholds: number[], draws: number }} options
 */
export function judgeForecasts(all, { steps, thresholds, draws }) {
  // Of runs that were cut nobody knows what came of them.
  const forecasts = all.filter(({ open }) => open !== true);
  const happens = ({ violatedAt }) => violatedAt !== null;
  const until = ({ scores, violatedAt }) => (violatedAt === null ? scores.length : violatedAt);
  const area = (name, cases) => ({
    name,
    runs: cases.length,
    events: cases.filter(({ happened }) => happened).length,
    ...areaUnderRoc(cases, { draws }),
  });
  const scored = (run, score) => ({ score, happened: happens(run), group: run.group, fold: run.fold });
  const goingOn = (step) => forecasts.filter((run) => until(run) > step);
  return {
    runs: forecasts.length,
    events: forecasts.filter(happens).length,
    tasks: new Set(forecasts.map(({ group }) => group)).size,
    areas: [
      ...steps.map((step) =>
        area(
          `step ${step}`,
          goingOn(step).map((run) => scored(run, run.scores[step])),
        ),
      ),
      area(
        'largest of the run',
        goingOn(0).map((run) => scored(run, Math.max(...run.scores.slice(0, until(run))))),
      ),
    ],
    brier: brierScore(forecasts),
    bins: reliability(forecasts, { bins: 5 }).filter(({ runs }) => runs > 0),
    alarms: thresholds.map((threshold) => ({
      threshold,
      ...detection(forecasts, (risk) => risk >= threshold),
    })),
  };
}
