export { describeChain } from './describeChain.js';
export { renderReport } from './renderReport.js';
export type {
  ReportAxis,
  ReportChain,
  ReportData,
  ReportPlot,
  ReportPoint,
  ReportRate,
  ReportSetting,
  ReportState,
  ReportTable,
  ReportTransition,
} from './reportData.js';
