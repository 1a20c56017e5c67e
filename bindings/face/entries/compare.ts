/** `foreguard/compare`: whether two rules say the same, and a shortest run on which they differ. */

export {
  type ComparedRule,
  type ComparedTrace,
  type CompareOptions,
  canonicalKey,
  compareRules,
  type Distinction,
  distinguish,
  equivalent,
  implies,
  type RuleComparison,
  type SampleOptions,
  sampleTraces,
} from '../../languages/automaton/compare/index.js';
export type { AtEnd, Automaton } from '../../languages/automaton/index.js';
export { type Formula, parseFormula } from '../../languages/logic/index.js';
