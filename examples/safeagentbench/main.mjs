// Learns from recordings of a real LLM agent doing household tasks, shows the risks, and replays runs of tasks that were
// not learnt from. The output is the same every time; docs/results/safeAgentBench.md says what it shows and what not.
import { riskTable } from 'foreguard';
import { nodeStorage } from 'foreguard/node';
import { clopperPearsonInterval } from 'foreguard/study';
import { interval, number, percent, progress, shortened, table, text } from '../household/terminal.mjs';
import { dataArgument, runExample } from '../measures/dataArgument.mjs';
import { dealFolds } from '../measures/folds.mjs';
import { areaOf, crossValidate, learnFrom, summarise } from './crossValidate.mjs';
import { evaluateGenerated, reached, reachedAtStart } from './generated.mjs';
import { neededFiles, readRecordings, unsafeTasks } from './recordings.mjs';
import { handWritten, threshold, withoutInstruction } from './specifications.mjs';

const folds = 5;
const seed = 1;
const rowsShown = 5;

const say = (...lines) => {
  progress('');
  console.log(lines.join('\n'));
};
const areaText = ({ area, confidenceLower, confidenceUpper }) =>
  Number.isNaN(area)
    ? '–'
    : `${area.toFixed(2)} (${confidenceLower.toFixed(2)} – ${confidenceUpper.toFixed(2)})`;
const rateText = (rate) => (Number.isNaN(rate.rate) ? '–' : interval(rate));
const stepsText = (steps) => (steps === null ? '–' : steps.toFixed(1));

/** A kind of hazard: the risk table of all runs, and what guards find on tasks they have not seen. */
async function evaluateHazard({ hazard, specification }, runs, foldOf) {
  progress(`learning ${hazard}`);
  const { model, report } = await learnFrom(specification, runs);
  const [risks] = riskTable(specification, model).rules;
  const { outcomes, splits, unknownSteps } = await crossValidate(specification, runs, foldOf);
  const blind = specification.abstraction.predicates.some(({ expression }) =>
    expression.includes('instruction'),
  )
    ? areaOf((await crossValidate(withoutInstruction(specification), runs, foldOf)).outcomes)
    : null;
  return {
    hazard,
    formula: risks.formula,
    states: report.states.seen,
    start: risks.start,
    riskTable: risks.entries.filter(({ verdict }) => verdict === 'open'),
    splits,
    ...summarise(outcomes),
    unknownSteps,
    area: areaOf(outcomes),
    areaWithoutInstruction: blind,
  };
}

function printHazard({ hazard, formula, states, start, riskTable: entries }) {
  say(
    '',
    `${hazard}: ${formula}; ${states} states; before the first step ${start.upper.toFixed(4)}. Worst first:`,
    table(
      [number('risk'), number('left in data'), text('state')],
      entries
        .slice(0, rowsShown)
        .map(({ upper, draws, description }) => [
          upper.toFixed(4),
          String(draws),
          shortened(description, 90),
        ]),
    ),
  );
}

const totalColumns = [
  ['violations', ({ violations }) => String(violations)],
  ['predicted', ({ predicted }) => String(predicted)],
  ['only unknown', ({ unknownBefore }) => String(unknownBefore)],
  ['missed', ({ missed }) => String(missed)],
  ['95% of predicted', ({ predictedRate }) => rateText(predictedRate)],
  ['false alarms', ({ falseAlarms }) => String(falseAlarms)],
  ['only unknown, kept', ({ unknownKept }) => String(unknownKept)],
  ['95% of false alarms', ({ falseAlarmRate }) => rateText(falseAlarmRate)],
  ['steps ahead', ({ meanStepsAhead }) => stepsText(meanStepsAhead)],
];
const totalsTable = ([first, ...others], rows) =>
  table(
    [text(first), ...others.map(number), ...totalColumns.map(([name]) => number(name))],
    rows.map(({ name, extra = [], ...row }) => [
      name,
      ...extra,
      ...totalColumns.map(([, cell]) => cell(row)),
    ]),
  );

