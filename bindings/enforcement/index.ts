export {
  type Carried,
  carryOut,
  type DecidingSession,
  guardedCall,
  overtaken,
  type RunTool,
  toldAgent,
} from './guarded.js';
export type { Answer, Ask, Inspection } from './inspection.js';
export type { SessionObserver } from './observer.js';
export type {
  BeginRecord,
  DecisionRecord,
  EndRecord,
  ObservationRecord,
  OutcomeRecord,
  RunLog,
  RunRecord,
} from './record.js';
export type { ToolCall, ToolOutcome } from './toolCall.js';
export type { EnforcementFault, Verdict } from './verdict.js';
export { WithheldError } from './withheldError.js';
