export { checkRules } from './checkRules.js';
export { comparisonFormulas } from './comparisons.js';
export type { Assumption, Needed, RuleFinding, RuleSetReport, Undecided } from './finding.js';
export type { CheckedRule, CheckRulesOptions } from './rule.js';
