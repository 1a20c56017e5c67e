export {
  type Decision,
  deny,
  domainOf,
  emails,
  extension,
  glob,
  hostOf,
  isUnder,
  localPart,
  lowerAscii,
  permit,
  size,
  trim,
} from './library.js';
export type { ScriptProblem } from './problems.js';
export { readScript, type ScriptFunction, type ScriptReturn } from './readScript.js';
