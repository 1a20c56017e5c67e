/** Commands used where agents run, loaded when one of them runs. */
export { replayAuditFile, verifyAuditFile } from './audit.js';
export { compare } from './compareRules.js';
export { english } from './english/english.js';
export { translateSentence } from './english/translate.js';
export { init } from './init/init.js';
export { answerInspection, listInspections, makeInspectionKey } from './inspections.js';
export { mcpProxy } from './mcpProxy.js';
export { rules } from './rules.js';
export { testRules } from './testRules.js';
