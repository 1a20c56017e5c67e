export { explainRule, explainStep } from './explainRule.js';
export { type ExplainOptions, explainVerdict } from './explainVerdict.js';
export type { Explanation, Fact, Obligation } from './explanation.js';
