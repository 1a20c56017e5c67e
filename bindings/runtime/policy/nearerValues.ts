/**
 * The elements of a denied list that may stay, in their order: the whole rest is kept if the list is permitted with it, else each half of it by itself.
 * Null if nothing may.
 */
export function keptElements(
  denied: readonly unknown[],
  permits: (value: readonly unknown[]) => boolean,
): readonly unknown[] | null {
  let kept: readonly unknown[] = [];
  const keep = (from: number, to: number): void => {
    const more = [...kept, ...denied.slice(from, to)];
    if (permits(more)) kept = more;
    else if (to - from > 1) {
      const middle = Math.ceil((from + to) / 2);
      keep(from, middle);
      keep(middle, to);
    }
  };
  keep(0, denied.length);
  return kept.length > 0 ? kept : null;
}

/** A whole number between a permitted one and a denied one, permitted, with a neighbour towards the denied one that is not; the permitted one if it is no whole number. */
export function nearestNumber(
  denied: number,
  permitted: number,
  permits: (value: number) => boolean,
): number {
  if (!Number.isSafeInteger(permitted) || !Number.isFinite(denied)) return permitted;
  const limit = Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, denied));
  let near = permitted;
  let far = denied > permitted ? Math.ceil(limit) : Math.floor(limit);
  while (Math.abs(far - near) > 1) {
    const middle = Math.floor((near + far) / 2);
    if (permits(middle)) near = middle;
    else far = middle;
  }
  return near;
}
