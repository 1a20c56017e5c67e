export { openThreads, type Threads, type ThreadsOptions } from './threads.js';
