export { detectFormat, type ModelFormat } from './detectFormat.js';
export { readCombined, writeCombined } from './explicit/combined.js';
export { type ExplicitFiles, readExplicit } from './explicit/readExplicit.js';
export { type WriteExplicitOptions, type WrittenExplicit, writeExplicit } from './explicit/writeExplicit.js';
export * from './prism/index.js';
export { type ModelFile, type ReadModelFileOptions, readModelFile } from './readModelFile.js';
export { readUmb } from './umb/readUmb.js';
export { type WriteUmbOptions, writeUmb } from './umb/writeUmb.js';
export { type WriteDotOptions, writeDot } from './writeDot.js';
