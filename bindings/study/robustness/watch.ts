import type { Bounds } from '../../base/bounds.js';
import type { Quantity } from './quantities.js';
import type { Tracks } from './tracks.js';

const LEAST = Number.NEGATIVE_INFINITY;

/** Bounds on a quantity at one position, which may not exist yet; updated after each sample. */
export interface Watch extends Bounds<number> {
  /** Requests the positions of quantities that the watch is going to read. */
  ask(want: (q: number, position: number) => void): void;
  update(ended: boolean): void;
}

/** Finds the quantities that a watch of `q` reads at more than one position, and those that look back. */
export function trackedBy(list: readonly Quantity[], q: number): number[] {
  const quantity = list[q];
  switch (quantity.kind) {
    case 'not':
      return trackedBy(list, quantity.operand);
    case 'and':
    case 'or':
      return [quantity.left, quantity.right].flatMap((part) => trackedBy(list, part));
    case 'eventually':
      if (quantity.past) return [q];
      return quantity.from === quantity.to ? trackedBy(list, quantity.operand) : [quantity.operand];
    case 'until':
      return quantity.past ? [q] : [quantity.left, quantity.right];
    default:
      return [q];
  }
}

/**
 * Watches a quantity at one position. Operators that look ahead from there summarise their final part as one number, so that a rule under G
 * does not become more expensive with every sample.
 */
export function watch(list: readonly Quantity[], tracks: Tracks, q: number, position: number): Watch {
  const quantity = list[q];
  switch (quantity.kind) {
    case 'not':
      return new Negative(watch(list, tracks, quantity.operand, position));
    case 'and':
    case 'or': {
      const { left, right } = quantity;
      const choose = quantity.kind === 'or' ? Math.max : Math.min;
      return new Choice(watch(list, tracks, left, position), watch(list, tracks, right, position), choose);
    }
    case 'eventually': {
      const { from, to, operand, past } = quantity;
      if (past) break;
      return from === to
        ? new Later(watch(list, tracks, operand, position + from), tracks, position + from)
        : new Eventually(tracks, q, operand, position, from, to);
    }
    case 'until':
      if (quantity.past) break;
      return new Until(tracks, quantity.left, quantity.right, position);
  }
  return new At(tracks, q, position);
}

/** A watch whose bounds are computed from the tracks at each update. */
abstract class Positioned implements Watch {
  lower: number;
  upper: number;

  constructor(
    protected readonly tracks: Tracks,
    protected readonly position: number,
    [lower, upper]: readonly [lower: number, upper: number],
  ) {
    this.lower = lower;
    this.upper = upper;
  }

  abstract ask(want: (q: number, position: number) => void): void;
  abstract update(ended: boolean): void;
}

class At extends Positioned {
  #isFinal = false;
  readonly #q: number;

  constructor(tracks: Tracks, q: number, position: number) {
    super(tracks, position, tracks.ahead[q]);
    this.#q = q;
  }

