import type { FunctionName } from '../expression/index.js';

/** The named functions that scripts may call. */
export const SCRIPT_FUNCTIONS = [
  'size',
  'domainOf',
  'localPart',
  'emails',
  'hostOf',
  'isUnder',
  'extension',
  'glob',
  'trim',
  'lowerAscii',
] as const satisfies readonly FunctionName[];
