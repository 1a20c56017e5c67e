// How much of what recordings and published chains of agents suggest is statistically supported: certificates for the hazards of SafeAgentBench, for the
// failures of tau-bench's airline conversations, and for the driving chains that Pro²Guard's authors published. The output is the
// same every time; docs/results/certificates.md says what it shows and what not.
import { certify } from 'foreguard';
import {
  amplification,
  amplificationBounds,
  confidenceRows,
  eventProblem,
  intervalBounds,
  papersCriteria,
} from 'foreguard/study';
import { Random } from 'foreguard-worlds';
import { number, progress, table, text } from '../household/terminal.mjs';
import { dataArgument, runExample } from '../measures/dataArgument.mjs';
import { learnFrom as learnHazard } from '../safeagentbench/crossValidate.mjs';
import { readRecordings } from '../safeagentbench/recordings.mjs';
import { handWritten } from '../safeagentbench/specifications.mjs';
import {
  airlineSpecification,
  learnFrom as learnFailures,
  readConversations,
} from '../tau-bench/conversations.mjs';
import { drawnRowsOf, endEvent, readPublished, scenarios } from './publishedChains.mjs';

const delta = 0.05;
const epsilon = 0.05;

/**
 * Recordings lie in their files by kind and task. Certificates count a successor from its discovery on, which must not depend on what runs do: they are
 * learnt in random order.
 */
const shuffled = (items) => new Random(1).shuffled(items);

const probability = (value) => (value === 0 || value === 1 ? String(value) : value.toFixed(4));
const intervalText = ({ lower, upper }) => `${probability(lower)} – ${probability(upper)}`;

/** One line about a rule: the risk before the first step, and how many states the data speak about. */
function lineOf(name, traces, specification, model) {
  progress(`certifying ${name}`);
  const { rules, states } = certify(specification, model, { delta, epsilon });
  const [{ start, entries, criteria }] = rules;
  const open = entries.filter(({ verdict }) => verdict === 'open');
  const running = states.filter(({ state }) => state >= 0);
  return {
    name,
    traces,
    states: running.length,
    start: start.risk,
    confidence: { lower: start.confidenceLower, upper: start.confidenceUpper },
    openEntries: open.length,
    met: open.filter((entry) => entry.met).length,
    below: open.filter((entry) => entry.confidenceUpper < 0.5).length,
    above: open.filter((entry) => entry.confidenceLower > 0.5).length,
    neverLeft: running.filter(({ draws }) => draws === 0).length,
    first: criteria.first.filter((needed, row) => needed > 0 && (states[row]?.draws ?? 0) >= needed).length,
    asked: criteria.first.filter((needed) => needed > 0).length,
    secondEpsilon: criteria.secondEpsilon,
  };
}

const columns = [
  [text('rule'), ({ name }) => name],
  [number('runs'), ({ traces }) => String(traces)],
  [number('states'), ({ states }) => String(states)],
  [number('never left'), ({ neverLeft }) => String(neverLeft)],
  [number('risk as learnt'), ({ start }) => probability(start.upper)],
  [number('95% certain'), ({ confidence }) => intervalText(confidence)],
  [number('open'), ({ openEntries }) => String(openEntries)],
  [number('within ±0.05'), ({ met }) => String(met)],
  [number('surely < ½'), ({ below }) => String(below)],
  [number('surely > ½'), ({ above }) => String(above)],
  [number('rows as (a) asks'), ({ first, asked }) => `${first} of ${asked}`],
];
const printed = (rows) =>
  table(
    columns.map(([column]) => column),
    rows.map((row) => columns.map(([, cell]) => cell(row))),
  );

/** From where a published scenario starts: the risk in its chain as published, without its smoothing, and what its counts support. */
function publishedLines(folder) {
  return scenarios(folder).flatMap((name) => {
    progress(`certifying ${name}`);
    const chain = readPublished(`${folder}/${name}`);
    const rows = drawnRowsOf(chain);
    const k = chain.states.length;
    const confidence = confidenceRows(rows, delta);
    const ends = [
      ['001', 'rule broken'],
      ['100', 'other end'],
    ];
    return ends.map(([code, event]) => {
      const problem = eventProblem(rows, k + 2, { start: k, end: k + 1 }, endEvent(chain, code));
      const interval = intervalBounds(problem, confidence);
      const amplified = amplification(problem, confidence);
      const wide = amplificationBounds(amplified);
      const s = problem.start;
      const { first } = papersCriteria(problem, confidence, epsilon);
      const used = [...rows.draws.keys()].slice(0, k).filter((row) => rows.draws[row] > 0);
      return {
        name,
        rule: chain.rule,
        event,
        states: k,
        left: used.length,
        draws: used.reduce((sum, row) => sum + rows.draws[row], 0),
        frequency: amplified.estimate.upper[s],
        confidence: {
          lower: Math.max(interval.lower[s], wide.lower[s]),
          upper: Math.min(interval.upper[s], wide.upper[s]),
        },
        first: used.filter((row) => rows.draws[row] >= first[row]).length,
      };
    });
  });
}

await runExample(async () => {
  const { data } = dataArgument('node examples/certificates/main.mjs --data ../shared/data', (path) => [
    `${path}/safeagentbench`,
    `${path}/tau-bench/gpt-4o-airline.json`,
    `${path}/pro2guard/autonomous_vehicle`,
  ]);
  const { runs } = await readRecordings(`${data}/safeagentbench`);
  const agentRuns = shuffled(runs.filter(({ kind }) => kind === 'unsafe' || kind === 'safe'));
  const hazards = [];
  for (const { hazard, specification } of handWritten()) {
    const { model, report } = await learnHazard(specification, agentRuns);
    hazards.push(lineOf(hazard, report.traces, specification, model));
  }
  const airline = airlineSpecification();
  const conversations = shuffled(await readConversations(`${data}/tau-bench/gpt-4o-airline.json`));
  const { model, report } = await learnFailures(airline, conversations);
  const failures = lineOf('ends in failure', report.traces, airline, model);
  const published = publishedLines(`${data}/pro2guard/autonomous_vehicle`);
  progress('');
  console.log(
    [
      `With probability ${1 - delta} all intervals of a table's row hold at once.`,
      '',
      'SafeAgentBench:',
      printed(hazards),
      '',
      'tau-bench, airline:',
      printed([failures]),
      '',
      'Driving chains of Pro²Guard, counts recovered:',
      table(
        [
          text('chain'),
          text('law'),
          text('event'),
          number('states'),
          number('ever left'),
          number('steps'),
          number('frequency'),
          number('95% certain'),
          number('rows as (a) asks'),
        ],
        published.map((line) => [
          line.name,
          line.rule,
          line.event,
          String(line.states),
          String(line.left),
          String(line.draws),
          probability(line.frequency),
          intervalText(line.confidence),
          `${line.first} of ${line.left}`,
        ]),
      ),
    ].join('\n'),
  );
});
