export type {
  Answer,
  BeforeAnswer,
  GuardAnswer,
  Instead,
  InsteadAnswer,
  Landmark,
  MayAnswer,
  NotAnswered,
  Owed,
  OwedAnswer,
  ProbabilityBounds,
  RulesAnswer,
  SaidRule,
  WhyNotAnswer,
  WhyNotReason,
  WillAnswer,
} from './answers.js';
export type { Ask, AskOptions } from './ask.js';
export type { Outcome, Questions } from './asking.js';
export { type AskedDifference, AskReplay } from './askReplay.js';
export { ASK_PREFIX, askToolDefinitions, askTools } from './askTools.js';
export { createAsk } from './createAsk.js';
export type { Change } from './leastChange.js';
export type { SearchLimits } from './limits.js';
export {
  type AskedSession,
  type AskSessionOptions,
  askSession,
  type LiveAsk,
  requireAskable,
} from './liveAsk.js';
export { type AskedCall, callText } from './moves.js';
