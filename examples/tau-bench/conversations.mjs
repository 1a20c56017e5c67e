import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  Abstraction,
  compileGuard,
  createGuard,
  learn,
  parseSpecification,
  readTauBenchResults,
  replay,
} from 'foreguard';
import { nodeStorage, readTraceFiles } from 'foreguard/node';
import { clopperPearsonInterval } from 'foreguard/study';
import { eachFold } from '../measures/folds.mjs';

export function airlineSpecification() {
  const path = fileURLToPath(new URL('airline.yaml', import.meta.url));
  return parseSpecification(readFileSync(path, 'utf8'), { source: 'airline.yaml' });
}

/**
 * The conversations as a session would see them, and one step more, in which the judge speaks: `judged` is true there, and `failed` where the judge found the task
 * undone; both are false before.
 *
 * @param {string} path
 * @returns {Promise<{ trace: import('foreguard').Trace, group: string, failed: boolean }[]>} `group`: the task
 */
export async function readConversations(path) {
  const results = new Map();
  for await (const [result] of readTauBenchResults(nodeStorage.read(path), { source: path }))
    results.set(result.id, result);
  const conversations = [];
  for await (const trace of readTraceFiles([path], { format: 'tau-bench' })) {
    const { task, reward } = results.get(trace.id);
    const failed = reward === 0;
    conversations.push({ trace: judged(trace, failed), group: `task-${task}`, failed });
  }
  return conversations;
}

function judged({ id, steps }, failed) {
  const seen = steps.map((step) => ({ ...step, state: { ...step.state, judged: false, failed: false } }));
  return { id, complete: true, steps: [...seen, { state: { ...steps.at(-1).state, judged: true, failed } }] };
}

/** Learns from conversations. */
export function learnFrom(specification, conversations) {
  return learn(
    new Abstraction(specification.abstraction),
    conversations.map(({ trace }) => trace),
    specification.learning,
  );
}

/**
 * The risk at every step of every conversation but the last, where the judge has spoken, and the outcome of its replay, from a
 * chain that saw no conversation of its task.
 *
 * @param {import('foreguard').Specification} specification with one rule
 * @param {Awaited<ReturnType<typeof readConversations>>} conversations
 * @param {ReadonlyMap<string, number>} foldOf each task's fold
 */
export async function predict(specification, conversations, foldOf) {
  const predictions = [];
  const splits = [];
  for (const { fold, training, tested } of eachFold(conversations, foldOf)) {
    const { model, report } = await learnFrom(specification, training);
    const guardFile = compileGuard(specification, model);
    const guard = createGuard(guardFile);
    const { traces } = await replay(
      guardFile,
      tested.map(({ trace }) => trace),
    );
    for (const [i, { trace, group, failed }] of tested.entries()) {
      guard.reset();
      const steps = trace.steps.slice(0, -1).map((step) => guard.step(step.state, step));
      const risks = steps.map(({ risk }) => risk);
      const unknown = steps.map(({ reason }) => reason === 'unknown-state');
      const [outcome] = Object.values(traces[i].rules);
      predictions.push({ id: trace.id, group, fold, failed, risks, unknown, outcome });
    }
    splits.push({ fold, trained: training.length, tested: tested.length, states: report.states.seen });
  }
  return { predictions, splits };
}

/**
 * Predicted against observed failure at one step: predictions in bands of equal width, with 95% intervals of the rates.
 *
 * @param {readonly { score: number, happened: boolean }[]} scored
 * @param {number} bands
 */
export function calibration(scored, bands) {
  return Array.from({ length: bands }, (_, band) => {
    const cases = scored.filter(({ score }) => Math.min(bands - 1, Math.floor(score * bands)) === band);
    const failures = cases.filter(({ happened }) => happened).length;
    return {
      from: band / bands,
      to: (band + 1) / bands,
      conversations: cases.length,
      meanRisk: cases.reduce((sum, { score }) => sum + score, 0) / cases.length,
      failures,
      observed: clopperPearsonInterval(failures, cases.length),
    };
  }).filter(({ conversations }) => conversations > 0);
}
