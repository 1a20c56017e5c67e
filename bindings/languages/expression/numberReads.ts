import type { Fields } from './values.js';

/** The order of two numbers, as a bit, so that an operator is the set of orders it accepts. */
export const less = 1;
export const same = 2;
export const greater = 4;
/** The order if a value is NaN or not a number. */
export const noOrder = 0;

/** Writes the number in a field into a slot; returns false if there is none. */
export type NumberRead = (object: Fields, field: string, into: Float64Array, slot: number) => boolean;
/** Compares the number in a field with a constant. */
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
 * The same function 32 times, to give each field its own. An engine records, per place in the source, which fields are read there. If it is
 * always the same field, a double is read in place; if there are many, each double is first copied to the heap, and a guard must not
 * allocate.
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
/** The same for comparing a field with a constant, as most predicates do: without a slot, it takes a tenth less time. */
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

/** The function that reads a field: a separate one for each of the first 32 names, shared after that. */
export function numberRead(field: string): NumberRead {
  return numberReads[placeOf(field)];
}

/** The function that compares a field; see `numberRead`. */
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
