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
