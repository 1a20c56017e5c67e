import { type Replay, replay } from '../evaluation/index.js';
import { compileGuard } from '../risk/index.js';
import { loadLearntModel, loadSpecification, TraceFiles, type TraceOptions } from './load.js';
import { parsePrecision } from './numbers.js';
import { formatNumber, type Outcome, Progress, plural, type Terminal, table } from './terminal.js';

interface ReplayCommandOptions extends TraceOptions {
  readonly spec: string;
  readonly model: string;
  readonly precision: string;
  readonly explain?: boolean;
}

/** `foreguard replay`: what the guard would have done on recorded traces. */
export async function replayTraces(options: ReplayCommandOptions, terminal: Terminal): Promise<Outcome> {
  const specification = await loadSpecification(options.spec);
  const guard = compileGuard(specification, await loadLearntModel(options.model), {
    precision: parsePrecision(options.precision),
  });
  const progress = new Progress(terminal);
  const traces = new TraceFiles(options, specification, (read) =>
    progress.show(() => `${plural(read, 'trace')} replayed`),
  );
  const result = await replay(guard, traces, { explain: options.explain === true });
  progress.clear();
  const number = (value: number | null): string => (value === null ? '–' : formatNumber(value));
  const perTrace = result.traces.flatMap(({ id, steps, rules }) =>
    Object.entries(rules).map(([rule, { violatedAt, firstIntervention, decidedOn, maxRisk }]) => [
      id,
      rule,
      String(steps),
      number(violatedAt),
      `${number(firstIntervention)}${decidedOn === 'confidenceUpper' ? ' (confidence)' : ''}`,
      number(maxRisk),
    ]),
  );
  const totals = Object.entries(result.totals).map(([rule, total]) => [
    rule,
    ...[
      total.violations,
      total.predicted,
      total.missed,
      total.falseAlarms,
      total.unknown,
      total.meanStepsAhead,
      total.meanSecondsAhead,
    ].map(number),
  ]);
  const shown = perTrace.slice(0, 50);
  const text = [
    table(['trace', 'rule', 'steps', 'violated at', 'first intervention', 'largest risk'], shown),
    ...(perTrace.length > shown.length ? [`… ${perTrace.length - shown.length} more; --json has all`] : []),
    ...explanations(result),
    '',
    ...traces.assumed(),
    [plural(result.traces.length, 'trace'), traces.leftOut()].filter(Boolean).join('; '),
    table(
      [
        'rule',
        'violations',
        'predicted',
        'missed',
        'false alarms',
        'unknown steps',
        'steps ahead',
        'seconds ahead',
      ],
      totals,
    ),
    ...driftFound(result),
  ].join('\n');
  return { json: result, text };
}

/** Whether the traces behave as the data, where that is watched. */
function driftFound({ drift }: Replay): string[] {
  if (drift === undefined) return [];
  const { alarmAt, why } = drift;
  const place = alarmAt === null ? '' : ` Found at step ${alarmAt.step} of ${alarmAt.trace}.`;
  return ['', `Drift: ${why}${place}`];
}

/** Per trace and rule why it was violated, and how it stood when the guard first intervened. */
function explanations({ traces }: Replay): string[] {
  const lines = traces.flatMap(({ id, rules }) =>
    Object.entries(rules).flatMap(([rule, { whyViolated, whyIntervened }]) => [
      ...(whyIntervened ? [`${id}, ${rule}, first intervention: ${whyIntervened}`] : []),
      ...(whyViolated ? [`${id}, ${rule}: ${whyViolated}`] : []),
    ]),
  );
  const shown = lines.slice(0, 50);
  if (lines.length > shown.length) shown.push(`… ${lines.length - shown.length} more; --json has all`);
  return lines.length > 0 ? ['', ...shown] : [];
}
