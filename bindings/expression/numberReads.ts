import type { Fields } from './values.js';

/** How a number lies to a constant, as a bit, so that an operator is the set of orders it accepts. */
export const less = 1;
export const same = 2;
export const greater = 4;
/** What is no number has no order, and NaN has none. */
export const noNumber = 0;

/** How the number in a field lies to a constant. */
export type NumberRead = (object: Fields, field: string, constant: number) => number;

function orderOf(value: unknown, constant: number): number {
  if (typeof value !== 'number') return noNumber;
  return value < constant ? less : value > constant ? greater : value === constant ? same : noNumber;
}

/**
 * The same function 32 times, to give each field its own. An engine remembers per place in the source which field is read
 * there. Where it is always one, a double is compared where it lies; where it is many, each double is copied to the heap
 * first, and a guard must not allocate.
 */
const reads: readonly NumberRead[] = [
  (object, field, constant) => orderOf(object[field], constant),
  (object, field, constant) => orderOf(object[field], constant),
  (object, field, constant) => orderOf(object[field], constant),
  (object, field, constant) => orderOf(object[field], constant),
  (object, field, constant) => orderOf(object[field], constant),
  (object, field, constant) => orderOf(object[field], constant),
  (object, field, constant) => orderOf(object[field], constant),
  (object, field, constant) => orderOf(object[field], constant),
  (object, field, constant) => orderOf(object[field], constant),
  (object, field, constant) => orderOf(object[field], constant),
  (object, field, constant) => orderOf(object[field], constant),
  (object, field, constant) => orderOf(object[field], constant),
  (object, field, constant) => orderOf(object[field], constant),
  (object, field, constant) => orderOf(object[field], constant),
  (object, field, constant) => orderOf(object[field], constant),
  (object, field, constant) => orderOf(object[field], constant),
  (object, field, constant) => orderOf(object[field], constant),
  (object, field, constant) => orderOf(object[field], constant),
  (object, field, constant) => orderOf(object[field], constant),
  (object, field, constant) => orderOf(object[field], constant),
  (object, field, constant) => orderOf(object[field], constant),
  (object, field, constant) => orderOf(object[field], constant),
  (object, field, constant) => orderOf(object[field], constant),
  (object, field, constant) => orderOf(object[field], constant),
  (object, field, constant) => orderOf(object[field], constant),
  (object, field, constant) => orderOf(object[field], constant),
  (object, field, constant) => orderOf(object[field], constant),
  (object, field, constant) => orderOf(object[field], constant),
  (object, field, constant) => orderOf(object[field], constant),
  (object, field, constant) => orderOf(object[field], constant),
  (object, field, constant) => orderOf(object[field], constant),
  (object, field, constant) => orderOf(object[field], constant),
];
const readByField = new Map<string, NumberRead>();
const maximumNames = 1024;

/** The read of a field: its own for the first 32 names, shared after that. */
export function numberRead(field: string): NumberRead {
  let read = readByField.get(field);
  if (read === undefined) {
    if (readByField.size === maximumNames) readByField.clear();
    read = reads[readByField.size % reads.length];
    readByField.set(field, read);
  }
  return read;
}
