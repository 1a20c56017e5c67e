// Learns how conversations of an airline's service agent go, and predicts at every step whether they will end in failure.
// The output is the same every time; docs/results/tauBench.md says what it shows and what not.
import { riskTable } from 'foreguard';
import { nodeStorage } from 'foreguard/node';
import { areaUnderRoc } from 'foreguard/study';
import { interval, number, percent, shortened, table, text } from '../household/terminal.mjs';
import { dataArgument, runExample } from '../measures/dataArgument.mjs';
import { dealFolds } from '../measures/folds.mjs';
import { summarise } from '../safeagentbench/crossValidate.mjs';
import {
  airlineSpecification,
  calibration,
  learnFrom,
  predict,
  readConversations,
} from './conversations.mjs';

const folds = 5;
const seed = 1;
/** Step n is the state before call n + 1. */
const stepsShown = [0, 1, 2, 3, 4, 6, 8, 10];
const calibratedAt = 3;
const bands = 5;

const areaText = ({ area, confidenceLower, confidenceUpper }) =>
  Number.isNaN(area)
    ? ['–', '–']
    : [area.toFixed(2), `${confidenceLower.toFixed(2)} – ${confidenceUpper.toFixed(2)}`];

await runExample(async () => {
  const { data, out } = dataArgument(
    'npm run example:tau-bench -- --data ../shared/data/tau-bench/gpt-4o-airline.json [--out FILE.json]',
    (path) => [path],
  );
  const specification = airlineSpecification();
  const conversations = await readConversations(data);
  const foldOf = dealFolds(
    conversations.map(({ group }) => group),
    folds,
    seed,
  );
  const { model, report } = await learnFrom(specification, conversations);
  const [risks] = riskTable(specification, model).rules;
  const failures = conversations.filter(({ failed }) => failed).length;
  const open = risks.entries.filter(({ verdict }) => verdict === 'open');
  const entryRow = ({ upper, draws, description }) => [
    upper.toFixed(3),
    String(draws),
    shortened(description, 110),
  ];
  console.log(
    [
      `${conversations.length} conversations about ${foldOf.size} tasks, ${failures} ended in failure; ${report.steps} steps, ${report.states.seen} states.`,
      `Risk tables of ${risks.formula}, learnt from all; before the first step ${risks.start.upper.toFixed(3)}. States left at least 20 times, worst first:`,
      '',
      table(
        [number('risk'), number('left in data'), text('state')],
        open.filter(({ draws }) => draws >= 20).map(entryRow),
      ),
      `${open.filter(({ draws }) => draws < 20).length} further states were left less often.`,
    ].join('\n'),
  );

  const { predictions, splits } = await predict(specification, conversations, foldOf);
  const scoredAt = (riskOf) =>
    predictions
      .map((one) => ({ ...one, score: riskOf(one.risks), happened: one.failed }))
      .filter(({ score }) => score !== undefined);
  const row = (name, scored) => ({ name, conversations: scored.length, ...areaUnderRoc(scored) });
  const areas = [
    ...stepsShown.map((step) =>
      row(
        `step ${step}`,
        scoredAt((all) => all[step]),
      ),
    ),
    row(
      'last step before the verdict',
      scoredAt((all) => all.at(-1)),
    ),
  ];
  const calibrated = calibration(
    scoredAt((all) => all[calibratedAt]),
    bands,
  );
  const totals = summarise(predictions.map(({ outcome }) => outcome));
  const unknown = predictions.reduce((sum, one) => sum + one.unknown.filter(Boolean).length, 0);
  const predicted = predictions.reduce((sum, { risks: all }) => sum + all.length, 0);
  console.log(
    [
      '',
      `Each conversation predicted by a chain learnt from the other ${folds - 1} folds (${splits.map(({ trained }) => trained).join(', ')} conversations).`,
      `${unknown} of ${predicted} predicted steps were in a state the chain had not seen, which counts as risk 1.`,
      'Area under the ROC curve of the risk at a step, of the conversations that go on after it (95% by drawing tasks):',
      '',
      table(
        [text('risk at'), number('conversations'), number('area'), number('95%')],
        areas.map((one) => [one.name, String(one.conversations), ...areaText(one)]),
      ),
      '',
      `Calibration at step ${calibratedAt}:`,
      '',
      table(
        [text('predicted'), number('conversations'), number('mean risk'), number('failed'), number('95%')],
        calibrated.map((band) => [
          `${percent(band.from)} – ${percent(band.to)}`,
          String(band.conversations),
          percent(band.meanRisk),
          percent(band.observed.rate),
          interval(band.observed),
        ]),
      ),
      '',
      `A guard that asks a person at risk ${specification.rules[0].levels[0].threshold.value}: of ${totals.violations} failures ${totals.predicted} predicted (95%: ${interval(totals.predictedRate)}), ${totals.missed} missed,`,
      `${totals.unknownBefore} met only by a state that the chain had not seen, as were ${totals.unknownKept} of the others;`,
      `${totals.falseAlarms} false alarms in ${totals.tested - totals.violations} other conversations (95%: ${interval(totals.falseAlarmRate)}); ${totals.meanStepsAhead?.toFixed(1) ?? '–'} steps ahead.`,
    ].join('\n'),
  );
  if (out !== undefined) {
    const document = {
      seed,
      folds,
      conversations: conversations.length,
      failures,
      risks: open,
      splits,
      areas,
      calibration: calibrated,
      totals,
      unknown,
    };
    await nodeStorage.write(out, `${JSON.stringify(document, null, 2)}\n`);
  }
});
