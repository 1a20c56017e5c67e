import { Abstraction, compileGuard, learn, replay } from 'foreguard';
import { areaUnderRoc, clopperPearsonInterval } from 'foreguard/study';
import { eachFold } from '../measures/folds.mjs';

/**
 * @typedef {import('./recordings.mjs').Run} Run
 * @typedef {import('foreguard').Specification} Specification
 * @typedef {import('foreguard').RuleReplay & { group: string, fold: number, id: string }} Outcome
 */

/** @param {Specification} specification @param {readonly Run[]} runs */
export async function learnFrom(specification, runs) {
  const abstraction = new Abstraction(specification.abstraction);
  return learn(
    abstraction,
    runs.map(({ trace }) => trace),
    specification.learning,
  );
}

/**
 * What a guard would have found on the tested runs.
 *
 * @param {import('foreguard').GuardFile} guardFile with one rule
 * @param {readonly Run[]} runs
 * @param {number} fold
 * @returns {Promise<{ outcomes: Outcome[], unknownSteps: number }>}
 */
export async function replayRuns(guardFile, runs, fold) {
  const { traces, totals } = await replay(
    guardFile,
    runs.map(({ trace }) => trace),
  );
  const [{ name }] = guardFile.rules;
  const outcomes = traces.map(({ id, rules }, i) => ({ ...rules[name], id, group: runs[i].group, fold }));
  return { outcomes, unknownSteps: totals[name].unknown };
}

/**
 * Learns on all folds but one and replays that one, for each in turn: every run is tested once, by a chain that saw no run of
 * its task.
 *
 * @param {Specification} specification with one rule
 * @param {readonly Run[]} runs
 * @param {ReadonlyMap<string, number>} foldOf each group's fold
 */
export async function crossValidate(specification, runs, foldOf) {
  const outcomes = [];
  const splits = [];
  let unknownSteps = 0;
  for (const { fold, training, tested } of eachFold(runs, foldOf)) {
    const { model, report } = await learnFrom(specification, training);
    const found = await replayRuns(compileGuard(specification, model), tested, fold);
    outcomes.push(...found.outcomes);
    unknownSteps += found.unknownSteps;
    splits.push({ fold, trained: training.length, tested: tested.length, states: report.states.seen });
  }
  return { outcomes, splits, unknownSteps };
}

/**
 * Totals of outcomes, with intervals of 95% that take runs as independent. Runs in which the guard acted, in time, only because it came to a state that it could not
 * judge are neither predicted nor false alarms: they are counted apart, in `unknownBefore` and `unknownKept`. Runs of which it is not known whether they keep the rule, since they were cut, are
 * `open`, and count in no rate.
 *
 * @param {readonly Outcome[]} outcomes
 */
export function summarise(outcomes) {
  const violated = outcomes.filter(({ violatedAt }) => violatedAt !== null);
  const keeping = outcomes.filter(({ verdict }) => verdict === 'kept');
  const met = ({ first, violatedAt }) => isBefore(first.threshold, violatedAt);
  const onlyUnknown = (one) => !met(one) && isBefore(one.first.unknown, one.violatedAt);
  const predicted = violated.filter(met);
  const unknownBefore = violated.filter(onlyUnknown).length;
  const falseAlarms = keeping.filter(met).length;
  const ahead = predicted.map(({ first, violatedAt }) => violatedAt - first.threshold);
  return {
    tested: outcomes.length,
    violations: violated.length,
    predicted: predicted.length,
    unknownBefore,
    missed: violated.length - predicted.length - unknownBefore,
    falseAlarms,
    open: outcomes.filter(({ verdict }) => verdict === 'open').length,
    unknownKept: keeping.filter(onlyUnknown).length,
    meanStepsAhead: ahead.length > 0 ? ahead.reduce((sum, steps) => sum + steps, 0) / ahead.length : null,
    predictedRate: clopperPearsonInterval(predicted.length, violated.length),
    falseAlarmRate: clopperPearsonInterval(falseAlarms, keeping.length),
  };
}

/**
 * Of the largest risk before a violation, against whether there was one, in the runs of which that is known. A state that could not be judged counts as risk 1.
 *
 * @param {readonly Outcome[]} outcomes
 */
export function areaOf(outcomes) {
  return areaUnderRoc(
    outcomes
      .filter(({ verdict }) => verdict !== 'open')
      .map(({ maxRisk, firstUnknown, violatedAt, group, fold }) => ({
        score: isBefore(firstUnknown, violatedAt) ? 1 : (maxRisk ?? 0),
        happened: violatedAt !== null,
        group,
        fold,
      })),
  );
}

/** @param {number | null} step @param {number | null} violatedAt */
const isBefore = (step, violatedAt) => step !== null && (violatedAt === null || step < violatedAt);
