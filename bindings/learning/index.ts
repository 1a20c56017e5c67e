export { Counter, type LearntChain } from './counter.js';
export { learn } from './learn.js';
export type { LearningSettings, LearnOptions } from './options.js';
export type { LearningParameters } from './parameters.js';
export { type LearntView, readLearntChain } from './readLearntChain.js';
export type { Contradiction, LearningReport } from './report.js';
