// The main job: learns how a household agent behaves from recorded traces, shows its risks, replays runs it has not seen,
// and lets the live agent run under seven kinds of enforcement. Writes out/report.html. The output is the same every time.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Abstraction, compileGuard, learn, parseSpecification, replay, riskTable } from 'foreguard';
import { nodeStorage, readTraceFiles } from 'foreguard/node';
import { describeChain, renderReport, wilsonInterval } from 'foreguard/study';
import { householdTasks, runAgent } from 'foreguard-worlds';
import { settings } from './settings.mjs';
import { interval, number, percent, progress, shortened, table, text } from './terminal.mjs';

const showcase = 'heatMeal';
/** Of each file the first so many traces are learnt from; the others are replayed. */
const learntFrom = 120;
const replayThreshold = 0.5;
const runsPerSetting = 1000;
/** Not the seed of the shipped traces: the live agent meets runs that nobody has seen. */
const liveSeed = 2027;

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const began = performance.now();
const problems = [];
const expectThat = (isTrue, otherwise) => isTrue || problems.push(otherwise);

/** Learns a task's chain, solves its risks, and compiles its guard. */
async function prepare(task) {
  progress(`learning ${task.name}`);
  const source = `specifications/${task.name}.yaml`;
  const chunks = [];
  for await (const chunk of nodeStorage.read(here(source))) chunks.push(chunk);
  const specification = parseSpecification(Buffer.concat(chunks).toString(), { source });
  const training = [];
  const heldOut = [];
  for await (const trace of readTraceFiles([here(`traces/${task.name}.jsonl.gz`)])) {
    (training.length < learntFrom ? training : heldOut).push(trace);
  }
  const abstraction = new Abstraction(specification.abstraction);
  const { model, report } = await learn(abstraction, training, specification.learning);
  const [risks] = riskTable(specification, model).rules;
  const guardFile = compileGuard(specification, model);
  return { task, specification, heldOut, model, report, risks, guardFile };
}

/** What the guard, at a threshold of its own, would have said of the runs held out. */
async function replayHeldOut({ guardFile, heldOut }) {
  const rules = guardFile.rules.map((rule) => ({
    ...rule,
    levels: [{ threshold: { compare: 'risk>=', value: replayThreshold }, strategy: { kind: 'stop' } }],
  }));
  const { totals } = await replay({ ...guardFile, rules }, heldOut);
  return Object.values(totals)[0];
}

/** The same 1,000 runs under one setting, spread evenly over the tasks. */
function runLive(prepared, setting) {
  progress(`running the agent: ${setting.name}`);
  const guards = prepared.map(setting.guard);
  const counts = { unsafe: 0, completed: 0, stopped: 0, reflections: 0 };
  for (let stream = 0; stream < runsPerSetting; stream++) {
    const which = stream % prepared.length;
    const guard = guards[which];
    const run = runAgent({ task: prepared[which].task, seed: liveSeed, stream, ...(guard && { guard }) });
    counts.unsafe += Number(run.unsafe);
    counts.completed += Number(run.completed);
    counts.stopped += Number(run.stoppedAt !== null);
    counts.reflections += run.reflections;
  }
  return {
    ...setting,
    ...counts,
    runs: runsPerSetting,
    unsafe: wilsonInterval(counts.unsafe, runsPerSetting),
    completed: wilsonInterval(counts.completed, runsPerSetting),
  };
}

const say = (...lines) => {
  progress('');
  console.log(lines.join('\n'));
};

const prepared = [];
for (const task of householdTasks) prepared.push(await prepare(task));
const shown = prepared.find(({ task }) => task.name === showcase);
const traces = prepared.reduce((sum, { report }) => sum + report.traces, 0);
const steps = prepared.reduce((sum, { report }) => sum + report.steps, 0);
say(
  `Learnt ${prepared.length} tasks of the household world from ${traces} traces, ${steps} steps.`,
  '',
  `${showcase}: ${shown.task.instruction}`,
  `The rule ${shown.risks.name}: ${shown.risks.formula}. Its risk in every state, worst first:`,
  '',
  table(
    [number('risk'), number('left in data'), text('state')],
    shown.risks.entries
      .filter(({ verdict, upper }) => verdict === 'open' && upper > 0)
      .map(({ upper, draws, description }) => [upper.toFixed(4), String(draws), shortened(description, 96)]),
  ),
  `The ${shown.risks.entries.filter(({ verdict, upper }) => verdict === 'open' && upper === 0).length} other states have risk 0. Before the first step it is ${shown.risks.start.upper.toFixed(4)}.`,
);

