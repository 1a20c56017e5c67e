import { inlineModule } from '../../solvers/kernel/inlineModule.js';
import { registerModule } from '../../solvers/kernel/registry.js';

// Here and not in a module of its own: entries of the package are the only files with an effect, so that bundlers may drop all others.
registerModule(inlineModule);

export * from './lists/check.js';
