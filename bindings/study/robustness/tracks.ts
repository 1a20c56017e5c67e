import { grown } from '../../base/grown.js';
import { partsOf, type Quantities, type Quantity, rangesOf } from './quantities.js';
import { maximumAhead, maximumBehind } from './slidingMaximum.js';

const LEAST = Number.NEGATIVE_INFINITY;

/**
 * Lower and upper bounds on quantities at every position of a growing trace, over all its continuations, the empty one included.
 *
 * A position's bounds are *final* once no further sample can change them. `update` recomputes only bounds that are not final and are still
 * requested by another quantity, so the cost of a step is the number of open positions: k for windows [0,k]. Bounds no longer requested are
 * dropped.
 *
 * Bounds of all quantities lie in arrays with the same first position, `base`.
 *
 * @see J. V. Deshmukh et al., Robust online monitoring of signal temporal logic, Formal Methods in System Design 51 (2017),
 *   doi:10.1007/s10703-017-0286-7
 */
export class Tracks {
  /** Number of samples so far. */
  length = 0;
  /** Bounds at a future position. */
  readonly ahead: readonly (readonly [number, number])[];
  readonly #list: readonly Quantity[];
  /** The tracked quantities, parts before the whole. */
  readonly #tracked: readonly number[];
  readonly #lower: Float64Array[] = [];
  readonly #upper: Float64Array[] = [];
  /** The number of final positions of each quantity. */
  readonly #final: Float64Array;
  /** The first requested position of each quantity. */
  readonly #asked: Float64Array;
  readonly #unknown: readonly (readonly [number, number])[];
  #base = 0;
  #capacity: number;
  #queue: Int32Array;