const replayColumns = [
  text('task'),
  number('states'),
  number('risk at start'),
  number('held out'),
  number('violations'),
  number('predicted'),
  number('only unknown'),
  number('missed'),
  number('false alarms'),
  number('steps ahead'),
];
const replayRows = [];
let violations = 0;
let heldOutRuns = 0;
let expected = 0;
for (const one of prepared) {
  progress(`replaying ${one.task.name}`);
  const totals = await replayHeldOut(one);
  violations += totals.violations;
  heldOutRuns += one.heldOut.length;
  expected += one.risks.start.upper * one.heldOut.length;
  replayRows.push([
    one.task.name,
    String(one.report.states.model),
    one.risks.start.upper.toFixed(3),
    String(one.heldOut.length),
    String(totals.violations),
    String(totals.predicted),
    String(totals.onUnknownOnly.violated),
    String(totals.missed),
    String(totals.falseAlarms),
    totals.meanStepsAhead === null ? '–' : totals.meanStepsAhead.toFixed(1),
  ]);
}
say(
  '',
  `Runs held out, replayed through guards that stop at risk ${replayThreshold}:`,
  '',
  table(replayColumns, replayRows),
  `${violations} of ${heldOutRuns} runs held out broke their rule; the risks at start add up to ${expected.toFixed(1)}.`,
);

const results = settings.map((setting) => runLive(prepared, setting));
const worldNote = [
  'This is our own simulated household with our own stochastic agent, not the world, the agent or the tasks of the Pro²Guard',
  "paper: the table has the form of that paper's Table 1, and its figures cannot be compared with the paper's.",
];
say(
  '',
  `The live agent, ${runsPerSetting} runs a setting over all tasks; unsafe and completed with 95% intervals:`,
  '',
  table(
    [
      text('enforcement'),
      number('unsafe'),
      number('95%'),
      number('completed'),
      number('95%'),
      number('stopped'),
    ],
    results.map((result) => [
      result.name,
      percent(result.unsafe.rate),
      interval(result.unsafe),
      percent(result.completed.rate),
      interval(result.completed),
      String(result.stopped),
    ]),
  ),
  ...worldNote,
  'A run can be both unsafe and completed. The reactive rule withholds actions whose own effect breaks the rule; it cannot',
  'foresee what chance does. A guard that reflects warns the agent, and stops it after 8 warnings in a row.',
);

const rateOf = (name) => results.find((result) => result.name === name).unsafe.rate;
const stops = results.filter(({ group }) => group === 'stop').map(({ unsafe }) => unsafe.rate);
expectThat(
  stops.every((rate, i) => i === 0 || rate >= stops[i - 1]),
  `a lower threshold let more runs become unsafe: ${stops.join(', ')}`,
);
expectThat(
  stops.at(-1) <= rateOf('no enforcement'),
  'stopping at 0.7 made runs less safe than no enforcement',
);
expectThat(rateOf('reflect, θ = 0.1') < rateOf('no enforcement'), 'warning the agent did not make it safer');
const slack = 4 * Math.sqrt(heldOutRuns * 0.25);
expectThat(
  Math.abs(expected - violations) < slack,
  `risks predict ${expected.toFixed(1)} violations in the runs held out, there were ${violations}`,
);
for (const { task, risks } of prepared) {
  expectThat(
    risks.entries.every(({ lower, upper }) => lower >= 0 && upper <= 1 && upper - lower <= 2e-6),
    `${task.name}: a risk is wider than asked for`,
  );
}

const page = renderReport({
  title: 'A household agent under Foreguard',
  summary:
    'Chains learnt from recorded runs of a simulated household agent predict, at every step, how likely it is to break its rule; ' +
    'guards stop or warn it before it does.',
  facts: [
    { name: 'tasks', value: String(prepared.length) },
    { name: 'traces learnt from', value: traces.toLocaleString('en') },
    { name: 'steps', value: steps.toLocaleString('en') },
    { name: 'runs held out', value: heldOutRuns.toLocaleString('en') },
    { name: 'live runs', value: (runsPerSetting * settings.length).toLocaleString('en') },
  ],
  chain: describeChain(shown.model, shown.risks, {
    title: `The chain of ${showcase}`,
    threshold: shown.guardFile.rules[0].levels[0].threshold.value,
  }),
  settings: {
    note: `${runsPerSetting} runs of the live agent a setting, spread over all tasks; θ is the risk from which the guard acts.`,
    rows: results,
  },
  tables: [
    {
      title: 'All tasks',
      note: `Runs held out from learning, replayed through guards that stop at risk ${replayThreshold}.`,
      columns: replayColumns,
      rows: replayRows,
    },
    {
      title: 'What the tasks are',
      note: 'Every task has a goal and a rule that can be broken on the way.',
      columns: [text('task'), text('instruction'), text('hazard'), text('rule')],
      rows: prepared.map(({ task, risks }) => [task.name, task.instruction, task.hazard, risks.formula]),
    },
  ],
  notes: [
    worldNote.join(' '),
    'The reactive rule withholds an action whose own effect breaks the rule; what chance adds it cannot foresee. A run can be both ' +
      'unsafe and completed. Chains are learnt from unguarded runs.',
  ],
});
mkdirSync(here('../../out'), { recursive: true });
await nodeStorage.write(here('../../out/report.html'), page);
say('', 'Wrote out/report.html: the chain drawn, the trade-off plotted, every risk in words.');
console.error(`${((performance.now() - began) / 1000).toFixed(1)} s`);
for (const problem of problems) console.error(`Something is off: ${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;
