import { clopperPearsonInterval, describeChain, renderReport } from 'foreguard/study';
import { number, percent, text } from '../household/terminal.mjs';
import { averaged, rated } from './markdown.mjs';

export const worldNote =
  'This is our own simulated road with our own planner, not Apollo, not its simulator, and not the recordings of the Pro²Guard ' +
  "paper: tables have the form of that paper's, and figures cannot be compared with the paper's. People are not seen before they " +
  'are about to cross, nothing is measured with error, and whoever supervises acts without delay.';

/** The results as one page. */
export function page({ short, plan, scenarios, words }, paper) {
  const pooled = scenarios[0].enforcement.map((setting, i) =>
    pool(
      setting,
      scenarios.map(({ enforcement }) => enforcement[i]),
    ),
  );
  return renderReport({
    title: 'A driving agent under Foreguard',
    summary:
      'Chains learnt from drives through nine scenarios predict, at every step, how likely the vehicle is to break a traffic law or ' +
      'collide; guards override it before it does. A robustness baseline sees the same drives.',
    facts: [
      { name: 'scenarios', value: String(scenarios.length) },
      { name: 'drives learnt from, each', value: plan.learn.count.toLocaleString('en') },
      { name: 'drives judged on, each', value: plan.judge.count.toLocaleString('en') },
      { name: 'supervised drives, each setting', value: plan.live.count.toLocaleString('en') },
    ],
    chain: describeChain(paper.model, paper.risks(), {
      title: 'The left turn, in the predicates of the paper’s Table 2',
      threshold: null,
    }),
    settings: {
      note: `All scenarios together, ${plan.live.count} drives each (the baseline ${plan.live.ofBaseline}). Unsafe: the law broken or a collision; completed: arrived within two minutes. θ is the least probability of keeping the law, below which the guard overrides the planner.`,
      rows: pooled,
    },
    plots: scenarios.flatMap(plotsOf),
    tables: [warnings(scenarios), enforcement(scenarios), inWords(words)],
    notes: [worldNote, ...(short ? ['Short form: few drives, and figures that mean little.'] : [])],
  });
}

function pool({ name, group }, same) {
  const sum = (of) => same.reduce((total, setting) => total + Math.round(of(setting).rate * setting.runs), 0);
  const runs = same.reduce((total, setting) => total + setting.runs, 0);
  return {
    name,
    group,
    runs,
    unsafe: clopperPearsonInterval(
      sum(({ unsafe }) => unsafe),
      runs,
    ),
    completed: clopperPearsonInterval(
      sum(({ arrived }) => arrived),
      runs,
    ),
  };
}

/** Of a reliability diagram, one abstraction's risks against how often they came true. */
function reliabilityOf({ bins }, who) {
  return {
    name: who,
    points: bins
      .filter(({ runs }) => runs > 0)
      .map(({ meanRisk, observed, runs }) => ({
        x: meanRisk,
        y: observed.rate,
        interval: { lower: observed.confidenceLower, upper: observed.confidenceUpper },
        label: `${who}: predicted ${percent(meanRisk)}, came true ${rated(observed)}, ${runs} drives`,
      })),
  };
}

function plotsOf({ name, law, guard, onlyLaw, curves }) {
  const longest = Math.max(
    1,
    ...[...curves.guard, ...curves.baseline].map(({ warningSeconds }) => warningSeconds || 0),
  );
  const operating = (points, who) => ({
    name: who,
    joined: true,
    points: points.map(({ falseAlarmRate, warningSeconds, detectionRate }) => ({
      x: falseAlarmRate,
      y: warningSeconds,
      label: `${who}: false alarms in ${percent(falseAlarmRate)}, ${percent(detectionRate)} detected, ${warningSeconds.toFixed(2)} s ahead`,
    })),
  });
  return [
    {
      title: `${name}: reliability`,
      note: `${law}. Predicted risk against how often it came true, with 95% intervals.`,
      x: { name: 'predicted risk', min: 0, max: 1, percent: true },
      y: { name: 'drives that broke it', min: 0, max: 1, percent: true },
      diagonal: true,
      series: [reliabilityOf(guard, 'guard'), reliabilityOf(onlyLaw, 'law only')],
    },
    {
      title: `${name}: warning for its price`,
      note: 'Average advance warning against false alarms, over all thresholds; a violation without warning counts 0.',
      x: { name: 'false alarms among lawful drives', min: 0, max: 1, percent: true },
      y: { name: 'seconds ahead', min: 0, max: longest },
      series: [operating(curves.guard, 'guard'), operating(curves.baseline, 'robustness')],
    },
  ];
}

function warnings(scenarios) {
  const [{ guard, baseline }] = scenarios;
  return {
    title: 'Average advance warning, seconds',
    note: 'Over all drives that break the law; a violation without warning counts 0. ρ is the robustness of the baseline.',
    columns: [
      text('scenario'),
      text('law'),
      ...guard.thresholds.map(({ value }) => number(`θ = ${value}`)),
      ...baseline.thresholds.map(({ value }) => number(`ρ < ${value}`)),
    ],
    rows: scenarios.map((scenario) => [
      scenario.name,
      scenario.law,
      ...[...scenario.guard.thresholds, ...scenario.baseline.thresholds].map(({ warningSecondsOfAll }) =>
        averaged(warningSecondsOfAll),
      ),
    ]),
  };
}

function enforcement(scenarios) {
  return {
    title: 'Supervision, scenario by scenario',
    note: 'Avoided: of the drives that break the law without supervision, those that then keep it. Time lost: over drives that arrive both ways.',
    columns: [
      text('scenario'),
      text('supervision'),
      number('law broken'),
      number('avoided'),
      number('collided'),
      number('arrived'),
      number('time lost, s'),
    ],
    rows: scenarios.flatMap((scenario) =>
      scenario.enforcement.map((setting) => [
        scenario.name,
        setting.name,
        rated(setting.violated),
        setting.group === 'none' ? '' : rated(setting.avoided),
        rated(setting.collided),
        percent(setting.arrived.rate),
        setting.group === 'none' ? '' : averaged(setting.secondsLost),
      ]),
    ),
  };
}

function inWords({ full }) {
  const shown = full.filter(({ draws, risk }) => draws >= 20 && risk < 1).slice(0, 15);
  return {
    title: 'The left turn: the riskiest abstract states in words',
    note: 'Of all predicates, where the law is not broken yet and the state was left at least 20 times in the data.',
    columns: [text('state'), number('risk of a collision'), number('left in data')],
    rows: shown.map(({ description, risk, draws }) => [description, percent(risk), String(draws)]),
  };
}
