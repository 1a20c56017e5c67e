/** `foreguard/workflow/code`: plans that are written as code, which is parsed and never run. */

export { type LowerOptions, lowerCode } from '../../../proofs/workflow/code/index.js';
