import type { Fields } from './values.js';

/** How two numbers lie to each other, as a bit, so that an operator is the set of orders it accepts. */
export const less = 1;
export const same = 2;
export const greater = 4;
/** What is no number, and NaN, has no order. */
export const noOrder = 0;

/** Writes the number in a field into a slot; false where there is none. */
export type NumberRead = (object: Fields, field: string, into: Float64Array, slot: number) => boolean;
/** How the number in a field lies to a constant. */
export type OrderRead = (object: Fields, field: string, constant: number) => number;

function store(value: unknown, into: Float64Array, slot: number): boolean {
  if (typeof value !== 'number') return false;
  into[slot] = value;
  return true;
}

export function orderOf(value: unknown, other: number): number {
  if (typeof value !== 'number') return noOrder;
  return value < other ? less : value > other ? greater : value === other ? same : noOrder;
}

/**
 * The same function 32 times, to give each field its own. An engine remembers per place in the source which field is read
 * there. Where it is always one, a double is read where it lies; where it is many, each double is copied to the heap
 * first, and a guard must not allocate.
 */
const numberReads: readonly NumberRead[] = [
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
/** The same for what most predicates do, compare a field with a constant: without a slot to write to it takes a tenth less. */
const orderReads: readonly OrderRead[] = [
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
const placeOfField = new Map<string, number>();
const maximumNames = 1024;

/** The read of a field: its own for the first 32 names, shared after that. */
export function numberRead(field: string): NumberRead {
  return numberReads[placeOf(field)];
}

/** The comparison of a field, as `numberRead`. */
export function orderRead(field: string): OrderRead {
  return orderReads[placeOf(field)];
}

function placeOf(field: string): number {
  let place = placeOfField.get(field);
  if (place === undefined) {
    if (placeOfField.size === maximumNames) placeOfField.clear();
    place = placeOfField.size % numberReads.length;
    placeOfField.set(field, place);
  }
  return place;
}
