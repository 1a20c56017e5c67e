import { TupleTable } from '../../base/tupleTable.js';

/**
 * A set of packed valuations, numbered in order of first insertion: the abstract states of a chain.
 *
 * A valuation is `words` 32-bit words; predicate i is bit `i & 31` of word `i >>> 5`.
 */
export class ValuationTable extends TupleTable {
  /** A view of all valuations, `words` each, in order of insertion; stale after the next insertion. */
  get valuations(): Uint32Array {
    return this.tuples;
  }
}
