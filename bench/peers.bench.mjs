// How long do three model checkers take, from PRISM source to an answer? Whole processes, on the instances of the Quantitative
// Verification Benchmark Set above 100,000 states, one query each, precision 1e-6 relative to the value; they take turns, and the
// best of the rounds counts, for other work on the machine can only add. Answers are checked against those published.
//
// Foreguard and Storm (`--sound`) certify. PRISM's engines iterate until values hardly change, which certifies nothing; the fastest
// of them counts. What is absent is said, and left out:
//
//   PRISM   PRISM_HOME is its folder
//   Storm   FOREGUARD_STORM_PYTHON is a Python that has the stormpy wheel; else python3, if it has; else a `storm` on the path
//   data    FOREGUARD_QVBS is the folder of instances.json; else ../shared/data/qvbs
//
//   npm run build && node bench/peers.bench.mjs [--rounds=N] [TEXT …]      only instances that contain one of the texts
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseProperties } from '../dist/check.js';
import { foreguard, prism, storm } from './peers/contestants.mjs';

const SHORT = Boolean(process.env.BENCH_SHORT);
const LEAST_STATES = SHORT ? 10_000 : 100_000;
const MAX_STATES = SHORT ? 50_000 : Infinity;
const MIB = 2 ** 20;

const texts = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const [rounds = SHORT ? 1 : 3] = process.argv.flatMap((word) =>
  word.startsWith('--rounds=') ? [Number(word.slice('--rounds='.length))] : [],
);
const data = process.env.FOREGUARD_QVBS ?? fileURLToPath(new URL('../../shared/data/qvbs', import.meta.url));

/** The query asked of each family: the first published one otherwise. */
const QUERIES = { wlan: 'cost_max', csma: 'time_max', consensus: 'disagree', zeroconf: 'correct_min' };

function instances() {
  return JSON.parse(readFileSync(join(data, 'instances.json'), 'utf8'))
    .filter(({ states }) => states >= LEAST_STATES && states <= MAX_STATES)
    .map(({ family, model, properties, constants, states, results }) => {
      const query =
        family in QUERIES && QUERIES[family] in results ? QUERIES[family] : Object.keys(results)[0];
      const file = parseProperties(readFileSync(join(data, properties), 'utf8'));
      const given = Object.entries(constants)
        .map(([name, value]) => `${name}=${value}`)
        .join(',');
      return {
        title: [model.replace(/^.*\/|\.prism$/g, ''), given, query].filter(Boolean).join(' '),
        model: join(data, model),
        property: file.properties.find(({ name }) => name === query).text,
        constants: given,
        states,
        published: results[query].approx,
      };
    })
    .filter(({ title }) => texts.length === 0 || texts.some((text) => title.includes(text)))
    .sort((a, b) => a.states - b.states);
}

/**
 * What a run comes to: certified answers must be as close as asked for, others are held to PRISM's own standard. A wrong answer of
 * ours is an error; one of a peer counts as a failure.
 */
function checked({ title, published }, { name, certified }, run) {
  const { value, lower, upper, failure } = run;
  if (failure) return run;
  const distance = typeof published === 'boolean' ? Number(value !== published) : Math.abs(value - published);
  const isWithin =
    lower === undefined || (lower <= published * (1 + 1e-15) && published <= upper * (1 + 1e-15));
  if (isWithin && distance <= (certified ? 2.1e-6 : 1e-4) * Math.abs(Number(published)))
    return { ...run, error: distance / Math.abs(Number(published) || 1) };
  const complaint = `${title}: ${name} answers ${value}, published is ${published}`;
  if (lower !== undefined) throw new Error(`${complaint}; its bounds are ${lower} and ${upper}`);
  return { seconds: Infinity, failure: complaint };
}

/** The least that one of two runs took, and the most memory. */
function better(a, b) {
  if (!a || a.failure) return b;
  if (b.failure) return a;
  return {
    ...b,
    seconds: Math.min(a.seconds, b.seconds),
    processorSeconds: Math.min(a.processorSeconds, b.processorSeconds),
    bytes: Math.max(a.bytes, b.bytes),
  };
}

const geometricMean = (ratios) =>
  Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);

/** Ratios of one cost, where both runs have it. */
function summary(what, pairs, cost) {
  const ratios = pairs.map(([own, other]) => own[cost] / other[cost]).filter(Number.isFinite);
  if (ratios.length === 0) return '';
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2));
  return `; ${what} ${geometricMean(ratios).toFixed(2)} (${least} to ${most})`;
}

function cells({ engine = '', seconds, processorSeconds = Number.NaN, bytes = Number.NaN, failure }) {
  if (failure) return 'failed | – | –';
  const [processor, memory] = [processorSeconds.toFixed(2), (bytes / MIB).toFixed(0)];
  return [`${seconds.toFixed(2)} ${engine}`.trim(), processor, memory].join(' | ').replaceAll('NaN', '–');
}

if (!existsSync(join(data, 'instances.json'))) {
  console.log(`${data} is absent: nothing was compared (FOREGUARD_QVBS names another folder)`);
} else {
  const peers = { Storm: storm(), PRISM: prism() };
  for (const [name, peer] of Object.entries(peers)) {
    console.log(
      peer
        ? `${name}: ${peer.name}`
        : `${name} is absent: Foreguard was NOT compared with it (bench/README.md says how to install it)`,
    );
  }
  const contestants = [foreguard(), ...Object.values(peers).filter(Boolean)];
  const names = contestants.map(({ name }) => `${name}, s | processor s | MiB`);
  console.log(`\n| instance and query | states as published | ${names.join(' | ')} |`);
  console.log(`| --- | ---: | ${contestants.map(() => '---: | ---: | ---:').join(' | ')} |`);
  const all = [];
  for (const instance of instances()) {
    const best = contestants.map(() => undefined);
    for (let round = 0; round < rounds; round++) {
      for (const [i, contestant] of contestants.entries())
        best[i] = better(best[i], checked(instance, contestant, contestant.run(instance)));
    }
    all.push(best);
    const { title, states } = instance;
    console.log(`| ${title} | ${states.toLocaleString('en')} | ${best.map(cells).join(' | ')} |`);
    for (const [i, { failure }] of best.entries())
      if (failure) console.error(`${title}: ${contestants[i].name}: ${failure}`);
  }
  console.log();
  for (const [i, { name }] of contestants.entries()) {
    const done = all.filter((best) => !best[0].failure && !best[i].failure);
    const error = Math.max(...done.map((best) => best[i].error)).toExponential(0);
    const pairs = i === 0 ? [] : done.map((best) => [best[0], best[i]]);
    console.log(
      `${name}: ${done.length} instances, off by at most ${error} relatively${[
        summary('Foreguard ÷ it: time', pairs, 'seconds'),
        summary('processor time', pairs, 'processorSeconds'),
        summary('memory', pairs, 'bytes'),
      ].join('')}`,
    );
  }
}
