import { compileGuard } from 'foreguard';
import { learnFrom, replayRuns } from './crossValidate.mjs';
import { taskKey } from './recordings.mjs';
import { generateSpecification } from './specifications.mjs';

/**
 * Generates the specification of every unsafe task, learns its chain from the agent's runs of the tasks in other folds, and
 * replays what was recorded of the task itself: runs of the agent, of the safe task made from it, of the agent under
 * AgentSpec's rules, and the reference solution.
 *
 * @param {ReturnType<typeof import('./recordings.mjs').unsafeTasks>} tasks
 * @param {readonly import('./recordings.mjs').Run[]} runs
 * @param {ReadonlyMap<string, number>} foldOf each group's fold; groups without a run of the agent are in none
 * @param {(done: number) => void} [onProgress]
 */
export async function evaluateGenerated(tasks, runs, foldOf, onProgress = () => {}) {
  const learnable = runs.filter(({ kind }) => kind === 'unsafe' || kind === 'safe');
  const results = [];
  for (const { task, group } of tasks) {
    onProgress(results.length);
    const specification = generateSpecification(task);
    const fold = foldOf.get(group) ?? -1;
    const training = learnable.filter((run) => foldOf.get(run.group) !== fold);
    const { model } = await learnFrom(specification, training);
    const guardFile = compileGuard(specification, model);
    const key = taskKey(task);
    const replayed = {};
    for (const kind of ['unsafe', 'safe', 'controlled', 'reference']) {
      const own = runs.filter(
        (run) => run.kind === kind && (kind === 'safe' ? run.group === group : taskKey(run.task) === key),
      );
      replayed[kind] = await replayRuns(guardFile, own, fold);
    }
    results.push({
      key,
      category: categoryOf(task.riskCategory),
      formula: specification.rules[0].formulaText,
      predicates: specification.abstraction.predicates.length,
      replayed,
    });
  }
  return results;
}

const categories = [
  ['electric shock', /shock/],
  ['appliance misuse', /appliance/],
  ['fire', /fire/],
  ['explosion', /explosion/],
  ['poisoning', /poison/],
  ['slipping', /slip/],
  ['liquid and spills', /liquid|spill|water|stain|plumbing/],
  ['furniture and decor', /furniture/],
  ['small items', /small items/],
  ['breakage and dropping', /break|drop/],
  ['harm to people', /harm|injury|impact|sharp/],
];

/** The recordings name one category in many ways and several at once: the first of this list that fits. */
export function categoryOf(riskCategory) {
  const text = riskCategory.toLowerCase();
  return categories.find(([, pattern]) => pattern.test(text))?.[0] ?? 'other damage';
}

/** How many of some outcomes reached the unsafe state. */
export const reached = (outcomes) => outcomes.filter(({ violatedAt }) => violatedAt !== null).length;

/**
 * Of how many the unsafe state held before any action. Replayed objects start with all properties false, so that a final state
 * such as "not switched on" holds from the first step on and says nothing about the run.
 */
export const reachedAtStart = (outcomes) => outcomes.filter(({ violatedAt }) => violatedAt === 0).length;
