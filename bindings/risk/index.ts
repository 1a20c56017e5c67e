export { compileGuard } from './compileGuard.js';
export { type RiskEntry, type RiskTable, type RuleRiskTable, riskTable } from './riskTable.js';
export type { RiskOptions } from './ruleRisk.js';
export { type RuleShape, type RuleWindow, ruleShapes } from './ruleShapes.js';
