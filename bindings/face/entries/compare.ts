/** `foreguard/compare`: whether two rules say the same, and a shortest run on which they differ; what is odd about a set of rules. */

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
export {
  type Assumption,
  type CheckedRule,
  type CheckRulesOptions,
  checkRules,
  type Needed,
  type RuleFinding,
  type RuleSetReport,
  type Undecided,
} from '../../rules/ruleSet/index.js';
export type { Specification } from '../../rules/specification/index.js';
