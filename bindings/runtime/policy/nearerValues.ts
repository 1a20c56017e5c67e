/** Most elements of lists that are decided on, together. */
const MOST_DECIDED = 50_000;

/**
 * The elements of a denied list that may stay, in their order: each is kept if the list is permitted with it. Parts that may stay as a whole are tried first, so that
 * a long list with few denied elements takes few decisions; once `MOST_DECIDED` is reached, no more are kept. Null if nothing may stay.
 */
export function keptElements(
  denied: readonly unknown[],
  permits: (value: readonly unknown[]) => boolean,
): readonly unknown[] | null {
  let kept: readonly unknown[] = [];
  let left = MOST_DECIDED;
  const add = (part: readonly unknown[]): void => {
    const more = [...kept, ...part];
    left -= more.length;
    if (left < 0 || part.length === 0) return;
    if (permits(more)) kept = more;
    else if (part.length > 1) {
      add(part.slice(0, part.length >> 1));
      add(part.slice(part.length >> 1));
    }
  };
  add(denied);
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
