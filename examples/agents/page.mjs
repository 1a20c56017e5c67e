import { riskTable } from 'foreguard';
import { describeChain, renderReport } from 'foreguard/study';
import { number, percent, text } from '../household/terminal.mjs';
import { changedWays, mainRivals } from './household.mjs';
import { areaText, dominance, rated, variedTable } from './markdown.mjs';

export const worldNote =
  'This is our own simulated household with our own stochastic agent, not the world, the agent or the tasks of the Pro²Guard paper: tables have the form of ' +
  "that paper's Table 1 and Figure 3, and figures cannot be compared with the paper's. How an agent takes being blocked is an assumption, varied below.";

const showcase = 'heatMeal';
/** As many groups as a drawing has colours. */
const drawn = ['no enforcement', 'AgentSpec, by hand: stop', 'stop', 'reflect', 'block'];

/** The results as one page. */
export function page({ short, plan, household, recordings }) {
  const { learnt, table, curve, follow, changed, fewer } = household;
  const shown = learnt.find(({ task }) => task.name === showcase);
  const [risks] = riskTable(shown.specification, shown.chain).rules;
  return renderReport({
    title: 'Enforcement on a household agent',
    summary:
      'The same runs of a simulated agent under ways of enforcing: stop the run, warn the agent, or block the action and name what is permitted instead, at ' +
      'every threshold of risk; and how well risk is foreseen on recordings of real agents.',
    facts: [
      { name: 'tasks', value: String(learnt.length) },
      { name: 'runs learnt from, a task', value: plan.learnt.toLocaleString('en') },
      { name: 'runs judged on, a row', value: table[0].runs.toLocaleString('en') },
      { name: 'thresholds of the curve', value: String(curve.length) },
    ],
    chain: describeChain(shown.chain, risks, { title: `The chain of ${showcase}`, threshold: null }),
    settings: {
      note: 'θ is the risk from which the guard acts. A run can be both unsafe and completed.',
      rows: table.filter(({ name, group }) => drawn.includes(group) || drawn.includes(name)),
    },
    plots: [tradeOff(curve), steps(curve), ...recordingPlots(recordings)],
    tables: [
      settingsTable(table),
      dominanceTable(curve),
      curveTable(curve),
      variedSection(
        'If agents make less use of what they are told',
        `Blocking at θ = ${plan.variedAt}, unsafe and completed; at 0% alternatives are ignored.`,
        variedTable('make use of it', follow, ({ follow: share }) => percent(share), mainRivals),
      ),
      variedSection(
        'If the agent is not the one learnt from',
        `At θ = ${plan.changedAt}, unsafe and completed.`,
        variedTable('agent', changed, ({ name }) => name, changedWays),
      ),
      variedSection(
        'If less is learnt from',
        `At θ = ${plan.variedAt}, unsafe and completed.`,
        variedTable('runs a task', fewer, ({ learnt: runs }) => String(runs), ['stop', ...mainRivals]),
      ),
      ...areaTables(recordings),
    ],
    notes: [worldNote, ...(short ? ['Short form: few runs, and figures that mean little.'] : [])],
  });
}

const plotted = ['stop', 'reflect', 'block', 'block, least', 'block, budget'];
const seriesOf = (curve, label, at) =>
  plotted.map((group) => ({
    name: group,
    joined: true,
    points: curve.map(({ threshold, ways }) => {
      const way = ways.find((one) => one.group === group);
      return { ...at(way, threshold), label: `${group}, θ = ${threshold}: ${label(way)}` };
    }),
  }));
const ratesText = ({ unsafe, completed }) => `unsafe ${rated(unsafe)}, completed ${rated(completed)}`;

function tradeOff(curve) {
  const most = Math.max(...curve.flatMap(({ ways }) => ways.map(({ unsafe }) => unsafe.rate)));
  return {
    title: 'Every threshold from 0.02 to 0.98',
    note: 'Unsafe against completed runs; up and to the left is better.',
    x: { name: 'unsafe runs', min: 0, max: Math.ceil(most * 20) / 20, percent: true },
    y: { name: 'completed runs', min: 0, max: 1, percent: true },
    series: seriesOf(curve, ratesText, ({ unsafe, completed }) => ({ x: unsafe.rate, y: completed.rate })),
  };
}

