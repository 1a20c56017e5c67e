import module from './foreguard.wasm';
import { registerModule } from './registry.js';

// Edge runtimes refuse to compile bytes, but import a module file compiled.
registerModule(() => module);
