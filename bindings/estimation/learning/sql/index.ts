export { type CountingOptions, countingStatement } from './countingStatement.js';
export { jsonLinesSteps, namesWithoutTime, unreadableLines } from './jsonLinesTable.js';
export { type CountRow, learnFromCounts } from './learnFromCounts.js';
export type { ProblemRow } from './problems.js';
export { problemsStatement } from './problemsStatement.js';
export {
  type ColumnType,
  completeColumn,
  type FlatTable,
  flatSteps,
  heldColumn,
  type StepTable,
} from './stepTable.js';
