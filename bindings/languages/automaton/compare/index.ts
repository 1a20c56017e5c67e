export { canonicalKey } from './canonicalKey.js';
export {
  compareRules,
  type Distinction,
  distinguish,
  equivalent,
  implies,
  type RuleComparison,
} from './compareRules.js';
export type { ComparedRule, CompareOptions } from './rule.js';
export { type SampleOptions, sampleTraces } from './sampleTraces.js';
export type { ComparedTrace } from './trace.js';
