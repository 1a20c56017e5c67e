import '../../bindings/solvers/kernel/inline.js';
import { getKernel, type Kernel } from '../../bindings/solvers/kernel/index.js';
import { referenceKernel } from '../oracle/engine/index.js';

/** The kernel, and the one in plain TypeScript that it is compared with, for `describe.each`. */
export const backends: readonly (readonly ['wasm' | 'reference', Kernel])[] = [
  ['wasm', getKernel()],
  ['reference', referenceKernel],
];
