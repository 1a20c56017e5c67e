import '../../../bindings/solvers/kernel/inline.js';
import { describe, expect, it } from 'vitest';
import { Random } from '../../../bindings/base/random.js';
import { DirichletSampler } from '../../../bindings/estimation/pac/dirichlet.js';
import { eventProblem, posteriorIntervals } from '../../../bindings/estimation/pac/index.js';
import { BitSet } from '../../../bindings/solvers/kernel/index.js';
import { type KnownChain, reachProbability, sampleRows } from './sampledRows.js';

/** start -> 1; 1 goes to 2 or ends, 2 goes back to 1 or ends. */
const chainOf = (p: number, q: number): KnownChain => [
  [[1, 1]],
  [
    [2, p],
    [3, 1 - p],
  ],
  [
    [1, q],
    [3, 1 - q],
  ],
  [],
];

function problemOf(chain: KnownChain, runs: number, seed: number, known = true) {
  const source = new Random(seed);
  const rows = sampleRows(chain, runs, () => source.next(), { known });
  const event = { remain: BitSet.full(4), target: BitSet.of(4, [2]), from: 0 };
  return eventProblem(rows, 4, { start: 0, end: 3 }, event);
}

describe('Gamma draws', () => {
  it.each([0.5, 1.5, 40])('of shape %d have its mean and variance', (shape) => {
    const sampler = new DirichletSampler(new Random(3));
    const draws = Array.from({ length: 40_000 }, () => sampler.gamma(shape));
    const mean = draws.reduce((sum, x) => sum + x, 0) / draws.length;
    const variance = draws.reduce((sum, x) => sum + (x - mean) ** 2, 0) / draws.length;
    // Six standard errors: that of the variance has (2 + 6/shape) shape² / n under its root.
    expect(Math.abs(mean - shape)).toBeLessThan(6 * Math.sqrt(shape / draws.length));
    expect(Math.abs(variance - shape)).toBeLessThan(6 * shape * Math.sqrt((2 + 6 / shape) / draws.length));
  });
});

describe('posterior intervals', () => {
  it('have as much of the Beta distribution outside as was asked for, where one row decides', () => {
    const problem = problemOf(chainOf(0.3, 0), 0, 1);
    const { lower, upper, guaranteed } = posteriorIntervals(problem, { delta: 0.1, samples: 8_000 });
    // Without data p is of Beta(½, ½), whose distribution function is 2/π asin √p.
    const below = (p: number): number => (2 / Math.PI) * Math.asin(Math.sqrt(p));
    expect(Math.abs(below(lower[1]) - 0.05)).toBeLessThan(6 * Math.sqrt(0.05 / 8_000));
    expect(Math.abs(below(upper[1]) - 0.95)).toBeLessThan(6 * Math.sqrt(0.05 / 8_000));
    expect(guaranteed).toBe(false);
    expect(lower[2]).toBe(1);
  });

  it('leave out the truth for a share delta of the chains that their prior draws, whenever one stops', () => {
    const sampler = new DirichletSampler(new Random(11));
    let outside = 0;
    const sets = 200;
    for (let i = 0; i < sets; i++) {
      const [p, q] = [Float64Array.of(0.5, 0.5), Float64Array.of(0.5, 0.5)];
      sampler.draw(p);
      sampler.draw(q);
      const chain = chainOf(p[0], q[0]);
      const truth = reachProbability(chain, new Set([2]));
      for (const runs of [4, 16]) {
        const { lower, upper } = posteriorIntervals(problemOf(chain, runs, i), { delta: 0.2, samples: 39 });
        if (upper[0] - lower[0] > 0.5 && runs < 16) continue;
        if (truth[1] < lower[1] || truth[1] > upper[1]) outside++;
        break;
      }
    }
    // 40 expected; a binomial variable is farther off than 5 standard deviations, 5.7 each, once in a million.
    expect(Math.abs(outside - 0.2 * sets)).toBeLessThan(5 * 5.7);
  });

  it('take what was never seen for the bad event in the upper end alone', () => {
    const { lower, upper } = posteriorIntervals(problemOf(chainOf(0, 0), 10, 1, false), { samples: 200 });
    expect(lower[1]).toBe(0);
    expect(upper[1]).toBeGreaterThan(0.05);
    expect(upper[1]).toBeLessThan(0.5);
  });

  it('are of a horizon where one is asked for, the start being no step of it', () => {
    const problem = problemOf(chainOf(0.3, 0.5), 200, 2);
    const within = (horizonSteps: number | null) =>
      posteriorIntervals(problem, { horizonSteps, samples: 200 });
    expect(within(0).upper[1]).toBe(0);
    const ever = within(null);
    const once = within(1);
    // 2 is come to from 1 in one step or never.
    expect(once.lower[1]).toBeCloseTo(ever.lower[1], 5);
    expect(once.upper[problem.start]).toBeCloseTo(ever.upper[problem.start], 5);
  });

  it.each([
    [{ delta: 1 }, /delta is 1/],
    [{ prior: 0 }, /prior is 0/],
    [{ samples: 0.5 }, /samples is 0.5/],
  ])('refuse %o', (options, message) => {
    expect(() => posteriorIntervals(problemOf(chainOf(0.5, 0.5), 3, 1), options)).toThrow(message);
  });

  it('say nothing with too few samples for what is asked', () => {
    const { lower, upper } = posteriorIntervals(problemOf(chainOf(0.5, 0.5), 50, 1), {
      delta: 0.05,
      samples: 30,
    });
    expect([lower[1], upper[1]]).toEqual([0, 1]);
  });
});
