import { parseFormula } from 'foreguard';
import { createGuard, createGuardStep } from 'foreguard/guard';
import { createRobustnessBaseline } from 'foreguard/study';
import { drives, judging } from './learnt.mjs';

/** How far ahead the baseline extrapolates: what served it best on the drives for tuning (`tune.mjs`). */
const defaultHorizonSeconds = 0.5;

/**
 * `collision == 1` has no slope, so that its robustness tells nothing until it is too late: where the law forbids collisions the
 * baseline is given distances. Those to people are not among the variables; that to their crosswalk is.
 */
const inDistances = {
  'left-turn': 'always (NearestNPCAhead > 0)',
  crosswalk: 'always ((PriorityPedsAhead == 1 implies crosswalkAhead > 0) and NPCAheadAhead > 0)',
};

function baselineOf(scenario, threshold, horizonSeconds = defaultHorizonSeconds) {
  const formula = parseFormula(inDistances[scenario.name] ?? scenario.formula);
  return createRobustnessBaseline(formula, {
    samplingPeriod: 1 / scenario.hz,
    horizonSeconds,
    threshold,
    // As REDriver has it: codes and flags at a distance, too.
    equality: 'distance',
  });
}

/**
 * What the baseline makes of drives: the robustness after each step with its sign turned, so that larger is
 * worse. When the law was broken is what the guard's automaton found on the same drives.
 */
export function baselineRuns(scenario, range, judged, horizonSeconds) {
  const baseline = baselineOf(scenario, 0, horizonSeconds);
  return Array.from(drives(scenario, range), ({ steps }, i) => {
    baseline.reset();
    const scores = Float64Array.from(steps, ({ state }) => -baseline.step(state).robustness);
    const { violatedAt, times } = judged[i];
    return { scores, violatedAt, times };
  });
}

/** Supervision that yields below a robustness. A guard without a say judges. */
export function baselineSupervisor(scenario, guardFile, threshold) {
  const baseline = baselineOf(scenario, threshold);
  const judge = createGuard(judging(guardFile));
  const result = createGuardStep();
  return {
    reset() {
      baseline.reset();
      judge.reset();
    },
    override(drive) {
      judge.stepInto(drive.state, drive, result);
      return baseline.step(drive.state).intervene ? 'yield' : null;
    },
    get violated() {
      return judge.rules[0].violated;
    },
  };
}
