import { goalTable, markdownTable } from '../measures/report.mjs';
import { MOST_JOINTLY } from './agents.mjs';
import { RIVAL } from './experiment.mjs';
import { modelWays } from './model.mjs';

const percent = (share) => `${(100 * share).toFixed(1)}%`;
const rated = ({ rate, confidenceLower, confidenceUpper }) =>
  `${percent(rate)} (${(100 * confidenceLower).toFixed(1)} – ${(100 * confidenceUpper).toFixed(1)})`;
const signed = (rate) => `${rate < 0 ? '−' : '+'}${Math.abs(100 * rate).toFixed(1)}`;
const number = (value) => (Number.isFinite(value) ? value.toFixed(2) : '–');

export function goalsOf({ cells }) {
  const guarded = cells.flatMap(({ runs, ways }) =>
    ways.filter((way) => way.isGuarded).map((way) => ({ runs, way })),
  );
  const all = guarded.reduce((sum, { runs }) => sum + runs, 0);
  const isSafe = guarded.every(({ way }) => way.kept.rate === 1);
  const atFive = (name) =>
    cells.find(({ size }) => size === 5).ways.find((way) => way.name === name).safelyDone;
  const goal = (what, wanted, seen, isReached, isLaw = false) => ({ what, wanted, seen, isReached, isLaw });
  const [reason, before, searched] = [
    'refused with the reason, followed with 0.8',
    'refused with what must come before, followed with 0.8',
    'searches',
  ].map(atFive);
  return [
    goal(
      'guarded runs in which no prefix breaks a constraint',
      '100% of 20,000 and more',
      `${isSafe ? 'all' : 'not all'} of ${all}`,
      isSafe && all >= 20_000,
    ),
    { ...goal('the same, whatever the number of runs', 'all', isSafe ? 'all' : 'not all', isSafe, true) },
    goal('safely done under 5 constraints, with the reason', '≥ 85%', rated(reason), reason.rate >= 0.85),
    goal('… with what must come before', '≥ 95%', rated(before), before.rate >= 0.95),
    goal('… by search', '100%', rated(searched), searched.rate === 1, true),
  ];
}

/** The report of a language model's runs. */
export function modelMarkdown({ model, cells }) {
  return [
    `The agent is the language model ${model}: at each step it goes on with its task, walks to a room, or ends the run.\n`,
    '## Safely done, by number of constraints\n',
    safelyDoneTable(cells),
    ...cells.flatMap((cell) => cellParts(cell, modelWays[0].name)),
  ].join('\n');
}

/** What must hold whatever the model answers. */
export function modelGoals({ cells }) {
  const guarded = cells.flatMap(({ ways }) => ways.filter(({ isGuarded }) => isGuarded));
  const isSafe = guarded.every(({ kept }) => kept.rate === 1);
  const what = 'guarded runs in which no prefix breaks a constraint';
  return [{ what, wanted: 'all', seen: isSafe ? 'all' : 'not all', isReached: isSafe, isLaw: true }];
}

export function markdown(results) {
  const { constraints, cells, scale } = results;
  const asked = constraints.filter(({ isAsked }) => isAsked).length;
  return [
    'No language model took part: what an agent does with a refusal is stated, and with which probability.\n',
    `${constraints.length} sentences; the reader of English understood ${constraints.length - asked} of them without a question, and ${asked} after one.\n`,
    '## Goals\n',
    goalTable(goalsOf(results)),
    '## Safely done, by number of constraints\n',
    'The goal was reached, and no constraint was broken, neither on the way nor by the end of the run; with 95% intervals.\n',
    safelyDoneTable(cells),
    ...cells.flatMap((cell) => cellParts(cell)),
    '## Scale\n',
    'Times of one run, on a machine that may have been busy.\n',
    ...scale.flatMap(({ kind, rows }) => [SCALES[kind], scaleTable(rows)]),
  ].join('\n');
}

const SCALES = {
  any: 'Rules at random: they may contradict themselves.\n',
  kept: 'Rules at random among those that one run of the house keeps:\n',
};

function scaleTable(rows) {
  return markdownTable(
    [
      'rules',
      'prepared, each alone',
      'states',
      'one decision',
      'prepared, jointly too',
      'states of the joint automaton',
      'one decision',
    ],
    rows.map(({ size, alone, jointly }) => [
      size,
      `${number(alone.milliseconds)} ms`,
      alone.states,
      `${number(alone.microseconds)} µs`,
      `${jointly.refused === undefined ? '' : 'refused after '}${number(jointly.milliseconds)} ms`,
      jointly.states ?? '–',
      jointly.refused === undefined ? `${number(jointly.microseconds)} µs` : '–',
    ]),
  );
}

function safelyDoneTable(cells) {
  return markdownTable(
    ['way', ...cells.map(({ size }) => `${size}`)],
    cells[0].ways.map(({ name }, w) => [name, ...cells.map(({ ways }) => rated(ways[w].safelyDone))]),
  );
}

function cellParts({ size, runs, missing, ways }, rival = RIVAL) {
  const together =
    size <= MOST_JOINTLY ? 'All together must stay satisfiable.' : 'Each alone must stay satisfiable.';
  return [
    `## Under ${size} ${size === 1 ? 'constraint' : 'constraints'}\n`,
    `${runs} runs a way${missing === 0 ? '' : `; ${missing} sets could not be drawn`}. ${together}\n`,
    markdownTable(
      [
        'way',
        'no prefix breaks',
        'nor does the end',
        'done',
        `safely done, against "${rival}"`,
        'steps over the fewest',
        'refusals',
        'useless steps',
        'impossible',
      ],
      ways.map((way) => [
        way.name,
        rated(way.kept),
        rated(way.endKept),
        rated(way.done),
        `${signed(way.againstRival.rate)} (${signed(way.againstRival.confidenceLower)} – ${signed(way.againstRival.confidenceUpper)})`,
        number(way.detour),
        number(way.refusals),
        number(way.redundant),
        number(way.inexecutable),
      ]),
    ),
  ];
}