function steps(curve) {
  const most = Math.max(...curve.flatMap(({ ways }) => ways.map(({ proposals }) => proposals.mean)));
  return {
    title: 'Agent steps',
    note: 'How often the agent was asked for an action in a run, warnings and blocks included.',
    x: { name: 'θ', min: 0, max: 1 },
    y: { name: 'steps a run', min: 0, max: Math.ceil(most) },
    series: seriesOf(
      curve,
      ({ proposals }) => `${proposals.mean.toFixed(1)} steps`,
      ({ proposals }, threshold) => ({ x: threshold, y: proposals.mean }),
    ),
  };
}

function settingsTable(settings) {
  return {
    title: 'All ways of enforcing',
    note: 'The form of the paper’s Table 1 and Figure 3; agent steps take the place of tokens.',
    columns: [
      text('enforcement'),
      ...['unsafe', 'completed', 'completed safely', 'stopped', 'agent steps a run'].map(number),
    ],
    rows: settings.map(({ name, unsafe, completed, safelyCompleted, stopped, proposals }) => [
      name,
      rated(unsafe),
      rated(completed),
      rated(safelyCompleted),
      percent(stopped.rate),
      proposals.mean.toFixed(1),
    ]),
  };
}

function dominanceTable(curve) {
  return {
    title: 'Against stopping, threshold by threshold',
    note: `At how many of ${curve.length} thresholds the difference is shown, at 95% each, on the same runs.`,
    columns: [
      text('way'),
      number('more unsafe'),
      number('less unsafe'),
      number('completes more'),
      number('completes less'),
    ],
    rows: dominance(curve).map((row) => [
      row.group,
      String(row.moreUnsafe),
      String(row.lessUnsafe),
      String(row.completesMore),
      String(row.completesLess),
    ]),
  };
}

function curveTable(curve) {
  return {
    title: 'The whole curve',
    note: 'Unsafe and completed runs.',
    columns: [number('θ'), ...curve[0].ways.map(({ group }) => number(group))],
    rows: curve.map(({ threshold, ways }) => [
      String(threshold),
      ...ways.map(({ unsafe, completed }) => `${percent(unsafe.rate)}, ${percent(completed.rate)}`),
    ]),
  };
}

function variedSection(title, note, [header, rows]) {
  return { title, note, columns: header.map((name, i) => (i === 0 ? number(name) : text(name))), rows };
}

const forecastsOf = ({ harm, verdict, failure }) => [
  ...(harm === null
    ? []
    : [
        { name: 'SafeAgentBench: harm', series: harm.forecasts },
        { name: 'SafeAgentBench: the simulator’s verdict', series: { verdict } },
      ]),
  ...(failure === null ? [] : [{ name: 'tau-bench: failure', series: { failure } }]),
];

function recordingPlots(recordings) {
  return forecastsOf(recordings).map(({ name, series }) => ({
    title: `${name}: reliability`,
    note: 'Predicted risk against how often it came true, with 95% intervals.',
    x: { name: 'predicted risk', min: 0, max: 1, percent: true },
    y: { name: 'came true', min: 0, max: 1, percent: true },
    diagonal: true,
    series: Object.entries(series).map(([who, { bins }]) => ({
      name: who,
      points: bins.map(({ meanRisk, observed, runs }) => ({
        x: meanRisk,
        y: observed.rate,
        interval: { lower: observed.confidenceLower, upper: observed.confidenceUpper },
        label: `${who}: predicted ${percent(meanRisk)}, came true ${rated(observed)}, ${runs} runs`,
      })),
    })),
  }));
}

function areaTables(recordings) {
  return forecastsOf(recordings).map(({ name, series }) => {
    const [first] = Object.values(series);
    return {
      title: `${name}: area under the ROC curve`,
      note: 'Of the risk at a step, among runs that go on; intervals by drawing tasks.',
      columns: [text('at'), number('runs'), number('events'), ...Object.keys(series).map(number)],
      rows: first.areas.map((area, i) => [
        area.name,
        String(area.runs),
        String(area.events),
        ...Object.values(series).map(({ areas }) => areaText(areas[i])),
      ]),
    };
  });
}
