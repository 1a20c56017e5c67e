import { describe, expect, it } from 'vitest';
import { example } from './example.js';

const { worlds } = await example('sampling/worlds.mjs');
const { asAgent, planned, uniform } = await example('sampling/strategies.mjs');

describe('the example on sampling plans', () => {
  it('has agents whose runs begin in the job that is asked for, and else in any', () => {
    for (const { specification, jobs, run } of worlds) {
      const [{ name, expression }] = specification.abstraction.predicates;
      expect(expression).toContain(name);
      const first = (stream: number, job: string | null) =>
        JSON.stringify(run(1, stream, job).steps[0].state);
      for (const job of jobs) expect(first(3, job)).toContain(job);
      const begun = new Set(Array.from({ length: 200 }, (_, stream) => first(stream, null)));
      expect(begun.size).toBeGreaterThan(3);
    }
  });

  it('finds that plans save half of the runs where few kinds of job matter', async () => {
    const goal = { scope: 'states', epsilon: 0.25, budget: 20_000 };
    const { runs, onRequest } = await planned(worlds[0], goal, 1);
    expect(onRequest).toBeGreaterThan(0);
    expect(runs).toBeLessThan(0.5 * uniform(worlds[0], goal, 1));
    expect(runs).toBeLessThan(0.5 * asAgent(worlds[0], goal, 1));
  });
});
