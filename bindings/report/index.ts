export { describeChain } from './describeChain.js';
export { renderReport } from './renderReport.js';
export type {
  ReportChain,
  ReportData,
  ReportRate,
  ReportSetting,
  ReportState,
  ReportTable,
  ReportTransition,
} from './reportData.js';
