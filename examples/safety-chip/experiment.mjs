import { wilsonInterval } from 'foreguard/study';
import { householdTasks, Random } from 'foreguard-worlds';
import { difference } from '../agents/runs.mjs';
import { progress } from '../household/terminal.mjs';
import { runWay, ways } from './agents.mjs';
import { House } from './house.mjs';
import { learnGuard } from './learnt.mjs';
import { modelWays, runModel } from './model.mjs';
import { drawSet, search } from './search.mjs';

/** With what each way is compared, run by run. */
export const RIVAL = 'refused';

/** What came of all ways under sets of each size; `missing` counts the sets that could not be drawn. */
export async function experiment(constraints, plan) {
  const houses = housesOf(plan);
  const guards = new Map();
  for (const [i, task] of householdTasks.entries()) {
    progress(`learning ${task.name} from ${plan.learnt} runs`);
    guards.set(
      task.name,
      await learnGuard(houses[i], constraints, { seed: plan.seeds.learning, runs: plan.learnt }),
    );
  }
  return plan.sizes.map((size) => {
    const cases = casesOf(constraints, houses, size, plan);
    const outcomes = new Map(ways.map(({ name }) => [name, []]));
    for (const [i, { house, set, seed }] of cases.drawn.entries()) {
      if (i % 50 === 0) progress(`${size} constraints: run ${i} of ${cases.drawn.length}`);
      for (const way of ways)
        outcomes
          .get(way.name)
          .push(runWay(way, house, set, new Random(plan.seeds.runs, seed), guards.get(house.task.name)));
    }
    const shortest = cases.drawn.map(({ house, set }) => search(house, set).length - 1);
    return {
      size,
      runs: cases.drawn.length,
      missing: cases.missing,
      ways: ways.map(({ name, isGuarded = false }) => ({
        name,
        isGuarded,
        ...summarise(outcomes.get(name), shortest),
        againstRival: difference(...[name, RIVAL].map((one) => outcomes.get(one).map(isSafelyDone))),
      })),
    };
  });
}

const housesOf = (plan) =>
  householdTasks.map((task) =>
    Array.from({ length: plan.houses }, (_, i) => new House(task, plan.seeds.sets + i)),
  );

/** The same for ways of a language model, one run after the other; beside them, an agent that is told nothing and one that searches. */
export async function modelExperiment(constraints, plan, model) {
  const houses = housesOf(plan);
  const cells = [];
  const bounds = ways.filter(({ name, isSearch }) => isSearch || name === 'told nothing');
  for (const size of plan.sizes) {
    const { drawn, missing } = casesOf(constraints, houses, size, plan);
    const shortest = drawn.map(({ house, set }) => search(house, set).length - 1);
    const outcomes = new Map([...bounds, ...modelWays].map(({ name }) => [name, []]));
    for (const [i, { house, set, seed }] of drawn.entries()) {
      progress(`${size} constraints: run ${i} of ${drawn.length}`);
      for (const way of bounds)
        outcomes.get(way.name).push(runWay(way, house, set, new Random(plan.seeds.runs, seed)));
      for (const way of modelWays) outcomes.get(way.name).push(await runModel(way, house, set, model));
    }
    const rival = outcomes.get(modelWays[0].name);
    cells.push({
      size,
      runs: drawn.length,
      missing,
      ways: [...bounds, ...modelWays].map(({ name, isGuarded = false }) => ({
        name,
        isGuarded,
        ...summarise(outcomes.get(name), shortest),
        againstRival: difference(outcomes.get(name).map(isSafelyDone), rival.map(isSafelyDone)),
      })),
    });
  }
  return cells;
}

function casesOf(constraints, houses, size, plan) {
  const drawn = [];
  let missing = 0;
  for (let seed = 0; seed < plan.runs; seed++) {
    const house = houses[seed % houses.length][Math.floor(seed / houses.length) % plan.houses];
    if (seed % 50 === 0) progress(`${size} constraints: set ${seed} of ${plan.runs}`);
    const set = drawSet(house, constraints, size, new Random(plan.seeds.sets, 1000 * seed + size));
    if (set === null) missing++;
    else drawn.push({ house, set, seed });
  }
  return { drawn, missing };
}

const isSafelyDone = ({ isEndKept, isDone }) => isEndKept && isDone;

function summarise(runs, shortest) {
  const share = (holds) => wilsonInterval(runs.filter(holds).length, runs.length);
  const mean = (of) => runs.reduce((sum, run, i) => sum + of(run, i), 0) / runs.length;
  const done = runs.flatMap((run, i) => (isSafelyDone(run) ? [run.steps / shortest[i]] : []));
  return {
    kept: share(({ isKept }) => isKept),
    endKept: share(({ isEndKept }) => isEndKept),
    done: share(({ isDone }) => isDone),
    safelyDone: share(isSafelyDone),
    steps: mean(({ steps }) => steps),
    /** Of runs safely done: steps in proportion to the fewest possible. */
    detour: done.reduce((sum, ratio) => sum + ratio, 0) / done.length,
    refusals: mean(({ refusals }) => refusals),
    proposals: mean(({ proposals }) => proposals),
    redundant: mean(({ redundant }) => redundant),
    inexecutable: mean(({ inexecutable }) => inexecutable),
  };
}
