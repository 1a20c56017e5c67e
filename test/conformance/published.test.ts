import { expect, it } from 'vitest';
import * as check from '../../bindings/face/entries/check.js';
import * as foreguard from '../../bindings/face/entries/index.js';
import * as logic from '../../bindings/languages/logic/index.js';
import { script } from '../script.js';
import { sharedData } from '../shared.js';

const { api } = await script('conformance/api.mjs');
const { runInstance } = await script('conformance/runInstance.mjs');
const { prismTestJobs } = await script('conformance/prismTests.mjs');
const { pro2guardJobs, readPublishedChain } = await script('conformance/pro2guard.mjs');
const { qvbsJobs } = await script('conformance/qvbs.mjs');

interface Job {
  readonly directory: string;
  readonly folder: string;
  readonly title: string;
  readonly states?: number;
  readonly skip?: string;
}

interface Test {
  readonly name: string;
  readonly outcome: string;
  readonly detail: string;
}

/** What does not agree with what is published, as lines; and how many do. */
function run(jobs: readonly Job[]): { failures: string[]; passed: number } {
  const failures: string[] = [];
  let passed = 0;
  for (const job of jobs) {
    runInstance(api({ ...foreguard, ...check }, logic), job, ({ name, outcome, detail }: Test) => {
      if (outcome === 'failed') failures.push(`${job.folder}/${job.title}: ${name}: ${detail}`);
      if (outcome === 'passed' || outcome === 'close') passed++;
    });
  }
  return { failures, passed };
}

// The command `npm run conformance` takes all; here are those that need a few milliseconds each.
sharedData('qvbs', (folder) => {
  it('small benchmark instances have the published results between their bounds', () => {
    const jobs = qvbsJobs(folder).filter(({ states = Infinity }: Job) => states <= 700);
    const { failures, passed } = run(jobs);
    expect(failures).toEqual([]);
    expect(passed).toBeGreaterThanOrEqual(3 * jobs.length);
  });
});

sharedData('prism-tests/functionality', (folder) => {
  it('small regression models have the results in their comments', () => {
    const quick = /^(language|import|verify\/(dtmcs|exact|mdps\/(ltl|rewards))(\/|$))/;
    const jobs = prismTestJobs(folder).filter(
      ({ folder, skip }: Job) => skip === undefined && quick.test(folder),
    );
    const { failures, passed } = run(jobs);
    expect(failures).toEqual([]);
    expect(passed).toBeGreaterThan(500);
  });
});

sharedData('pro2guard', (folder) => {
  it('small published chains are imported as they are, and have the exact probabilities between the bounds', () => {
    const jobs = pro2guardJobs(folder);
    expect(jobs).toHaveLength(162);
    const households = jobs.filter(({ directory }: Job) => readPublishedChain(directory).rows.length === 3);
    expect(households).toHaveLength(72);
    const vehicle = jobs.filter(({ title }: Job) => title === 's3');
    const some = households.filter((_: Job, i: number) => i % 4 === 0);
    const once = [...some, ...vehicle].map((job) => ({ ...job, rounds: 1 }));
    const { failures, passed } = run(once);
    expect(failures).toEqual([]);
    expect(passed).toBe(some.length * (1 + 3) + (1 + 3));
  });
});
