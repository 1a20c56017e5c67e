#!/usr/bin/env node
import type { Worker as WorkerType } from 'node:worker_threads';
import type { WorkerReport } from './checkThread.js';

// A closed pipe (`foreguard risk … | head`) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
// If nobody reads standard error, a command continues and ends as it would otherwise; notes may be written as late as when connections of
// mcp-proxy end.
process.stderr.on('error', () => undefined);

const words = process.argv.slice(2);
const interactive = process.stderr.isTTY === true;

if (words[0] === 'check') {
  // A check never yields to events. In a thread of its own it can be notified of Ctrl-C, and return its results so far.
  const { Worker } = await import('node:worker_threads');
  const interrupted = new Int32Array(new SharedArrayBuffer(4));
  const worker: WorkerType = new Worker(new URL('./checkThread.js', import.meta.url), {
    workerData: { words, interactive, interrupted },
  });
  const stop = (): void => {
    // A second interrupt ends the process at once.
    if (Atomics.exchange(interrupted, 0, 1) === 1) process.exit(130);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  worker.on('message', ({ stream, text }: WorkerReport) => process[stream].write(text));
  worker.on('error', (error: NodeJS.ErrnoException) => {
    const memory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    if (memory && words.includes('--json')) {
      const known = { code: 'kernel-error', message: `out of memory: ${error.message}` };
      process.stdout.write(`${JSON.stringify({ error: known })}\n`);
    }
    process.stderr.write(`foreguard: ${memory ? `out of memory: ${error.message}` : error.stack}\n`);
    process.exitCode = memory ? 3 : 1;
  });
  worker.on('exit', (code) => {
    process.exitCode ??= code;
  });
} else {
  const { run } = await import('./run.js');
  process.exitCode = await run(words, {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    interactive,
    ...(process.stdin.isTTY && { ask: (prompt) => askLine(prompt) }),
  });
}

/** A line that the user types. */
async function askLine(prompt: string): Promise<string> {
  const { createInterface } = await import('node:readline');
  const { ForeguardError } = await import('../../base/errors.js');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve, reject) => {
    lines.once('close', () =>
      reject(new ForeguardError('no-answer', 'the terminal was closed before an answer')),
    );
    lines.question(prompt, (line) => {
      resolve(line);
      lines.close();
    });
  });
}
