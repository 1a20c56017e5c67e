export { readUmb } from './umb/readUmb.js';
export { type WriteUmbOptions, writeUmb } from './umb/writeUmb.js';
