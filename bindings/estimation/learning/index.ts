export { Counter } from './counter.js';
export { type LearningBasis, learningDifference } from './difference.js';
export type { Forgetting } from './forgetting.js';
export { HistoryCounts, type StateHistory } from './historyCounts.js';
export { learn } from './learn.js';
export { Learner, type LearnerOptions } from './learner.js';
export { LearnerFile, type RestoredLearner } from './learnerFile.js';
export { type LearntChain, type Reading, withNotRecorded, withUnreadable } from './learntChain.js';
export {
  type LearntMdpView,
  type LearntView,
  learntParameters,
  readLearntChain,
  readLearntMdp,
} from './learntView.js';
export { LiveChain, type LiveChainUpdate } from './liveChain.js';
export {
  type ActionEffect,
  actionEffects,
  agentChain,
  idleEffect,
  type LearntMdp,
  type LostAction,
  learnMdp,
  lostAction,
  MdpCounter,
  type MdpReport,
  mixedIdleEffect,
  type ObservedEffect,
  requireSomeEffect,
  type StayingRows,
  stayingRows,
  unseenEffects,
  withoutPairs,
} from './mdp/index.js';
export { MergedLearners, mergeLearners } from './mergeLearners.js';
export type { LearningSettings, LearnOptions } from './options.js';
export type { LearningParameters, LeftOut } from './parameters.js';
export type { Contradiction, LearningReport } from './report.js';
export {
  type ColumnType,
  type CountingOptions,
  type CountRow,
  completeColumn,
  countingStatement,
  type FlatTable,
  flatSteps,
  heldColumn,
  jsonLinesSteps,
  learnFromCounts,
  namesWithoutTime,
  type ProblemRow,
  problemsStatement,
  type StepTable,
  unreadableLines,
} from './sql/index.js';
