import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/**
 * Runs scenarios on as many threads as there are processors, each thread one after the other. What one comes to does not depend
 * on the others.
 *
 * @param jobs `{ name, plan }` each, for `runScenario`
 * @param onStart called with each job as it begins
 * @returns the results in the order of the jobs
 */
export async function runAll(jobs, onStart) {
  const results = new Array(jobs.length);
  let next = 0;
  const work = async () => {
    const worker = new Worker(new URL('worker.mjs', import.meta.url));
    try {
      while (next < jobs.length) {
        const job = next++;
        onStart(jobs[job]);
        results[job] = await run(worker, jobs[job]);
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), jobs.length) }, work));
  return results;
}

function run(worker, job) {
  return new Promise((resolve, reject) => {
    worker.removeAllListeners();
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error(`${job.name}: its thread ended without a result`)));
    worker.postMessage(job);
  });
}
