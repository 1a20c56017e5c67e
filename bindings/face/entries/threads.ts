/** `foreguard/threads`: until probabilities computed by several threads. */
export { openThreads, type Threads, type ThreadsOptions } from '../../solvers/kernel/threads/index.js';
