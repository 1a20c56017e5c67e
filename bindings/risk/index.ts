export { compileGuard } from './compileGuard.js';
export { type RiskEntry, type RiskTable, type RuleRiskTable, riskTable } from './riskTable.js';
export type { RiskOptions } from './ruleRisk.js';
