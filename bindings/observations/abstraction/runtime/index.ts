// The encoding of states by predicates that have been parsed and checked: the part of this folder that guards need at run time.
export { bit } from '../bit.js';
export { type Constraints, Encoding, type EncodingExpressions } from '../encoding.js';
export { loadConstraints } from '../loadConstraints.js';
export { ValuationTable } from '../valuationTable.js';
