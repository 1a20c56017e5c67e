/** A backend's report on a chain or an elimination; the numbers are those of assembly/status.ts. */
export const Status = {
  Ok: 0,
  RowStart: 1,
  EmptyRow: 2,
  ColumnRange: 3,
  ColumnOrder: 4,
  Probability: 5,
  RowSum: 6,
  Underflow: 7,
  Unfinished: 8,
  Full: 9,
  RowGroup: 10,
  EmptyGroup: 11,
} as const;

export type Status = (typeof Status)[keyof typeof Status];
