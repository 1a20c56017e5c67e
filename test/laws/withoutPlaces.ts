/** A tree without its places, and without what a model says about its text. */
export function withoutPlaces(value: unknown): unknown {
  if (value instanceof Map) return [...value].map(withoutPlaces);
  if (Array.isArray(value)) return value.map(withoutPlaces);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'place' && key !== 'source')
      .map(([key, member]) => [key, withoutPlaces(member)]),
  );
}
