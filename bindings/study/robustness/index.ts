export {
  type BaselineStep,
  createRobustnessBaseline,
  RobustnessBaseline,
  type RobustnessBaselineOptions,
} from './baseline.js';
export type { Equality, Range as SignalRange } from './margin.js';
export { RobustnessMonitor } from './monitor.js';
export type { RobustnessOptions } from './quantities.js';
export { robustness, robustnessSignal } from './robustness.js';
export type { SignalState, Signals } from './samples.js';
export { WholeNumberFields } from './wholeNumbers.js';
