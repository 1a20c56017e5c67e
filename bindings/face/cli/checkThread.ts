import { parentPort, workerData } from 'node:worker_threads';
import { run } from './run.js';

/** The output of a command's thread. */
export interface WorkerReport {
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

const { words, interactive, interrupted } = workerData as {
  readonly words: readonly string[];
  readonly interactive: boolean;
  readonly interrupted: Int32Array<SharedArrayBuffer>;
};

const write = (stream: WorkerReport['stream']) => (text: string) =>
  parentPort?.postMessage({ stream, text } satisfies WorkerReport);

process.exitCode = await run(words, {
  out: write('stdout'),
  err: write('stderr'),
  interactive,
  interrupted: () => Atomics.load(interrupted, 0) === 1,
});
