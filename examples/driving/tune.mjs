// What is chosen on the drives for tuning: predicates, by the Brier score of the risks (smaller is better) and warning, and how far the
// robustness baseline extrapolates, by what it detects where one lawful drive in ten may have an alarm. Nothing here sees the
// drives that judge. Run it with: npm run build && node examples/driving/tune.mjs [scenario]
import { drivingScenarios } from 'foreguard-worlds';
import { baselineRuns } from './baseline.mjs';
import { context, predicatesOf } from './context.mjs';
import { atPrice, judgeGuard, operatingPoints } from './foresight.mjs';
import { learnScenario } from './learnt.mjs';
import { tuning } from './plan.mjs';

const horizons = [0, 0.5, 1, 2];
const [only] = process.argv.slice(2);

const foreseen = (runs) => {
  const point = atPrice(operatingPoints(runs), 0.1);
  if (point === undefined) return 'nothing at this price';
  return `${(100 * point.detectionRate).toFixed(0)}% detected, ${point.warningSeconds.toFixed(2)} s ahead`;
};

for (const scenario of drivingScenarios.filter(({ name }) => only === undefined || name === only)) {
  const { name } = scenario;
  console.log(`${name}:`);
  const choices = { 'law only': {}, context: context[name], 'with a ladder': predicatesOf(name) };
  let runs;
  for (const [choice, predicates] of Object.entries(choices)) {
    const { guardFile, report } = await learnScenario(scenario, { predicates, ...tuning.learn });
    const judged = await judgeGuard(guardFile, scenario, tuning.judge);
    runs = judged.runs;
    const { brier, area } = judged;
    console.log(
      `  ${choice}: Brier ${brier.score.toFixed(4)}, skill ${brier.skill.toFixed(2)}, area ${area.toFixed(3)}, ` +
        `${report.states.model} states; ${foreseen(runs)}`,
    );
  }
  const { firstSeed, ofBaseline } = tuning.judge;
  for (const horizon of horizons) {
    console.log(
      `  baseline, ${horizon} s: ${foreseen(baselineRuns(scenario, { firstSeed, count: ofBaseline }, runs, horizon))}`,
    );
  }
}
