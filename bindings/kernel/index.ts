export { BitSet } from './bitSet.js';
export { getKernel, init, referenceKernel } from './registry.js';
export type {
  Accuracy,
  Components,
  Csr,
  Kernel,
  KernelChain,
  Solution,
  SolveMethod,
  SolveOptions,
} from './types.js';