  ask(want: (q: number, position: number) => void): void {
    if (!this.#isFinal) want(this.#q, this.position);
  }

  update(): void {
    const { tracks, position } = this;
    const q = this.#q;
    if (this.#isFinal || position >= tracks.length) return;
    this.lower = tracks.lower(q, position);
    this.upper = tracks.upper(q, position);
    this.#isFinal = tracks.final(q) > position;
  }
}

class Negative implements Watch {
  readonly #operand: Watch;
  constructor(operand: Watch) {
    this.#operand = operand;
  }

  get lower(): number {
    return 0 - this.#operand.upper;
  }

  get upper(): number {
    return 0 - this.#operand.lower;
  }

  ask(want: (q: number, position: number) => void): void {
    this.#operand.ask(want);
  }

  update(ended: boolean): void {
    this.#operand.update(ended);
  }
}

class Choice implements Watch {
  readonly #left: Watch;
  readonly #right: Watch;
  readonly #choose: (a: number, b: number) => number;
  constructor(left: Watch, right: Watch, choose: (a: number, b: number) => number) {
    this.#left = left;
    this.#right = right;
    this.#choose = choose;
  }

  get lower(): number {
    return this.#choose(this.#left.lower, this.#right.lower);
  }

  get upper(): number {
    return this.#choose(this.#left.upper, this.#right.upper);
  }

  ask(want: (q: number, position: number) => void): void {
    this.#left.ask(want);
    this.#right.ask(want);
  }

  update(ended: boolean): void {
    this.#left.update(ended);
    this.#right.update(ended);
  }
}

/** A quantity at a position that may never exist. */
class Later extends Positioned {
  readonly #operand: Watch;

  constructor(operand: Watch, tracks: Tracks, position: number) {
    super(tracks, position, [LEAST, operand.upper]);
    this.#operand = operand;
  }

  ask(want: (q: number, position: number) => void): void {
    this.#operand.ask(want);
  }

  update(ended: boolean): void {
    this.#operand.update(ended);
    const exists = this.position < this.tracks.length;
    this.lower = exists ? this.#operand.lower : LEAST;
    this.upper = exists || !ended ? this.#operand.upper : LEAST;
  }
}

class Eventually extends Positioned {
  /** The largest bounds at final positions. */
  #lower = LEAST;
  #upper = LEAST;
  /** The first position that is not final. */
  #next: number;
  readonly #last: number;
  readonly #operand: number;

  constructor(tracks: Tracks, q: number, operand: number, position: number, from: number, to: number) {
    super(tracks, position, tracks.ahead[q]);
    this.#operand = operand;
    this.#next = position + from;
    this.#last = position + to;
  }

  ask(want: (q: number, position: number) => void): void {
    if (this.#next <= this.#last) want(this.#operand, this.#next);
  }

  update(ended: boolean): void {
    const { tracks } = this;
    const operand = this.#operand;
    const last = this.#last;
    if (tracks.length <= this.position) return;
    const final = Math.min(tracks.final(operand), last + 1);
    for (; this.#next < final; this.#next++) {
      this.#lower = Math.max(this.#lower, tracks.lower(operand, this.#next));
      this.#upper = Math.max(this.#upper, tracks.upper(operand, this.#next));
    }
    let lower = this.#lower;
    let upper = this.#upper;
    for (let i = this.#next; i < tracks.length && i <= last; i++) {
      lower = Math.max(lower, tracks.lower(operand, i));
      upper = Math.max(upper, tracks.upper(operand, i));
    }
    if (!ended && last >= tracks.length) upper = Math.max(upper, tracks.ahead[operand][1]);
    this.lower = lower;
    this.upper = upper;
  }
}

class Until extends Positioned {
  /** The largest value among those that end at a final position, and the least of the left side up to there. */
  #lower = LEAST;
  #upper = LEAST;
  #leftLower = Number.POSITIVE_INFINITY;
  #leftUpper = Number.POSITIVE_INFINITY;
  #next: number;
  readonly #left: number;
  readonly #right: number;

  constructor(tracks: Tracks, left: number, right: number, position: number) {
    super(tracks, position, tracks.ahead[right]);
    this.#left = left;
    this.#right = right;
    this.#next = position;
  }

  ask(want: (q: number, position: number) => void): void {
    want(this.#left, this.#next);
    want(this.#right, this.#next);
  }

  update(ended: boolean): void {
    const { tracks } = this;
    const left = this.#left;
    const right = this.#right;
    if (tracks.length <= this.position) return;
    const final = Math.min(tracks.final(left), tracks.final(right));
    let lower = this.#lower;
    let upper = this.#upper;
    let leftLower = this.#leftLower;
    let leftUpper = this.#leftUpper;
    for (let i = this.#next; i < tracks.length; i++) {
      lower = Math.max(lower, Math.min(leftLower, tracks.lower(right, i)));
      upper = Math.max(upper, Math.min(leftUpper, tracks.upper(right, i)));
      leftLower = Math.min(leftLower, tracks.lower(left, i));
      leftUpper = Math.min(leftUpper, tracks.upper(left, i));
      if (i >= final) continue;
      this.#next = i + 1;
      this.#lower = lower;
      this.#upper = upper;
      this.#leftLower = leftLower;
      this.#leftUpper = leftUpper;
    }
    this.lower = lower;
    this.upper = ended ? upper : Math.max(upper, Math.min(leftUpper, tracks.ahead[right][1]));
  }
}
