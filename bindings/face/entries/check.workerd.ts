import { edgeModule } from '../../solvers/kernel/edgeModule.js';
import { registerModule } from '../../solvers/kernel/registry.js';

registerModule(edgeModule);

export * from './lists/check.js';
export * from './lists/kernel.js';
