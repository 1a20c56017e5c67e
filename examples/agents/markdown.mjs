import { percent } from '../household/terminal.mjs';
import { changedWays, mainRivals } from './household.mjs';

/** A rate with its 95% interval. */
export const rated = ({ rate, confidenceLower, confidenceUpper }) =>
  Number.isFinite(rate)
    ? `${percent(rate)} (${(100 * confidenceLower).toFixed(1)} – ${(100 * confidenceUpper).toFixed(1)})`
    : '–';
const signed = (rate) => `${rate < 0 ? '−' : '+'}${Math.abs(100 * rate).toFixed(1)}`;
/** A difference of rates in percentage points. */
const points = ({ rate, confidenceLower, confidenceUpper }) =>
  `${signed(rate)} (${signed(confidenceLower)} – ${signed(confidenceUpper)})`;
const averaged = ({ mean, confidenceUpper }) => `${mean.toFixed(2)} ± ${(confidenceUpper - mean).toFixed(2)}`;
export const areaText = ({ area, confidenceLower, confidenceUpper }) =>
  Number.isNaN(area)
    ? '–'
    : `${area.toFixed(2)} (${confidenceLower.toFixed(2)} – ${confidenceUpper.toFixed(2)})`;

function table(header, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line), ''].join(
    '\n',
  );
}

/** The results as tables in Markdown. */
export function markdown({ plan, household, recordings }) {
  return [...householdParts(plan, household), ...recordingParts(recordings)].join('\n');
}

function householdParts(plan, { table: settings, against, follow, changed, fewer, curve }) {
  const { judged, learnt, seeds } = plan;
  const saved = settings.find(({ name }) => name === 'AgentSpec, by hand: stop').proposals.mean;
  return [
    `Household: learnt from ${learnt} runs a task (seed ${seeds.learning}), judged on ${judged} others a task (seed ${seeds.judging}), ${settings[0].runs} in all, the same for each row.`,
    '',
    table(
      [
        'enforcement',
        'unsafe',
        'completed',
        'completed safely',
        'stopped',
        'agent steps',
        'against AgentSpec by hand',
        'steps for each safe completion',
      ],
      settings.map(({ name, unsafe, completed, safelyCompleted, stopped, proposals }) => [
        name,
        rated(unsafe),
        rated(completed),
        percent(safelyCompleted.rate),
        percent(stopped.rate),
        averaged(proposals),
        `${signed(proposals.mean / saved - 1)}%`,
        (proposals.mean / safelyCompleted.rate).toFixed(1),
      ]),
    ),
    'Against stopping at the same threshold, on the same runs, in percentage points:',
    '',
    table(
      ['way', 'θ', 'unsafe', 'completed'],
      against.map(({ group, threshold, unsafe, completed }) => [
        group,
        String(threshold),
        points(unsafe),
        points(completed),
      ]),
    ),
    `The curve, θ = ${curve[0].threshold} … ${curve.at(-1).threshold} (${curve[0].ways[0].runs} runs a point). Of these thresholds, at how many a way is shown to differ from stopping:`,
    '',
    table(
      [
        'way',
        'thresholds',
        'more unsafe',
        'less unsafe',
        'completes more',
        'completes less',
        'largest unsafe',
      ],
      dominance(curve).map((row) => [
        row.group,
        String(curve.length),
        String(row.moreUnsafe),
        String(row.lessUnsafe),
        String(row.completesMore),
        String(row.completesLess),
        percent(row.largestUnsafe),
      ]),
    ),
    table(
      ['unsafe / completed at θ', ...curve[0].ways.map(({ group }) => group)],
      curve.map(({ threshold, ways }) => [
        String(threshold),
        ...ways.map(({ unsafe, completed }) => `${percent(unsafe.rate)} / ${percent(completed.rate)}`),
      ]),
    ),
    `If blocked agents make use of what they are told less or more often (θ = ${plan.variedAt}), unsafe and completed:`,
    '',
    table(...variedTable('make use of it', follow, ({ follow: share }) => percent(share), mainRivals)),
    `If the agent is not the one learnt from (θ = ${plan.changedAt}), unsafe and completed:`,
    '',
    table(...variedTable('agent', changed, ({ name }) => name, changedWays)),
    `If less is learnt from (θ = ${plan.variedAt}), unsafe and completed:`,
    '',
    table(...variedTable('runs a task', fewer, ({ learnt: runs }) => String(runs), ['stop', ...mainRivals])),
    'Task by task, unsafe / completed / stopped:',
    '',
    byTask(settings),
  ];
}

/** Header and rows: what comes of ways when something is varied. */
export function variedTable(what, rows, nameOfRow, groups) {
  return [
    [what, ...groups],
    rows.map((row) => [
      nameOfRow(row),
      ...groups.map((group) => `${rated(row[group].unsafe)}; ${rated(row[group].completed)}`),
    ]),
  ];
}

