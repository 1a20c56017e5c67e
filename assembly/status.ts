/** What a kernel function reports instead of trapping. The numbers are part of the interface: bindings/solvers/kernel/status.ts repeats them. */
export const enum Status {
  Ok = 0,
  /** Row starts do not begin at 0, descend, or do not end at the number of entries. */
  RowStart = 1,
  /** A state without successor. */
  EmptyRow = 2,
  /** A column at or above the number of states. */
  ColumnRange = 3,
  /** Columns of a row that do not ascend strictly. */
  ColumnOrder = 4,
  /** An entry that is NaN, above 1, or below the smallest probability. */
  Probability = 5,
  /** Entries of a row that do not sum to 1. */
  RowSum = 6,
  /** Numbers became too small for the error bound of elimination to hold. */
  Underflow = 7,
  /** The work allowed is done, and more is left. */
  Unfinished = 8,
  /** The room set aside for entries does not suffice. */
  Full = 9,
  /** Row groups do not begin at 0, descend, or do not end at the number of rows. */
  RowGroup = 10,
  /** A state without a choice. */
  EmptyGroup = 11,
}
