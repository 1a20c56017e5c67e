import '../../solvers/kernel/inline.js';

/** Commands that learn, solve and check, with the kernel; loaded when one of them runs. */
export { ask } from './ask.js';
export { certifyModel } from './certify.js';
export { check } from './check.js';
export { compile } from './compile.js';
export { convert } from './convert.js';
export { explain } from './explain.js';
export { learnModel } from './learn.js';
export { replayTraces } from './replay.js';
export { risk } from './risk.js';
export { traceRobustness } from './robustness.js';
export { validate } from './validate.js';
