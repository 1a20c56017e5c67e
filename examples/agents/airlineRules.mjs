import { createGuard } from 'foreguard';
import { createSession } from 'foreguard/enforce';
import { readTraceFiles } from 'foreguard/node';
import { compileRules } from 'foreguard/rules';
import { clopperPearsonInterval } from 'foreguard/study';
import { dealFolds } from '../measures/folds.mjs';
import { crossForecast } from './forecasts.mjs';

/** From which risk on a run is warned. */
const THRESHOLDS = [0.2, 0.3, 0.4, 0.5];

const groupOf = ({ id }) => id.replace(/-trial-\d+$/, '');

/**
 * tau-bench's airline: the calls that three exact rules stop, from the first call on, and how often a model of each rule's own predicates warns of the first of them
 * before it is proposed. Each conversation is judged by models that saw none of its task.
 *
 * @param {string} path
 * @param {{ rules: object, warnings: object[], folds: number, foldSeed: number }} options specifications
 */
export async function airlineRules(path, { rules, warnings, folds, foldSeed }) {
  const traces = [];
  for await (const trace of readTraceFiles([path], { format: 'tau-bench' })) traces.push(trace);
  const enforced = await enforce(compileRules(rules), traces);
  const runs = traces.map((trace) => ({ trace: { ...trace, complete: true }, group: groupOf(trace) }));
  const foldOf = dealFolds(
    runs.map(({ group }) => group),
    folds,
    foldSeed,
  );
  const scores = new Map(traces.map(({ id }) => [id, []]));
  const states = [];
  for (const specification of warnings) {
    const found = await crossForecast(specification, runs, foldOf);
    for (const { id, scores: risks } of found.forecasts) scores.get(id).push(risks);
    states.push({
      rule: specification.rules[0].name,
      states: [Math.min(...found.states), Math.max(...found.states)],
    });
  }
  const warned = (threshold) => (run) =>
    scores
      .get(run.id)
      .some((risks) => risks.slice(0, run.stoppedAt ?? undefined).some((risk) => risk >= threshold));
  const violating = enforced.runs.filter(({ stoppedAt }) => stoppedAt !== null);
  const clean = enforced.runs.filter(({ stoppedAt }) => stoppedAt === null);
  const share = (some, holds) => clopperPearsonInterval(some.filter(holds).length, some.length);
  return {
    conversations: traces.length,
    calls: enforced.calls,
    stopped: enforced.stopped,
    violating: violating.length,
    states,
    warnings: THRESHOLDS.map((threshold) => ({
      threshold,
      violating: share(violating, warned(threshold)),
      clean: share(clean, warned(threshold)),
    })),
  };
}

/** Proposes the recorded calls to sessions on the rules alone; a call that was refused has not run. */
async function enforce(file, traces) {
  const tools = [
    ...new Set(traces.flatMap(({ steps }) => steps.flatMap(({ action }) => action?.name ?? []))),
  ];
  const guard = createGuard(file);
  const found = { calls: 0, stopped: 0, runs: [] };
  for (const { id, steps } of traces) {
    const session = createSession({ guard: guard.fork(), tools });
    let stoppedAt = null;
    for (const [i, { action }] of steps.entries()) {
      if (action === undefined) continue;
      const verdict = await session.decide({
        id: String(i),
        name: action.name,
        arguments: action.arguments ?? {},
      });
      found.calls++;
      if (verdict.run === null) {
        found.stopped++;
        stoppedAt ??= i;
      } else await session.ran(verdict, { result: null });
    }
    await session.end();
    found.runs.push({ id, stoppedAt });
  }
  return found;
}