  /**
   * @param wanted numbers of the quantities whose bounds are needed at every position.
   * @param capacity initial capacity in positions.
   */
  constructor(quantities: Quantities, wanted: Iterable<number>, capacity = 64) {
    this.#capacity = capacity;
    this.#queue = new Int32Array(capacity);
    this.#list = quantities.list;
    this.ahead = rangesOf(quantities);
    this.#unknown = quantities.atoms.map(({ range }) => range);
    const tracked = new Set<number>();
    const track = (q: number): void => {
      if (tracked.has(q)) return;
      tracked.add(q);
      partsOf(this.#list[q]).forEach(track);
    };
    for (const q of wanted) track(q);
    this.#tracked = [...tracked].sort((a, b) => a - b);
    this.#final = new Float64Array(this.#list.length);
    this.#asked = new Float64Array(this.#list.length);
    for (const q of this.#tracked) {
      this.#lower[q] = new Float64Array(this.#capacity);
      this.#upper[q] = new Float64Array(this.#capacity);
    }
  }

  /** Resets to before the first sample. */
  reset(): void {
    this.length = 0;
    this.#base = 0;
    this.#final.fill(0);
  }

  /** The number of final positions of a quantity. */
  final(q: number): number {
    return this.#final[q];
  }

  /** The lower bound of a quantity at a position, which must be requested at each update. */
  lower(q: number, position: number): number {
    return this.#lower[q][position - this.#base];
  }

  /** The upper bound of a quantity at a position, which must be requested at each update. */
  upper(q: number, position: number): number {
    return this.#upper[q][position - this.#base];
  }

  /** Adds a sample: the margin of each atom, NaN if unknown. */
  append(margins: ArrayLike<number>): void {
    const at = this.length - this.#base;
    if (at === this.#capacity) this.#grow();
    for (const q of this.#tracked) {
      const quantity = this.#list[q];
      if (quantity.kind !== 'atom') continue;
      const margin = margins[quantity.atom];
      const isKnown = !Number.isNaN(margin);
      this.#lower[q][at] = isKnown ? margin : this.#unknown[quantity.atom][0];
      this.#upper[q][at] = isKnown ? margin : this.#unknown[quantity.atom][1];
    }
    this.length++;
  }

  /**
   * Brings all bounds up to date.
   *
   * @param ended whether the trace ends here.
   * @param ask reports through its argument the first position that is requested of each quantity.
   */
  update(ended: boolean, ask: (want: (q: number, position: number) => void) => void): void {
    this.#asked.fill(this.length);
    const want = (q: number, position: number): void => {
      this.#asked[q] = Math.min(this.#asked[q], Math.max(position, 0));
    };
    ask(want);
    let oldest = this.length;
    for (let t = this.#tracked.length - 1; t >= 0; t--) {
      const q = this.#tracked[t];
      const quantity = this.#list[q];
      const start = this.#start(q);
      oldest = Math.min(oldest, this.#asked[q], start - 1);
      // Requests on the parts reach as far as the window does. If nothing is computed yet, a window of the next position may reach back to
      // this one.
      let reach = 0;
      if (quantity.kind === 'eventually') {
        const { past, from, to } = quantity;
        reach = past ? -(to === Number.POSITIVE_INFINITY ? from : to) : from;
      }
      for (const part of partsOf(quantity)) want(part, start + reach);
    }
    for (const q of this.#tracked) {
      const start = this.#start(q);
      if (start < this.length) this.#compute(q, start, ended);
      this.#settle(q, start);
    }
    this.#drop(Math.max(oldest, 0));
  }

  /** The first position to compute. A quantity with unbounded past is computed from its previous value. */
  #start(q: number): number {
    const quantity = this.#list[q];
    const continues =
      (quantity.kind === 'until' && quantity.past) ||
      (quantity.kind === 'eventually' && quantity.past && quantity.to === Number.POSITIVE_INFINITY);
    return continues ? this.#final[q] : Math.max(this.#final[q], this.#asked[q]);
  }

  /** Advances the count of final positions, from the final positions of the parts and from bounds that agree. */
  #settle(q: number, start: number): void {
    const quantity = this.#list[q];
    let final = this.length;
    for (const part of partsOf(quantity)) final = Math.min(final, this.#final[part]);
    if (quantity.kind === 'eventually') {
      final = quantity.past ? Math.min(this.length, final + quantity.from) : final - quantity.to;
    }
    if ((quantity.kind === 'until' && !quantity.past) || final < this.#final[q]) final = this.#final[q];
    if (final >= start) {
      const lower = this.#lower[q];
      const upper = this.#upper[q];
      const base = this.#base;
      while (final < this.length && lower[final - base] === upper[final - base]) final++;
    }
    this.#final[q] = final;
  }

  #compute(q: number, start: number, ended: boolean): void {
    const quantity = this.#list[q];
    const first = start - this.#base;
    const end = this.length - this.#base;
    const lower = this.#lower[q].subarray(0, end);
    const upper = this.#upper[q].subarray(0, end);
    switch (quantity.kind) {
      case 'atom':
        break;
      case 'constant':
        lower.fill(quantity.value, first);
        upper.fill(quantity.value, first);
        break;
      case 'not': {
        const low = this.#lower[quantity.operand];
        const high = this.#upper[quantity.operand];
        for (let i = first; i < end; i++) {
          lower[i] = 0 - high[i];
          upper[i] = 0 - low[i];
        }
        break;
      }
      case 'and':
      case 'or': {
        const { kind, left, right } = quantity;
        const combine = kind === 'or' ? larger : smaller;
        combine(this.#lower[left], this.#lower[right], lower, first);
        combine(this.#upper[left], this.#upper[right], upper, first);
        break;
      }
      case 'eventually': {
        const { operand } = quantity;
        if (quantity.past) {
          this.#once(quantity, this.#lower[operand], lower, first);
          this.#once(quantity, this.#upper[operand], upper, first);
          break;
        }
        const { from, to } = quantity;
        maximumAhead(this.#lower[operand].subarray(first, end), from, to, lower.subarray(first), this.#queue);
        maximumAhead(this.#upper[operand].subarray(first, end), from, to, upper.subarray(first), this.#queue);
        if (ended) break;
        const ahead = this.ahead[operand][1];
        for (let i = Math.max(first, end - to); i < end; i++) if (upper[i] < ahead) upper[i] = ahead;
        break;
      }
      case 'until': {
        const { left, right, past } = quantity;
        if (past) {
          since(this.#lower[left], this.#lower[right], lower, first);
          since(this.#upper[left], this.#upper[right], upper, first);
        } else {
          until(this.#lower[left], this.#lower[right], lower, first, LEAST);
          until(this.#upper[left], this.#upper[right], upper, first, ended ? LEAST : this.ahead[right][1]);
        }
        break;
      }
    }
  }

  #once(
    { from, to }: Extract<Quantity, { kind: 'eventually' }>,
    values: Float64Array,
    out: Float64Array,
    first: number,
  ): void {
    if (to < Number.POSITIVE_INFINITY) {
      const oldest = Math.max(0, first - to);
      const read = values.subarray(oldest, out.length);
      maximumBehind(read, from, to, first - oldest, out.subarray(first), this.#queue);
      return;
    }
    let largest = first > 0 ? out[first - 1] : LEAST;
    for (let i = first; i < out.length; i++) {
      if (i >= from && values[i - from] > largest) largest = values[i - from];
      out[i] = largest;
    }
  }

  #grow(): void {
    this.#capacity *= 2;
    for (const bounds of [this.#lower, this.#upper]) {
      for (const q of this.#tracked) {
        bounds[q] = grown(bounds[q], this.#capacity);
      }
    }
    this.#queue = new Int32Array(this.#capacity);
  }

  /** Drops positions before `position`, if that is worth the copying. */
  #drop(position: number): void {
    const unused = position - this.#base;
    if (unused < this.#capacity >> 1) return;
    for (const q of this.#tracked) {
      this.#lower[q].copyWithin(0, unused);
      this.#upper[q].copyWithin(0, unused);
    }
    this.#base = position;
  }
}

function larger(left: Float64Array, right: Float64Array, out: Float64Array, first: number): void {
  for (let i = first; i < out.length; i++) out[i] = left[i] > right[i] ? left[i] : right[i];
}

function smaller(left: Float64Array, right: Float64Array, out: Float64Array, first: number): void {
  for (let i = first; i < out.length; i++) out[i] = left[i] < right[i] ? left[i] : right[i];
}

/** Computes until backwards; `later` is the value after the last position. */
function until(
  left: Float64Array,
  right: Float64Array,
  out: Float64Array,
  first: number,
  later: number,
): void {
  let value = later;
  for (let i = out.length - 1; i >= first; i--) {
    if (left[i] < value) value = left[i];
    if (right[i] > value) value = right[i];
    out[i] = value;
  }
}

function since(left: Float64Array, right: Float64Array, out: Float64Array, first: number): void {
  let value = first > 0 ? out[first - 1] : LEAST;
  for (let i = first; i < out.length; i++) {
    if (left[i] < value) value = left[i];
    if (right[i] > value) value = right[i];
    out[i] = value;
  }
}
