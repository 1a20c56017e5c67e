// Timing in one process: many runs of each piece of work, of which the median and the spread count.
import Benchmark from 'benchmark';

/** CI's short form: fewer rounds on smaller inputs. */
export const SHORT = Boolean(process.env.BENCH_SHORT);

/** Benchmark.js may remove work whose result is unused; the sink keeps it. */
let sink = 0;

/** Times work that returns an array as `lower`. */
export function measure(name, work) {
  const benchmark = new Benchmark(
    name,
    () => {
      const { lower } = work();
      sink += lower[lower.length >>> 1];
    },
    { minSamples: SHORT ? 2 : 10, maxTime: SHORT ? 0.2 : 6 },
  );
  benchmark.run();
  if (benchmark.error) throw benchmark.error;
  return summary(
    name,
    benchmark.stats.sample.map((seconds) => seconds * 1000),
  );
}

/** The median of times in milliseconds, and where the middle four fifths of them lie. */
export function summary(name, milliseconds) {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const quantile = (q) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
  return { name, median: quantile(0.5), low: quantile(0.1), high: quantile(0.9), runs: sorted.length };
}

export const header = '| what | median ms | 10th to 90th percentile | runs |\n| --- | --- | --- | --- |';

/** A row of the table that `header` begins. */
export function row({ name, median, low, high, runs }, digits = 1) {
  const [middle, least, most] = [median, low, high].map((time) => time.toFixed(digits));
  return `| ${name} | ${middle} | ${least} to ${most} | ${runs} |`;
}

/** What was computed, in a number: printed, so that it is used. */
export function used() {
  return `sink ${sink.toFixed(3)}`;
}
