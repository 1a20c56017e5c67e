import { baselineRuns, baselineSupervisor } from './baseline.mjs';
import { predicatesOf } from './context.mjs';
import { compareDrives, guardSupervisor, superviseDrives } from './enforcement.mjs';
import { judgeGuard, judgeScores, operatingPoints, robustnessThresholds } from './foresight.mjs';
import { enforcing, judging, learnScenario } from './learnt.mjs';

/** Ways of supervising, the first of them none. The guard's θ is the least probability of keeping the law. */
const settings = [
  { name: 'none', group: 'none' },
  ...[0.5, 0.7, 0.9].map((value) => ({
    name: `yield, θ = ${value}`,
    group: 'yield',
    action: 'yield',
    value,
  })),
  ...[0.5, 0.7].map((value) => ({ name: `brake, θ = ${value}`, group: 'brake', action: 'brake', value })),
  ...robustnessThresholds.map((value) => ({
    name: `yield, ρ < ${value}`,
    group: 'robustness',
    action: 'yield',
    value,
  })),
];

/**
 * Everything about one scenario: learns, judges on other drives, and supervises live ones. Without `live`, only the guard is
 * judged.
 */
export async function runScenario(scenario, { learn, judge, live }) {
  const { name, law, description, hz } = scenario;
  const learnt = await learnScenario(scenario, { predicates: predicatesOf(name), ...learn });
  const minimal = await learnScenario(scenario, { predicates: {}, ...learn });
  const guard = await judgeGuard(learnt.guardFile, scenario, judge);
  const onlyLaw = await judgeGuard(minimal.guardFile, scenario, judge);
  const result = {
    name,
    law,
    description,
    hz: learn.hz ?? hz,
    abstraction: sizeOf(learnt),
    onlyLawAbstraction: sizeOf(minimal),
    guard: withoutRuns(guard),
    onlyLaw: withoutRuns(onlyLaw),
  };
  if (live === undefined) return result;
  const baseline = judgeScores(
    baselineRuns(scenario, judge, guard.runs),
    robustnessThresholds,
    (value) => (score) => -score < value,
  );
  return {
    ...result,
    baseline: withoutRuns(baseline),
    curves: {
      guard: operatingPoints(guard.runs),
      onlyLaw: operatingPoints(onlyLaw.runs),
      baseline: operatingPoints(baseline.runs),
    },
    enforcement: enforce(scenario, learnt, live),
  };
}

/** Each way of supervising against the same drives without. The baseline, which is slower, drives fewer of them. */
function enforce(scenario, { guardFile }, { firstSeed, count, ofBaseline }) {
  const supervisorOf = ({ group, action, value }) => {
    if (group === 'none') return guardSupervisor(judging(guardFile));
    if (group === 'robustness') return baselineSupervisor(scenario, guardFile, value);
    return guardSupervisor(enforcing(guardFile, value, action));
  };
  let free;
  return settings.map((setting) => {
    const drives = { firstSeed, count: setting.group === 'robustness' ? ofBaseline : count };
    const supervised = superviseDrives(scenario, drives, supervisorOf(setting));
    free ??= supervised;
    return { ...setting, ...compareDrives(supervised, free) };
  });
}

function sizeOf({ specification, report, guardFile }) {
  return {
    predicates: specification.abstraction.predicates.map(({ name }) => name),
    states: report.states.model,
    automatonStates: guardFile.rules[0].automaton.states,
    steps: report.steps,
  };
}

function withoutRuns({ runs, ...rest }) {
  return rest;
}
