export { canonicalKey } from './canonicalKey.js';
export {
  compareRules,
  type Distinction,
  distinguish,
  equivalent,
  implies,
  type RuleComparison,
} from './compareRules.js';
export { automataOfConstraints, automatonOfRule, type ComparedRule, type CompareOptions } from './rule.js';
export { type SampleOptions, sampleTraces } from './sampleTraces.js';
export { type ComparedTrace, shortestTrace } from './trace.js';
export type { Demand } from './tupleGraph.js';
