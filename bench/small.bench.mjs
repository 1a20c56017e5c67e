// How long does a small model take from its text to the answer, within a process that runs anyway? A die of coins, which is written
// here, and instances of the Quantitative Verification Benchmark Set where they lie in ../shared/data/qvbs (their files can be had from
// https://qcomp.org/benchmarks). The first question of a new process, whose code nobody has compiled yet, is timed apart, each in a
// process of its own; it does not count loading the package. Processor time counts all threads, those that compile included; it tells
// more than the clock on a machine that others use.
//
//   npm run build && node bench/small.bench.mjs
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, check, parseModel } from '../dist/check.js';
import { SHORT } from './timing.mjs';

const ROUNDS = SHORT ? 20 : 500;
const COLD = SHORT ? 2 : 9;
const GOAL = 5;

const die = `dtmc
module die
  s : [0..7] init 0;
  d : [0..6] init 0;
  [] s=0 -> 0.5 : (s'=1) + 0.5 : (s'=2);
  [] s=1 -> 0.5 : (s'=3) + 0.5 : (s'=4);
  [] s=2 -> 0.5 : (s'=5) + 0.5 : (s'=6);
  [] s=3 -> 0.5 : (s'=1) + 0.5 : (s'=7) & (d'=1);
  [] s=4 -> 0.5 : (s'=7) & (d'=2) + 0.5 : (s'=7) & (d'=3);
  [] s=5 -> 0.5 : (s'=7) & (d'=4) + 0.5 : (s'=7) & (d'=5);
  [] s=6 -> 0.5 : (s'=2) + 0.5 : (s'=7) & (d'=6);
  [] s=7 -> (s'=7);
endmodule`;

const folder = fileURLToPath(new URL('../../shared/data/qvbs/', import.meta.url));
const questions = [
  { name: 'die', source: die, constants: {}, property: 'P=? [ F s=7 & d=6 ]', value: 1 / 6 },
  {
    name: 'brp, N=16 MAX=2',
    file: 'brp/brp.prism',
    constants: { N: 16, MAX: 2 },
    property: 'P=? [ F s=5 ]',
    value: 0.0004233334437734179,
  },
  {
    name: 'crowds, TotalRuns=3 CrowdSize=5',
    file: 'crowds/crowds.prism',
    constants: { TotalRuns: 3, CrowdSize: 5 },
    property: 'P=? [ F observe0>1 ]',
  },
  {
    name: 'consensus.2, K=2, chance to disagree',
    file: 'consensus/consensus.2.prism',
    constants: { K: 2 },
    property: 'Pmax=? [ F "finished" & !"agree" ]',
    value: 0.10833333333333334,
  },
  {
    name: 'consensus.2, K=2, most steps',
    file: 'consensus/consensus.2.prism',
    constants: { K: 2 },
    property: 'R{"steps"}max=? [ F "finished" ]',
    value: 75,
  },
].filter(({ source, file }) => {
  if (source !== undefined || existsSync(folder + file)) return true;
  console.log(`${folder + file} is absent: not measured`);
  return false;
});

function answer({ source, constants, property }) {
  const model = build(parseModel(source), { constants });
  return { states: model.model.states, ...check(model, property) };
}

/** Milliseconds that an answer takes, by the processor and by the clock. */
function timed(question) {
  const [used, started] = [process.cpuUsage(), performance.now()];
  answer(question);
  const wall = performance.now() - started;
  const { user, system } = process.cpuUsage(used);
  return { processor: (user + system) / 1000, wall };
}

for (const question of questions) question.source ??= readFileSync(folder + question.file, 'utf8');

const first = questions.find(({ name }) => name === process.env.BENCH_FIRST);
if (first !== undefined) {
  console.log(timed(first).processor);
} else {
  const rows = questions.map((question) => {
    const { states, lower, upper } = answer(question);
    if (question.value !== undefined && !(lower <= question.value && question.value <= upper))
      throw new Error(`${question.name}: [${lower}, ${upper}] does not contain ${question.value}`);
    const cold = Array.from({ length: COLD }, () => {
      const env = { ...process.env, BENCH_FIRST: question.name };
      const { stdout } = spawnSync(process.execPath, [fileURLToPath(import.meta.url)], {
        env,
        encoding: 'utf8',
      });
      return Number(stdout.trim().split('\n').at(-1));
    });
    for (let i = 0; i < ROUNDS; i++) answer(question);
    const times = Array.from({ length: ROUNDS }, () => timed(question));
    const quantile = (values, q) => values.toSorted((a, b) => a - b)[Math.floor(q * values.length)];
    const processor = times.map((time) => time.processor);
    const median = quantile(processor, 0.5);
    const clock = quantile(
      times.map(({ wall }) => wall),
      0.5,
    );
    const goal = median > GOAL ? `${GOAL}, missed` : GOAL;
    const figures = [median.toFixed(2), quantile(processor, 0.99).toFixed(1), clock.toFixed(2)];
    return [question.name, states, ...figures, quantile(cold, 0.5).toFixed(0), goal];
  });
  console.log('| model | states | median ms | 99th percentile | by the clock | first of a process | goal |');
  console.log('| --- | --- | --- | --- | --- | --- | --- |');
  for (const row of rows) console.log(`| ${row.join(' | ')} |`);
}
