export { clopperPearsonInterval, type RateInterval, wilsonInterval } from './intervals.js';
export { type Replay, type RuleReplay, type RuleTotals, replay, type TraceReplay } from './replay.js';
