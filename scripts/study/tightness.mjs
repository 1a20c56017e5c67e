// How wide certificates are, beside what the papers' second criterion would certify on the same data.

import { Random } from 'foreguard-worlds';
import {
  amplification,
  amplificationBounds,
  confidenceRows,
  intervalBounds,
  secondCriterionEpsilon,
} from '../../dist/study.js';
import { cases, Draws } from './chains.mjs';
import { open } from './problems.mjs';

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
const shown = (value) => (value === undefined ? '–' : value.toFixed(value < 1 ? 3 : 1));

/**
 * Prints, for each chain and number of runs, medians over `sets` data sets and all states whose risk is neither 0 nor 1.
 *
 * @returns whether the interval chain was never wider than the amplified error
 */
export function tightness(delta, sizes, sets) {
  console.log(
    `\n| chain | runs | (b): 2 epsilon | (c) | (d) | (b) / (d) | where risk < 0.05 | (b) cut to [0, 1] / (d) |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |`,
  );
  let wider = 0;
  for (const runs of sizes) {
    const all = { ratios: [], seldom: [], cut: [] };
    for (const [number, one] of cases.entries()) {
      const { problemOf, ever } = open(one);
      const found = { second: [], amplified: [], interval: [], ratios: [], seldom: [], cut: [] };
      for (let i = 0; i < sets; i++) {
        const draws = new Draws(one.chain, new Random(i + 1, 3000 + number), one);
        draws.run(runs);
        const rows = draws.rows();
        const confidence = confidenceRows(rows, delta);
        const problem = problemOf(rows);
        const interval = intervalBounds(problem, confidence);
        const { estimate, error } = amplification(problem, confidence);
        const amplified = amplificationBounds({ estimate, error });
        const epsilon = secondCriterionEpsilon(problem, confidence);
        ever.forEach((p, node) => {
          if (!(p > 0 && p < 1)) return;
          const width = interval.upper[node] - interval.lower[node];
          // Both are solved to a precision of 1e-6.
          if (width > amplified.upper[node] - amplified.lower[node] + 5e-6) wider++;
          found.second.push(2 * epsilon);
          found.amplified.push(amplified.upper[node] - amplified.lower[node]);
          found.interval.push(width);
          found.ratios.push((2 * epsilon) / width);
          if (p < 0.05) found.seldom.push((2 * epsilon) / width);
          const cut =
            Math.min(1, estimate.upper[node] + epsilon) - Math.max(0, estimate.lower[node] - epsilon);
          found.cut.push(cut / width);
        });
      }
      for (const [name, values] of Object.entries(all)) values.push(...found[name]);
      const { second, amplified, interval, ratios, seldom, cut } = found;
      const columns = [second, amplified, interval, ratios, seldom, cut].map((values) =>
        shown(median(values)),
      );
      console.log(`| ${one.name} | ${runs} | ${columns.join(' | ')} |`);
    }
    const columns = [all.ratios, all.seldom, all.cut].map((values) => shown(median(values)));
    console.log(`| **all** | ${runs} | | | | ${columns.join(' | ')} |`);
  }
  console.log(`\n(d) wider than (c): ${wider} times`);
  return wider === 0;
}
