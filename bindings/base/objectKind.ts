/** Whether an object is no more than its fields: its prototype is that of object literals, in any realm, or none. */
export function isRecord(value: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether a value is an object, as JSON has them: neither null nor a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What an object calls itself: `Set`, `Promise`, `Date`; `Object` for records and instances of most classes. */
export function kindOf(value: object): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}
