// How many states a second are explored? Models of the Quantitative Verification Benchmark Set where they lie in
// ../shared/data/qvbs (their files can be had from https://qcomp.org/benchmarks), and a grid that is written here; by generated
// WebAssembly and by closures. Both must find the same rows before anything is timed. Processor time counts all threads, those that
// compile included; it tells more than the clock on a machine that others use.
//
//   npm run build && node bench/exploration.bench.mjs
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, parseModel } from '../dist/check.js';

const SHORT = Boolean(process.env.BENCH_SHORT) || process.argv.includes('--short');
const ROUNDS = SHORT ? 2 : 7;

/** Walkers on a circle that move together or alone: modules that synchronise, several choices, probabilities. */
function walkers(places) {
  const walker = (w) => `module walker${w}
  x${w} : [0..${places - 1}];
  tired${w} : bool;
  [] !tired${w} -> 0.9 : (x${w}'=mod(x${w}+1,${places})) + 0.1 : (tired${w}'=true);
  [rest] tired${w} -> (tired${w}'=false);
  [rest] !tired${w} -> 0.5 : (x${w}'=max(0,x${w}-2)) + 0.5 : true;
endmodule`;
  return `mdp
${[0, 1, 2].map(walker).join('\n')}
rewards "rests" [rest] true : 1; endrewards
label "together" = x0=x1 & x1=x2;`;
}

const places = SHORT ? 12 : 45;
const models = [
  {
    name: `three walkers, ${places} places`,
    source: walkers(places),
    constants: {},
    states: 8 * places ** 3,
  },
];
const folder = fileURLToPath(new URL('../../shared/data/qvbs/', import.meta.url));
for (const [name, file, constants] of [
  ['crowds, TotalRuns=4 CrowdSize=20', 'crowds/crowds.prism', { TotalRuns: 4, CrowdSize: 20 }],
  ['csma.4-2', 'csma/csma.4-2.prism', {}],
  ['zeroconf, N=1000 K=6', 'zeroconf/zeroconf.prism', { N: 1000, K: 6, reset: false }],
]) {
  if (SHORT) break;
  if (existsSync(folder + file)) {
    models.push({ name, source: readFileSync(folder + file, 'utf8'), constants });
  } else console.log(`${folder + file} is absent: not measured`);
}

const same = (a, b) => a.length === b.length && a.every((item, i) => Object.is(item, b[i]));

console.log(
  '| model | states | transitions | backend | median ms (least to most) | processor ms | million states a second |\n| --- | --- | --- | --- | --- | --- | --- |',
);
for (const { name, source, constants, states } of models) {
  const model = parseModel(source, { name });
  const found = ['wasm', 'closures'].map((backend) => build(model, { constants, backend }).model);
  if (found[0].states !== (states ?? found[1].states)) throw new Error(`${name}: ${found[0].states} states`);
  for (const array of ['rowStart', 'columns', 'values']) {
    if (!same(found[0][array], found[1][array])) throw new Error(`${name}: backends differ in ${array}`);
  }
  for (const backend of ['wasm', 'closures']) {
    const milliseconds = [];
    const processor = [];
    for (let round = 0; round < ROUNDS; round++) {
      globalThis.gc?.();
      const before = process.cpuUsage();
      const started = performance.now();
      const built = build(model, { constants, backend });
      milliseconds.push(performance.now() - started);
      const { user, system } = process.cpuUsage(before);
      processor.push((user + system) / 1000);
      if (built.backend !== backend) throw new Error(`${name}: explored by ${built.backend}, not ${backend}`);
    }
    milliseconds.sort((a, b) => a - b);
    processor.sort((a, b) => a - b);
    const median = milliseconds[ROUNDS >> 1];
    const [least, most] = [milliseconds[0], milliseconds.at(-1)].map((time) => time.toFixed(0));
    const rate = found[0].states / median / 1000;
    console.log(
      `| ${name} | ${found[0].states} | ${found[0].columns.length} | ${backend} | ${median.toFixed(0)} (${least} to ${most}) | ${processor[ROUNDS >> 1].toFixed(0)} | ${rate.toFixed(2)} |`,
    );
  }
}
