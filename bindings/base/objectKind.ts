/** Whether an object is a plain record: its prototype is that of object literals, in any realm, or null. */
export function isRecord(value: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether a value is an object in the sense of JSON: neither null nor a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The built-in tag of an object: `Set`, `Promise`, `Date`; `Object` for records and instances of most classes. */
export function kindOf(value: object): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

const likenesses = new Map<string, object>();

/**
 * An object without fields to copy the fields of another to: a record if that is one. If not, neither is the copy, and it calls itself the same, so that predicates do
 * not take an object that holds more than its fields for a map.
 */
export function emptyLike(object: object): object {
  if (isRecord(object)) return {};
  const kind = kindOf(object);
  let likeness = likenesses.get(kind);
  if (likeness === undefined) {
    // What objects call themselves may be anything.
    if (likenesses.size === 100) likenesses.clear();
    likeness = Object.freeze({ [Symbol.toStringTag]: kind });
    likenesses.set(kind, likeness);
  }
  return Object.create(likeness) as object;
}
