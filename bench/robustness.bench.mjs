// What does robustness cost? Offline over 100,000 samples, with windows from 2 to 9,000 steps (goal: the window does not matter);
// online a step of the monitor, and of the reactive baseline with 3 s of foresight. Before anything is timed, the monitor's bounds at
// the end are compared with the offline value.
//
//   npm run build && node bench/robustness.bench.mjs
import { parseFormula } from '../dist/index.js';
import { createRobustnessBaseline, RobustnessMonitor, robustness } from '../dist/study.js';
import { header, measure, row, SHORT, summary, used } from './timing.mjs';

const SAMPLES = SHORT ? 10_000 : 100_000;
const ONLINE = SHORT ? 2_000 : 20_000;

/** Two signals that wander between -10 and 10, the same in every run. */
function signals(length) {
  let state = 5;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  const columns = { speed: new Float64Array(length), gap: new Float64Array(length) };
  for (const values of Object.values(columns)) {
    let value = 0;
    for (let i = 0; i < length; i++) {
      value = Math.max(-10, Math.min(10, value + next()));
      values[i] = value;
    }
  }
  return columns;
}

const columns = signals(SAMPLES);
const rows = [];
for (const window of ['[0,2]', '[100,3000]', '[0,9000]']) {
  const shapes = [`G ((gap > 1) -> (F${window} (speed > 2)))`, `G ((gap > -9) U${window} (speed > 2))`];
  for (const source of shapes) {
    const formula = parseFormula(source);
    const work = () => ({ lower: [robustness(formula, columns)] });
    rows.push(measure(`${SAMPLES} samples, \`${source}\``, work));
  }
}
console.log(`${header}\n${rows.map((timing) => row(timing)).join('\n')}\n`);

function stepTimes(name, samples, step) {
  const times = [];
  for (let i = 0; i < samples; i++) {
    const state = { speed: columns.speed[i], gap: columns.gap[i] };
    const began = performance.now();
    step(state);
    times.push((performance.now() - began) * 1000);
  }
  // The first tenth is warm-up.
  return summary(name, times.slice(samples / 10));
}

const online = [];
for (const window of [20, 100, 2000]) {
  const formula = parseFormula(`G ((gap > 1) -> (F<=${window} (speed > 2)))`);
  const monitor = new RobustnessMonitor(formula);
  online.push(stepTimes(`monitor, window of ${window} steps`, ONLINE, (state) => monitor.step(state)));
  const steps = Array.from({ length: ONLINE }, (_, i) => ({
    state: { speed: columns.speed[i], gap: columns.gap[i] },
  }));
  if (monitor.end().lower !== robustness(formula, steps)) throw new Error(`the monitor is wrong: ${window}`);
  const baseline = createRobustnessBaseline(formula, {
    samplingPeriod: 0.1,
    horizonSeconds: 3,
    threshold: 0.8,
  });
  online.push(
    stepTimes(`baseline, window of ${window} steps, 30 ahead`, ONLINE / 4, (state) => baseline.step(state)),
  );
}
console.log(
  `${header.replace('median ms', 'median µs')}\n${online.map((timing) => row(timing)).join('\n')}\n${used()}`,
);
