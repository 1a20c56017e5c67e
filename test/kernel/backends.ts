import '../../bindings/kernel/inline.js';
import { getKernel, type Kernel, referenceKernel } from '../../bindings/kernel/index.js';

/** Every backend, for `describe.each`. */
export const backends: readonly (readonly [Kernel['backend'], Kernel])[] = [
  ['wasm', getKernel()],
  ['reference', referenceKernel],
];
