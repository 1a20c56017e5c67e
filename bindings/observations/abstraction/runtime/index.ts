// What encodes states by predicates that have been parsed and checked: all that guards need of this folder at run time.
export { Encoding, type EncodingExpressions } from '../encoding.js';
export { ValuationTable } from '../valuationTable.js';