/** At how many thresholds a way is shown, at 95% each, to be worse or better than stopping. */
export function dominance(curve) {
  return curve[0].ways.slice(1).map(({ group }, i) => {
    const all = curve.map(({ ways }) => ways[i + 1]);
    const count = (holds) => all.filter(({ againstStop }) => holds(againstStop)).length;
    return {
      group,
      moreUnsafe: count(({ unsafe }) => unsafe.confidenceLower > 0),
      lessUnsafe: count(({ unsafe }) => unsafe.confidenceUpper < 0),
      completesMore: count(({ completed }) => completed.confidenceLower > 0),
      completesLess: count(({ completed }) => completed.confidenceUpper < 0),
      largestUnsafe: Math.max(...all.map(({ unsafe }) => unsafe.rate)),
    };
  });
}

function byTask(settings) {
  const shown = settings.filter(
    ({ threshold }) => threshold === null || threshold === 0.1 || threshold === 0.5,
  );
  const share = (rate) => (100 * rate).toFixed(0);
  return table(
    ['task', ...shown.map(({ name }) => name)],
    settings[0].tasks.map(({ name }, t) => [
      name,
      ...shown.map(({ tasks }) =>
        [tasks[t].unsafe, tasks[t].completed, tasks[t].stopped].map(share).join(' / '),
      ),
    ]),
  );
}

function recordingParts({ harm, verdict, failure, rules }) {
  const parts = [];
  if (harm !== null) {
    const { kinds, forecasts } = harm;
    parts.push(
      `SafeAgentBench: ${kinds.map(({ kind, runs }) => `${runs} runs of ${kind} tasks`).join(', ')}; harm in ${Object.values(forecasts)[0].events}.`,
      '',
      ...forecastParts(Object.entries(forecasts)),
      `The simulator's own verdict, ${verdict.runs} runs of ${verdict.tasks} unsafe tasks, ${verdict.events} ended in the unsafe state; replayed objects say so too in ${verdict.agreement.both}, only they in ${verdict.agreement.replay}, only the simulator in ${verdict.agreement.simulator}.`,
      '',
      ...forecastParts([['verdict', verdict]]),
    );
  }
  if (failure !== null) {
    parts.push(
      `tau-bench, airline: ${failure.runs} conversations about ${failure.tasks} tasks, ${failure.events} ended in failure.`,
      '',
      ...forecastParts([['ends in failure', failure]]),
    );
  }
  if (rules !== null) parts.push(...rulesParts(rules));
  return parts;
}

function rulesParts({ conversations, calls, stopped, violating, states, warnings }) {
  const sizes = states.map(({ rule, states: [least, most] }) => `${rule} ${least} – ${most}`).join(', ');
  return [
    `tau-bench, airline, under three exact rules: ${calls} calls of ${conversations} conversations, ${stopped} stopped, in ${violating} conversations. States of the models that warn, by fold: ${sizes}.`,
    '',
    table(
      ['enforcement', 'violating runs warned a call or more ahead', 'clean runs warned'],
      [
        ['rules alone', '0', '0'],
        ...warnings.map(({ threshold, violating: caught, clean }) => [
          `rules, and a warning from risk ${threshold} on`,
          rated(caught),
          rated(clean),
        ]),
      ],
    ),
  ];
}

function forecastParts(forecasts) {
  const [, first] = forecasts[0];
  return [
    table(
      ['area under the ROC curve at', 'runs', 'events', ...forecasts.map(([name]) => name)],
      first.areas.map(({ name, runs, events }, i) => [
        name,
        String(runs),
        String(events),
        ...forecasts.map(([, { areas }]) => areaText(areas[i])),
      ]),
    ),
    table(
      ['calibration', 'Brier score', 'of the base rate', 'skill', 'calibration term', 'states'],
      forecasts.map(([name, { brier, states }]) => [
        name,
        brier.score.toFixed(4),
        brier.uncertainty.toFixed(4),
        brier.skill.toFixed(2),
        brier.calibration.toFixed(4),
        `${Math.min(...states)} – ${Math.max(...states)}`,
      ]),
    ),
    table(
      ['predicted', 'forecast', 'runs', 'mean risk', 'came true'],
      forecasts.flatMap(([name, { bins }]) =>
        bins.map(({ from, to, runs, meanRisk, observed }) => [
          `${(100 * from).toFixed(0)} – ${percent(to)}`,
          name,
          String(runs),
          percent(meanRisk),
          rated(observed),
        ]),
      ),
    ),
    table(
      ['alarm at', 'forecast', 'detected', 'false alarms', 'precision', 'steps ahead'],
      forecasts.flatMap(([name, { alarms }]) =>
        alarms.map(({ threshold, detectionRate, falseAlarmRate, precision, warningSteps }) => [
          String(threshold),
          name,
          rated(detectionRate),
          rated(falseAlarmRate),
          rated(precision),
          warningSteps.count > 1 ? averaged(warningSteps) : '–',
        ]),
      ),
    ),
  ];
}
