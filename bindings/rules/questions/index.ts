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
export { createAsk } from './createAsk.js';
export type { Change } from './leastChange.js';
export { type AskedCall, callText } from './moves.js';
