import { inlineModule } from './inlineModule.js';
import { registerModule } from './registry.js';

registerModule(inlineModule);
