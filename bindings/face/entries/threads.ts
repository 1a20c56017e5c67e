/** `foreguard/threads`: until probabilities by several threads. */
export { openThreads, type Threads, type ThreadsOptions } from '../../solvers/kernel/threads/index.js';
