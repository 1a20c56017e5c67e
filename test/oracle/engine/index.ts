import type { Kernel } from '../../../bindings/solvers/kernel/index.js';
import { kernelOf } from '../../../bindings/solvers/kernel/registry.js';
import { ReferenceEngine } from './engine.js';

/** The kernel in plain TypeScript, an oracle of the one in WebAssembly. */
export const referenceKernel: Kernel = kernelOf(new ReferenceEngine());
