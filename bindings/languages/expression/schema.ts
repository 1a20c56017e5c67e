/**
 * The known type of a value: a primitive, `any` if unknown, `[element]` for a list, `{ field: type }` for a map.
 * Example: `{ speed: 'number', objects: [{ objectType: 'string', isOpen: 'boolean' }] }`.
 */
export type Schema = 'any' | 'number' | 'string' | 'boolean' | 'null' | readonly [Schema] | FieldsSchema;

/** The type of a map by its fields; it has no others. */
export interface FieldsSchema {
  readonly [field: string]: Schema;
}

export function isListSchema(type: Schema): type is readonly [Schema] {
  return Array.isArray(type);
}

export function isFieldsSchema(type: Schema): type is FieldsSchema {
  return typeof type === 'object' && !Array.isArray(type);
}

/** Describes a type in words, for messages. */
export function describeType(type: Schema): string {
  if (isListSchema(type)) return 'a list';
  if (isFieldsSchema(type)) return 'a map';
  return type === 'null' || type === 'any' ? type : `a ${type}`;
}

/** Whether values of the two types can be equal; `null` stands for the absence of a value of any type. */
export function comparable(a: Schema, b: Schema): boolean {
  if (a === 'any' || b === 'any' || a === 'null' || b === 'null') return true;
  if (isListSchema(a)) return isListSchema(b) && comparable(a[0], b[0]);
  if (isFieldsSchema(a)) return isFieldsSchema(b);
  return a === b;
}

/** The type of values that have one of two types. */
export function join(a: Schema, b: Schema): Schema {
  if (isListSchema(a) && isListSchema(b)) return [join(a[0], b[0])];
  return a === b ? a : 'any';
}
