import { edgeModule } from '../../solvers/kernel/edgeModule.js';
import { registerModule } from '../../solvers/kernel/registry.js';

registerModule(edgeModule);

export * from './lists/foreguard.js';
export * from './lists/guard.js';
export * from './lists/kernel.js';
