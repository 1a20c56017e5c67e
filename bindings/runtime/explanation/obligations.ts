import type { Core } from './core.js';
import { FALSE, nextWhere, TRUE, UNDECIDED } from './truth.js';

/** A part that must have the value `wanted` at step `since`, and is still open. Together these decide the whole formula. */
export interface Owed {
  readonly part: Core;
  readonly wanted: boolean;
  readonly since: number;
  /** Concerns only future steps: nothing so far made it due. */
  readonly standing: boolean;
  /** Parts that made it due, each with the step from which it is certain. */
  readonly because: readonly { readonly part: Core; readonly step: number }[];
}

/**
 * The open obligations of a formula after a prefix. The formula is satisfied exactly if all of them are met. Among promises of the same thing, `F[0,k] p` at
 * several steps, the one due first stands for all; for `G[0,k] p` the one that lasts longest.
 */
export function owedParts(parts: readonly Core[], values: readonly Uint8Array[], n: number): Owed[] {
  const collector = new Collector(values, n);
  collector.visit(parts[parts.length - 1], 0, true, []);
  return [...collector.owed.values()];
}

/** For a part, the nearest step at which it is open, false, or not false. */
type Nearest = { open?: Int32Array; false?: Int32Array; possible?: Int32Array };

class Collector {
  readonly owed = new Map<string, Owed>();
  readonly #seen = new Set<number>();
  readonly #nearest = new Map<Core, Nearest>();
  readonly #values: readonly Uint8Array[];
  readonly #n: number;

  constructor(values: readonly Uint8Array[], n: number) {
    this.#values = values;
    this.#n = n;
  }

  visit(part: Core, i: number, wanted: boolean, because: Owed['because']): void {
    const key = 2 * (part.id * (this.#n + 1) + i) + Number(wanted);
    if (this.#seen.has(key) || this.#values[part.id][i] !== UNDECIDED) return;
    this.#seen.add(key);
    const owe = (standing = false): void => this.#owe({ part, wanted, since: i, standing, because });
    // Future steps are not known individually, except the first one if no step has been read.
    if ((i === this.#n && i > 0) || part.kind === 'boolean' || part.kind === 'since' || part.kind === 'count')
      owe();
    else if (part.kind === 'not') this.visit(part.operand, i, !wanted, because);
    else if (part.kind === 'and' || part.kind === 'or') this.#sides(part, i, wanted, because, owe);
    else if (part.kind === 'previous' && i > 0) this.visit(part.operand, i - 1, wanted, because);
    else if (part.kind === 'next' && i + 1 < this.#n) this.visit(part.operand, i + 1, wanted, because);
    else if (part.kind === 'until' && !wanted) this.#never(part, i, because, owe);
    else if (part.kind === 'until' && part.to !== null && i + part.to < this.#n)
      this.#alreadyCame(part, i, i + part.to, because, owe);
    else owe();
  }

  #sides(
    part: Core & { kind: 'and' | 'or' },
    i: number,
    wanted: boolean,
    because: Owed['because'],
    owe: () => void,
  ): void {
    const { left, right } = part;
    const eitherIsEnough = (part.kind === 'and') !== wanted;
    const [ofLeft, ofRight] = [this.#values[left.id][i], this.#values[right.id][i]];
    if (!eitherIsEnough) {
      this.visit(left, i, wanted, because);
      this.visit(right, i, wanted, because);
    } else if (ofLeft === UNDECIDED && ofRight === UNDECIDED) owe();
    else {
      const [open, certain] = ofLeft === UNDECIDED ? [left, right] : [right, left];
      this.visit(open, i, wanted, [...because, { part: certain, step: i }]);
    }
  }

  /** `right` must not hold while `left` lasts: neither at past steps where it is open, nor at future ones. */
  #never(
    { left, right, from, to }: Core & { kind: 'until' },
    i: number,
    because: Owed['because'],
    owe: (standing?: boolean) => void,
  ): void {
    const n = this.#n;
    const values = this.#values;
    const end = to === null ? Number.POSITIVE_INFINITY : i + to;
    const last = Math.min(end, n - 1);
    let lasts = i;
    while (lasts < n && (left === null || values[left.id][lasts] === TRUE)) lasts++;
    // Once it is uncertain that `left` lasts, a step with `right` may be harmless.
    if (lasts < n && values[(left as Core).id][lasts] !== FALSE && lasts < end) {
      owe();
      return;
    }
    for (let step = i + from; step <= Math.min(last, lasts); step++) this.visit(right, step, false, because);
    if (lasts === n && end >= n) owe(true);
  }

  /** `right` must have come by step `end`, which has been read: if only one step is left for it, `right` must hold there, and `left` until then. */
  #alreadyCame(
    { left, right, from }: Core & { kind: 'until' },
    i: number,
    end: number,
    because: Owed['because'],
    owe: () => void,
  ): void {
    const mayHold = this.#nextWith(right, 'possible');
    const step = mayHold[i + from];
    const ends = left === null ? end : Math.min(end, this.#nextWith(left, 'false')[i]);
    if (mayHold[step + 1] <= ends) {
      owe();
      return;
    }
    this.visit(right, step, true, because);
    if (left !== null) for (let before = i; before < step; before++) this.visit(left, before, true, because);
  }

  #owe(owed: Owed): void {
    const key = `${owed.part.id} ${owed.wanted} ${this.#group(owed)}`;
    const known = this.owed.get(key);
    if (known === undefined || known.since > owed.since === owed.wanted) this.owed.set(key, owed);
  }

  /** Promises of one part and one group concern the same steps, except for how late they end. */
  #group({ part, wanted, since, standing }: Owed): string {
    if (part.kind !== 'until' || part.left !== null || since + part.from > this.#n) return `at ${since}`;
    if (!wanted) return standing ? 'standing' : `at ${since}`;
    // A step at which `right` is open may fulfil the promises made until then, but not those made later.
    return `before ${this.#nextWith(part.right, 'open')[since + part.from]}`;
  }

  /** Per step, the nearest one from there on at which the part's value is so; `n` if there is none. */
  #nextWith(part: Core, value: keyof Nearest): Int32Array {
    let nearest = this.#nearest.get(part);
    if (nearest === undefined) {
      nearest = {};
      this.#nearest.set(part, nearest);
    }
    const values = this.#values[part.id];
    nearest[value] ??= nextWhere(this.#n, (i) => {
      if (value === 'open') return values[i] === UNDECIDED;
      return (values[i] === FALSE) === (value === 'false');
    });
    return nearest[value];
  }
}
