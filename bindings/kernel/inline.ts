import { wasmBase64 } from './generated/wasm.js';
import { registerModule } from './registry.js';

// atob exists in every runtime that the package is for, Buffer does not.
registerModule(() => Uint8Array.from(atob(wasmBase64), (character) => character.charCodeAt(0)));
