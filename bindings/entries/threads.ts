/** `foreguard/threads`: until probabilities by several threads. */
export { openThreads, type Threads, type ThreadsOptions } from '../kernel/threads/index.js';
