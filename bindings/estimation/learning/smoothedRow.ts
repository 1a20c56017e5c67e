/** The observed successors of one row at a time: entries by ascending target, `end` (OUTSIDE) first. */
export class SeenRow {
  size = 0;
  draws = 0;
  entries = new Uint32Array(16);
  targets = new Uint32Array(16);
  /** How often each entry was seen. */
  counts = new Float64Array(16);

  /** Empties the row and reserves room. */
  begin(entries: number): void {
    this.size = 0;
    this.draws = 0;
    if (entries <= this.entries.length) return;
    this.entries = new Uint32Array(2 * entries);
    this.targets = new Uint32Array(2 * entries);
    this.counts = new Float64Array(2 * entries);
  }

  push(entry: number, target: number, count: number): void {
    const at = this.size++;
    this.entries[at] = entry;
    this.targets[at] = target;
    this.counts[at] = count;
    this.draws += count;
  }
}

/**
 * One row of a chain at a time: with n_st of n_s draws from s to t and k_s valid successors, P(s, t) = (n_st + alpha) /
 * (n_s + k_s alpha) for valid t.
 */
export class SmoothedRow {
  size = 0;
  /** Ascending, `end` (OUTSIDE) first. */
  targets = new Uint32Array(16);
  values = new Float64Array(16);
  /** The place of each target in the observed row; -1 if it was not seen. */
  seenAt = new Int32Array(16);
  /** For each target, its place in the current row plus 1. */
  #placeOf = new Uint32Array(16);

  /**
   * @param states the number of chain states, which are numbered from 1.
   * @param valid writes the valid targets, including those seen, and returns their number; null if only observed targets are valid.
   */
  fill(
    seen: SeenRow,
    alpha: number,
    states: number,
    valid: ((isSeen: (target: number) => boolean, into: Uint32Array) => number) | null,
  ): void {
    if (states >= this.targets.length) this.#grow(2 * states + 1);
    const { targets, values, seenAt } = this;
    const placeOf = this.#placeOf;
    for (let i = 0; i < seen.size; i++) placeOf[seen.targets[i]] = i + 1;
    let size = seen.size;
    if (valid !== null) size = valid((target) => placeOf[target] !== 0, targets);
    else for (let i = 0; i < size; i++) targets[i] = seen.targets[i];
    this.size = size;
    for (let i = 0; i < size; i++) {
      const place = placeOf[targets[i]] - 1;
      seenAt[i] = place;
      values[i] = ((place < 0 ? 0 : seen.counts[place]) + alpha) / (seen.draws + size * alpha);
    }
    for (let i = 0; i < seen.size; i++) placeOf[seen.targets[i]] = 0;
  }

  #grow(capacity: number): void {
    this.targets = new Uint32Array(capacity);
    this.values = new Float64Array(capacity);
    this.seenAt = new Int32Array(capacity);
    this.#placeOf = new Uint32Array(capacity);
  }
}
