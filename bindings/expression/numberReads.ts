import type { Fields } from './values.js';

/** Writes the number in a field into a slot; false where there is none. */
export type NumberRead = (object: Fields, field: string, into: Float64Array, slot: number) => boolean;

function store(value: unknown, into: Float64Array, slot: number): boolean {
  if (typeof value !== 'number') return false;
  into[slot] = value;
  return true;
}

/**
 * The same function 32 times, to give each field its own. An engine remembers per place in the source which field is read
 * there. Where it is always one, a double is read where it lies; where it is many, each double is copied to the heap
 * first, and a guard must not allocate.
 */
const reads: readonly NumberRead[] = [
  (object, field, into, slot) => store(object[field], into, slot),
  (object, field, into, slot) => store(object[field], into, slot),
  (object, field, into, slot) => store(object[field], into, slot),
  (object, field, into, slot) => store(object[field], into, slot),
  (object, field, into, slot) => store(object[field], into, slot),
  (object, field, into, slot) => store(object[field], into, slot),
  (object, field, into, slot) => store(object[field], into, slot),
  (object, field, into, slot) => store(object[field], into, slot),
  (object, field, into, slot) => store(object[field], into, slot),
  (object, field, into, slot) => store(object[field], into, slot),
  (object, field, into, slot) => store(object[field], into, slot),
  (object, field, into, slot) => store(object[field], into, slot),
  (object, field, into, slot) => store(object[field], into, slot),
  (object, field, into, slot) => store(object[field], into, slot),
  (object, field, into, slot) => store(object[field], into, slot),
  (object, field, into, slot) => store(object[field], into, slot),
  (object, field, into, slot) => store(object[field], into, slot),
  (object, field, into, slot) => store(object[field], into, slot),
  (object, field, into, slot) => store(object[field], into, slot),
  (object, field, into, slot) => store(object[field], into, slot),
  (object, field, into, slot) => store(object[field], into, slot),
  (object, field, into, slot) => store(object[field], into, slot),
  (object, field, into, slot) => store(object[field], into, slot),
  (object, field, into, slot) => store(object[field], into, slot),
  (object, field, into, slot) => store(object[field], into, slot),
  (object, field, into, slot) => store(object[field], into, slot),
  (object, field, into, slot) => store(object[field], into, slot),
  (object, field, into, slot) => store(object[field], into, slot),
  (object, field, into, slot) => store(object[field], into, slot),
  (object, field, into, slot) => store(object[field], into, slot),
  (object, field, into, slot) => store(object[field], into, slot),
  (object, field, into, slot) => store(object[field], into, slot),
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
