import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/**
 * Runs scenarios, each in a thread of its own, as many at once as there are processors. What one comes to does not depend on the
 * others.
 *
 * @param jobs `{ name, plan }` each, for `runScenario`
 * @param onStart called with each job as it begins
 * @returns the results in the order of the jobs
 */
export async function runAll(jobs, onStart) {
  const results = new Array(jobs.length);
  let next = 0;
  const work = async () => {
    while (next < jobs.length) {
      const job = next++;
      onStart(jobs[job]);
      results[job] = await run(jobs[job]);
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), jobs.length) }, work));
  return results;
}

function run(job) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('worker.mjs', import.meta.url), { workerData: job });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error(`${job.name}: its thread ended without a result`)));
  });
}
