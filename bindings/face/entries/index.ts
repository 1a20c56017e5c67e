import { inlineModule } from '../../solvers/kernel/inlineModule.js';
import { registerModule } from '../../solvers/kernel/registry.js';

// The call is here and not in a module of its own: only the package's entries have side effects, so bundlers may drop all other files.
registerModule(inlineModule);

export * from './lists/foreguard.js';
export * from './lists/guard.js';
export * from './lists/kernel.js';
