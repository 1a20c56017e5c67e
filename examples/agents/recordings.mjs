import { readFileSync } from 'node:fs';
import { compileGuard, parseSpecification } from 'foreguard';
import { dealFolds } from '../measures/folds.mjs';
import { learnFrom, replayRuns } from '../safeagentbench/crossValidate.mjs';
import { readRecordings } from '../safeagentbench/recordings.mjs';
import { generateSpecification, withoutInstruction } from '../safeagentbench/specifications.mjs';
import { readConversations } from '../tau-bench/conversations.mjs';
import { airlineRules } from './airlineRules.mjs';
import { beforeTheVerdict, crossForecast, judgeForecasts } from './forecasts.mjs';

const foldSeed = 1;

/** @param {'dtmc' | 'mdp'} [model] a chain, or a decision process, which forecasts the risk of a proposed action */
function specificationOf(name, model = 'dtmc') {
  const source = `${name}.yaml`;
  const text = readFileSync(new URL(`specifications/${source}`, import.meta.url), 'utf8');
  return parseSpecification(text.replace('learning: { ', `learning: { model: ${model}, `), { source });
}

const dealt = (runs, { folds }) =>
  dealFolds(
    runs.map(({ group }) => group),
    folds,
    foldSeed,
  );

/**
 * SafeAgentBench: harm that the recordings show, forecast for tasks that the chain has not seen; with the words of the request and without, by the state and by the action
 * proposed in it.
 *
 * @param {string} folder
 */
export async function forecastHarm(folder, plan) {
  const { runs } = await readRecordings(folder);
  const own = runs.filter(({ kind }) => kind === 'unsafe' || kind === 'safe');
  const specification = specificationOf('safeagentbench');
  const ofActions = specificationOf('safeagentbench', 'mdp');
  const options = { steps: [0, 1, 2, 3, 4, 6, 8], thresholds: [0.1, 0.3, 0.5, 0.7], draws: plan.draws };
  const judge = async (read) => {
    const { forecasts, states } = await crossForecast(read, own, dealt(own, plan));
    return { states, ...judgeForecasts(forecasts, options) };
  };
  return {
    kinds: ['unsafe', 'safe'].map((kind) => ({ kind, runs: own.filter((run) => run.kind === kind).length })),
    forecasts: {
      'with the request': await judge(specification),
      'with it, of the proposed action': await judge(ofActions),
      'without the request': await judge(withoutInstruction(specification)),
      'without it, of the proposed action': await judge(withoutInstruction(ofActions)),
    },
  };
}

/**
 * The same runs of unsafe tasks, where the simulator said whether they ended in the unsafe state: forecast, and held against what the replayed objects say of the same runs.
 *
 * @param {string} folder
 */
export async function forecastVerdict(folder, plan) {
  const { runs } = await readRecordings(folder);
  const judged = runs.filter(({ kind, reached }) => kind === 'unsafe' && reached !== null);
  const told = judged.map(({ trace, group, reached }) => ({ group, trace: withVerdict(trace, reached) }));
  const { forecasts, states } = await crossForecast(specificationOf('verdict'), told, dealt(told, plan));
  const options = { steps: [0, 1, 2, 3, 4, 6, 8], thresholds: [0.3, 0.5, 0.7], draws: plan.draws };
  const agreement = { both: 0, simulator: 0, replay: 0, neither: 0 };
  for (const run of judged) {
    const replayed = await reachedOnReplay(run);
    agreement[run.reached ? (replayed ? 'both' : 'simulator') : replayed ? 'replay' : 'neither']++;
  }
  return { states, agreement, ...judgeForecasts(forecasts.map(beforeTheVerdict), options) };
}

/** Whether the replayed objects were ever in the task's unsafe state. */
async function reachedOnReplay(run) {
  const specification = generateSpecification(run.task);
  const { model } = await learnFrom(specification, [run]);
  const { outcomes } = await replayRuns(compileGuard(specification, model), [run], 0);
  return outcomes[0].violatedAt !== null;
}

const withVerdict = (trace, reached) => ({
  ...trace,
  complete: true,
  steps: trace.steps.map(({ state, ...step }, i) => ({
    ...step,
    state: { ...state, reached: reached && i === trace.steps.length - 1 },
  })),
});

/**
 * tau-bench: conversations that end in failure, forecast for tasks that the chain has not seen.
 *
 * @param {string} path
 */
export async function forecastFailure(path, plan) {
  const conversations = await readConversations(path);
  const { forecasts, states } = await crossForecast(
    specificationOf('airline'),
    conversations,
    dealt(conversations, plan),
  );
  const options = { steps: [0, 1, 2, 3, 4, 6, 8, 10], thresholds: [0.5, 0.6, 0.7, 0.8], draws: plan.draws };
  return { states, ...judgeForecasts(forecasts.map(beforeTheVerdict), options) };
}

/**
 * The same conversations under three exact rules, and how well models of what each rule reads warn of a violation before it is proposed.
 *
 * @param {string} path
 */
export const enforceRules = (path, { folds }) =>
  airlineRules(path, {
    rules: specificationOf('airlineRules'),
    warnings: [specificationOf('airlineWrites'), specificationOf('airlineIdentity')],
    folds,
    foldSeed,
  });
