/** Runs jobs in processes of their own, so that one that hangs or runs out of memory ends alone. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const child = fileURLToPath(new URL('./instance.mjs', import.meta.url));

/**
 * @param onTest Called for each test as { job, name, outcome, detail }
 * @param options `timeoutSeconds` for each job, `parallel` jobs at a time
 */
export async function runJobs(jobs, onTest, { timeoutSeconds, parallel = 1 }) {
  const queue = jobs.values();
  const work = async () => {
    for (const job of queue) await runJob(job, onTest, timeoutSeconds);
  };
  await Promise.all(Array.from({ length: parallel }, work));
}

/**
 * The child writes one JSON document a line: first the names of its tests, `{ plan }`, then each as `{ name, outcome, detail }`.
 * What it does not come to, because it was cut or died, failed.
 */
async function runJob(job, onTest, timeoutSeconds) {
  if (job.skip) {
    onTest({ job, name: '', outcome: 'skipped', detail: job.skip });
    return;
  }
  const worker = spawn(process.execPath, [child], { stdio: ['pipe', 'pipe', 'pipe'] });
  let complaint = '';
  let pending = [''];
  let timedOut = false;
  worker.stderr.on('data', (chunk) => {
    complaint = (complaint + chunk).slice(-4000);
  });
  const timer = setTimeout(() => {
    timedOut = true;
    worker.kill('SIGKILL');
  }, timeoutSeconds * 1000);
  const closed = new Promise((resolve) => worker.on('close', (code, signal) => resolve({ code, signal })));
  worker.stdin.on('error', () => undefined); // it died before it read
  worker.stdin.end(JSON.stringify(job));
  for await (const line of createInterface({ input: worker.stdout })) {
    const message = JSON.parse(line);
    if (message.plan) pending = [...message.plan];
    else {
      if (pending.includes(message.name)) pending.splice(pending.indexOf(message.name), 1);
      onTest({ job, ...message });
    }
  }
  const { code, signal } = await closed;
  clearTimeout(timer);
  const reason = timedOut
    ? `not finished within ${timeoutSeconds} s`
    : `the process ended with ${signal ?? code}: ${
        complaint
          .trim()
          .split('\n')
          .find((line) => /Error|FATAL/.test(line)) ?? complaint.trim()
      }`;
  if (timedOut || code !== 0)
    for (const name of pending) onTest({ job, name, outcome: 'failed', detail: reason });
}
