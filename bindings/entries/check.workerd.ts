import { edgeModule } from '../kernel/edgeModule.js';
import { registerModule } from '../kernel/registry.js';

registerModule(edgeModule);

export * from './lists/check.js';
