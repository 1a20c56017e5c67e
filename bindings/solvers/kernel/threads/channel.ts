/**
 * One interface to the workers of Node and of the web. Node's modules are looked up at run time if Node is present, never
 * imported.
 */

/** A thread, seen from the thread that started it. */
export interface Thread {
  send(message: unknown): void;
  terminate(): Promise<unknown>;
}

const nodeWorkers = () => globalThis.process?.getBuiltinModule?.('node:worker_threads');

/** The number of threads that this machine can run at once. */
export function availableThreads(): number {
  const os = globalThis.process?.getBuiltinModule?.('node:os');
  return os?.availableParallelism() ?? globalThis.navigator?.hardwareConcurrency ?? 2;
}

/**
 * Starts a thread.
 *
 * @param script the location of threadsWorker.js. Default: beside this file, where bundlers look for it too.
 * @param failed called if the thread threw, could not be loaded, or ended.
 */
export function startThread<Message>(
  script: string | URL | undefined,
  hear: (message: Message) => void,
  failed: (reason: string) => void,
): Thread {
  const workers = nodeWorkers();
  if (workers !== undefined) {
    const worker = new workers.Worker(script ?? new URL('./threadsWorker.js', import.meta.url));
    worker.on('message', hear);
    worker.on('messageerror', (error) => failed(error.message));
    worker.on('error', (error) => failed(String(error)));
    worker.on('exit', (code) => failed(`it ended with code ${code}`));
    return { send: (message) => worker.postMessage(message), terminate: () => worker.terminate() };
  }
  const worker =
    script === undefined
      ? new Worker(new URL('./threadsWorker.js', import.meta.url), { type: 'module' })
      : new Worker(script, { type: 'module' });
  worker.addEventListener('message', ({ data }) => hear(data));
  worker.addEventListener('messageerror', () => failed('a message could not be read'));
  worker.addEventListener('error', ({ message }) => failed(message || 'its script could not be loaded'));
  return { send: (message) => worker.postMessage(message), terminate: async () => worker.terminate() };
}

/** Listens for messages within a thread; returns the function that answers. */
export function listen<Message>(hear: (message: Message) => void): (message: unknown) => void {
  const port = nodeWorkers()?.parentPort;
  if (port) {
    port.on('message', hear);
    return (message) => port.postMessage(message);
  }
  globalThis.addEventListener('message', ({ data }) => hear(data));
  return (message) => globalThis.postMessage(message);
}
