/**
 * What is known of a value's type: a primitive, `any` for nothing, `[element]` for a list, `{ field: type }` for a map.
 * Example: `{ speed: 'number', objects: [{ objectType: 'string', isOpen: 'boolean' }] }`.
 */
export type Schema = 'any' | 'number' | 'string' | 'boolean' | 'null' | readonly [Schema] | FieldsSchema;

/** The type of a map by its fields; all others are unknown to it. */
export interface FieldsSchema {
  readonly [field: string]: Schema;
}

export function isListSchema(type: Schema): type is readonly [Schema] {
  return Array.isArray(type);
}

export function isFieldsSchema(type: Schema): type is FieldsSchema {
  return typeof type === 'object' && !Array.isArray(type);
}

/** A type in words, for messages. */
export function describeType(type: Schema): string {
  if (isListSchema(type)) return 'a list';
  if (isFieldsSchema(type)) return 'a map';
  return type === 'null' || type === 'any' ? type : `a ${type}`;
}

/** Whether a value of one type can equal one of the other; `null` marks the absence of any type. */
export function comparable(a: Schema, b: Schema): boolean {
  if (a === 'any' || b === 'any' || a === 'null' || b === 'null') return true;
  if (isListSchema(a)) return isListSchema(b) && comparable(a[0], b[0]);
  if (isFieldsSchema(a)) return isFieldsSchema(b);
  return a === b;
}

/** The type of values that are of the one or of the other. */
export function join(a: Schema, b: Schema): Schema {
  if (isListSchema(a) && isListSchema(b)) return [join(a[0], b[0])];
  return a === b ? a : 'any';
}