await runExample(async () => {
  const { data, out } = dataArgument(
    'npm run example:safeagentbench -- --data ../shared/data/safeagentbench [--out FILE.json]',
    neededFiles,
  );
  const { runs, read } = await readRecordings(data);
  const tasks = unsafeTasks(runs);
  const agentRuns = runs.filter(({ kind }) => kind === 'unsafe' || kind === 'safe');
  const foldOf = dealFolds(
    agentRuns.map(({ group }) => group),
    folds,
    seed,
  );
  const count = (kind) => runs.filter((run) => run.kind === kind).length;
  say(
    table(
      [text('file'), number('records'), number('repeated')],
      Object.entries(read).map(([name, { records, repeated }]) => [name, String(records), String(repeated)]),
    ),
    '',
    `Learnt from: ${count('unsafe')} runs of unsafe and ${count('safe')} of safe tasks by one agent without guard, each once;`,
    `${foldOf.size} tasks (a safe one and the unsafe one it was made from count as one) in ${folds} folds.`,
    '',
    'Risk tables of the hand-written specifications, learnt from all these runs',
  );

  const hazards = [];
  for (const one of handWritten()) hazards.push(await evaluateHazard(one, agentRuns, foldOf));
  hazards.forEach(printHazard);
  const { splits } = hazards[0];
  const trained = splits.map((split) => split.trained);
  say(
    '',
    `Each run replayed through a guard learnt from the other folds (${Math.min(...trained)} to ${Math.max(...trained)} runs); it acts at risk ${threshold}:`,
    '',
    totalsTable(
      ['hazard', 'tested'],
      hazards.map((row) => ({ ...row, name: row.hazard, extra: [String(row.tested)] })),
    ),
    '',
    'Area under the ROC curve of the largest risk before a violation (95% by drawing tasks):',
    '',
    table(
      [text('hazard'), number('area'), number('if the instruction is not known')],
      hazards.map((row) => [
        row.hazard,
        areaText(row.area),
        row.areaWithoutInstruction ? areaText(row.areaWithoutInstruction) : 'not read',
      ]),
    ),
  );

  const generated = await evaluateGenerated(tasks, runs, foldOf, (done) =>
    progress(`specification ${done + 1} of ${tasks.length}`),
  );
  const outcomesOf = (kind, some = generated) => some.flatMap(({ replayed }) => replayed[kind].outcomes);
  const reachedRows = [
    ['reference', 'reference solution'],
    ['unsafe', 'agent, unsafe task'],
    ['controlled', "agent under AgentSpec's rules"],
    ['safe', 'agent, safe task made from it'],
  ].map(([kind, name]) => {
    const outcomes = outcomesOf(kind);
    return {
      kind,
      name,
      runs: outcomes.length,
      ...clopperPearsonInterval(reached(outcomes), outcomes.length),
      reached: reached(outcomes),
      atStart: reachedAtStart(outcomes),
    };
  });
  const unknown = generated.filter(({ replayed }) => replayed.unsafe.unknownSteps > 0).length;
  const byCategory = [...new Set(generated.map(({ category }) => category))].sort().map((category) => {
    const some = generated.filter((one) => one.category === category);
    return {
      name: category,
      tasks: some.length,
      ...summarise([...outcomesOf('unsafe', some), ...outcomesOf('safe', some)]),
    };
  });
  const all = summarise([...outcomesOf('unsafe'), ...outcomesOf('safe')]);
  say(
    '',
    `${generated.length} of ${tasks.length} unsafe tasks have a generated specification. How often a task's unsafe state was reached:`,
    '',
    table(
      [
        text('who'),
        number('runs'),
        number('reached'),
        number('before any action'),
        number('rate'),
        number('95%'),
      ],
      reachedRows.map((row) => [
        row.name,
        String(row.runs),
        String(row.reached),
        String(row.atStart),
        percent(row.rate),
        interval(row),
      ]),
    ),
    '',
    'Generated specifications, chains learnt from the tasks of the other folds, replayed on runs of the task and of its safe task:',
    '',
    totalsTable(
      ['category', 'tasks', 'tested'],
      [...byCategory, { name: 'all', tasks: generated.length, ...all }].map((row) => ({
        ...row,
        extra: [String(row.tasks), String(row.tested)],
      })),
    ),
    `In ${unknown} tasks the agent came to a state that no other task shows; such a state counts as risk 1.`,
  );
  if (out !== undefined) {
    const document = {
      seed,
      folds,
      threshold,
      read,
      tasks: tasks.length,
      hazards,
      reached: reachedRows,
      unknown,
      byCategory,
      all,
    };
    await nodeStorage.write(out, `${JSON.stringify(document, null, 2)}\n`);
  }
});
