import { percent } from '../household/terminal.mjs';
import { atPrice } from './foresight.mjs';

const seconds = (value) => (Number.isFinite(value) ? value.toFixed(2) : '–');
const share = (rate) => (Number.isFinite(rate) ? percent(rate) : '–');
/** A rate with its 95% interval. */
export const rated = ({ rate, confidenceLower, confidenceUpper }) =>
  Number.isFinite(rate)
    ? `${percent(rate)} (${(100 * confidenceLower).toFixed(1)} – ${percent(confidenceUpper)})`
    : '–';
/** A mean with the half of its 95% interval. */
export const averaged = ({ mean, confidenceUpper }) =>
  Number.isFinite(confidenceUpper) ? `${seconds(mean)} ± ${seconds(confidenceUpper - mean)}` : seconds(mean);

function table(header, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line), ''].join(
    '\n',
  );
}

/** The results as tables in Markdown. */
export function markdown({ short, plan, scenarios, at100Hz, words }) {
  const { learn, judge, live } = plan;
  const all = [...scenarios, at100Hz];
  const nameOf = ({ name, hz }) => (hz === 10 ? name : `${name}, ${hz} Hz`);
  const guardColumns = scenarios[0].guard.thresholds.map(({ value }) => `θ = ${value}`);
  const baselineColumns = scenarios[0].baseline.thresholds.map(({ value }) => `ρ < ${value}`);
  const parts = [
    `Learnt from ${learn.count} drives a scenario (seeds from ${learn.firstSeed}), judged on ${judge.count} others (from ${judge.firstSeed}), supervised ${live.count} others (from ${live.firstSeed}; the baseline ${live.ofBaseline})${short ? '; short form, figures mean little' : ''}. Nothing was chosen on the drives that judge.`,
    '',
    '### Average advance warning, seconds',
    '',
    'Over all drives that break the law, a violation without warning counts 0. θ is the least probability of keeping the law (the guard acts at a risk above 1 − θ), ρ the robustness. “Law only” is the guard with the minimal abstraction: what the law compares, without context.',
    '',
    table(
      [
        'scenario',
        'law',
        ...guardColumns,
        ...guardColumns.map((column) => `law only, ${column}`),
        ...baselineColumns,
      ],
      scenarios.map(({ name, law, guard, onlyLaw, baseline }) => [
        name,
        law,
        ...[guard, onlyLaw, baseline].flatMap(({ thresholds }) =>
          thresholds.map(({ warningSecondsOfAll }) => averaged(warningSecondsOfAll)),
        ),
      ]),
    ),
    '### Detection',
    '',
    ...[
      ['guard', 'guard', all],
      ['onlyLaw', 'guard, law only', all],
      ['baseline', 'baseline', scenarios],
    ].map(([who, title, list]) =>
      table(
        [title, 'at', 'violations', 'detected (recall)', 'false alarms', 'precision', 'median warning, s'],
        list.flatMap((scenario) =>
          scenario[who].thresholds.map((found) => [
            nameOf(scenario),
            `${who === 'baseline' ? 'ρ <' : 'θ ='} ${found.value}`,
            `${found.violations} of ${found.runs}`,
            rated(found.detectionRate),
            rated(found.falseAlarmRate),
            rated(found.precision),
            seconds(found.warningSeconds.median),
          ]),
        ),
      ),
    ),
    '### At the same price',
    '',
    'Thresholds of each chosen so that at most one lawful drive in ten has an alarm, afterwards and on the same drives: what either could do at best.',
    '',
    table(
      [
        'scenario',
        'guard: detected',
        'warning, s',
        'law only: detected',
        'warning, s',
        'baseline: detected',
        'warning, s',
        'area: guard',
        'law only',
        'baseline',
      ],
      scenarios.map(({ name, curves, guard, onlyLaw, baseline }) => [
        name,
        ...cheaply(curves.guard),
        ...cheaply(curves.onlyLaw),
        ...cheaply(curves.baseline),
        guard.area.toFixed(3),
        onlyLaw.area.toFixed(3),
        baseline.area.toFixed(3),
      ]),
    ),
    '### Calibration',
    '',
    'Bins: how many of those with at least 20 drives hold the mean predicted risk in their 95% interval.',
    '',
    table(
      [
        'scenario',
        'states',
        'Brier',
        'calibration',
        'skill',
        'bins',
        'area',
        'law only: states',
        'skill',
        'bins',
        'area',
      ],
      all.map((scenario) => {
        const { abstraction, onlyLawAbstraction, guard, onlyLaw } = scenario;
        return [
          nameOf(scenario),
          abstraction.states,
          guard.brier.score.toFixed(4),
          guard.brier.calibration.toFixed(4),
          guard.brier.skill.toFixed(2),
          binsHeld(guard.bins),
          guard.area.toFixed(3),
          onlyLawAbstraction.states,
          onlyLaw.brier.skill.toFixed(2),
          binsHeld(onlyLaw.bins),
          onlyLaw.area.toFixed(3),
        ];
      }),
    ),
    '### Enforcement',
    '',
    'Avoided: of the drives that break the law without supervision, those that then keep it; caused: of the others, those that then break it. Time lost: over drives that arrive both ways.',
    '',
    table(
      [
        'scenario',
        'supervision',
        'law broken',
        'avoided',
        'caused',
        'collided',
        'arrived',
        'overridden, s',
        'time lost, s',
      ],
      scenarios.flatMap(({ name, enforcement }) =>
        enforcement.map((setting) => [
          name,
          setting.name,
          rated(setting.violated),
          setting.group === 'none' ? '' : rated(setting.avoided),
          setting.group === 'none' ? '' : share(setting.caused.rate),
          rated(setting.collided),
          share(setting.arrived.rate),
          seconds(setting.overriddenSeconds.mean),
          setting.group === 'none' ? '' : averaged(setting.secondsLost),
        ]),
      ),
    ),
    '### Risk per abstract state: the left turn',
    '',
    table(
      ['state', 'risk of a collision', 'left in data'],
      words.paper.map(({ description, risk, draws }) => [description, percent(risk), draws]),
    ),
  ];
  return parts.join('\n');
}

/** What is detected, and how early, where a tenth of the lawful drives may have an alarm. */
function cheaply(points) {
  const best = atPrice(points, 0.1);
  return best === undefined ? ['–', '–'] : [share(best.detectionRate), seconds(best.warningSeconds)];
}

/** Of the bins with enough drives, those whose interval holds what was predicted. */
function binsHeld(bins) {
  const used = bins.filter(({ runs }) => runs >= 20);
  const held = used.filter(
    ({ meanRisk, observed }) => observed.confidenceLower <= meanRisk && meanRisk <= observed.confidenceUpper,
  );
  return `${held.length} of ${used.length}`;
}
