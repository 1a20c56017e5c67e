export { type ExtractorOptions, policyExtractors } from './policyExtractors.js';
