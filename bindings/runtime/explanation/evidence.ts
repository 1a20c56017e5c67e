import { allowedCounts } from '../../languages/logic/index.js';
import type { Core, Span, Tally } from './core.js';
import { FALSE, TRUE } from './truth.js';

/** The value of a Boolean part at each of the steps from..to. */
export interface LeafFact {
  readonly leaf: Core & { readonly kind: 'boolean' };
  readonly holds: boolean;
  readonly from: number;
  readonly to: number;
}

/** Facts that together decide a part, whatever else is true. */
export interface Evidence {
  readonly facts: readonly LeafFact[];
  /** The fact that no step follows the last one also matters. */
  readonly readsEnd: boolean;
  /** The fact that no step precedes the first one also matters. */
  readonly readsStart: boolean;
}

/**
 * Gathers the reasons why parts are TRUE or FALSE: for `F p` the first step with p, for `G p` the first step without it, for a failed `F[0,k] p` each of its
 * steps, and so on. If either of two sides suffices, the shorter reason is given.
 */
export class EvidenceGatherer {
  readonly #values: readonly Uint8Array[];
  readonly #n: number;
  readonly #seen = new Set<number>();
  /** Per Boolean part, the steps that matter. */
  readonly #marks = new Map<Core & { kind: 'boolean' }, Uint8Array>();
  #readsEnd = false;
  #readsStart = false;

  constructor(values: readonly Uint8Array[], n: number) {
    this.#values = values;
    this.#n = n;
  }

  /** Adds the facts that decide `part` at step i, where its value must be certain. `length` stands for every future step. */
  add(part: Core, i: number): void {
    const key = part.id * (this.#n + 1) + i;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const value = this.#values[part.id][i];
    switch (part.kind) {
      case 'boolean':
        if (i < this.#n) this.#mark(part)[i] = 1;
        return;
      case 'not':
        this.add(part.operand, i);
        return;
      case 'and':
      case 'or': {
        const { left, right } = part;
        if (value === (part.kind === 'and' ? TRUE : FALSE)) {
          this.add(left, i);
          this.add(right, i);
        } else this.add(this.#shorter(left, right, i, value), i);
        return;
      }
      case 'next':
        if (i < this.#n - 1) this.add(part.operand, i + 1);
        else if (this.#values[part.operand.id][this.#n] === FALSE) this.add(part.operand, this.#n);
        else this.#readsEnd = true;
        return;
      case 'previous':
        if (i === 0) this.#readsStart = true;
        else this.add(part.operand, i - 1);
        if (i === this.#n) this.add(part.operand, i);
        return;
      case 'until':
        if (i === this.#n) this.#untilBeyond(part, value);
        else this.#until(part, i, value);
        return;
      case 'since':
        if (i === this.#n) this.#sinceBeyond(part, value);
        else this.#since(part, i, value);
        return;
      case 'count':
        this.#count(part, i, value);
        return;
    }
  }

  evidence(): Evidence {
    const facts: LeafFact[] = [];
    for (const [leaf, steps] of this.#marks) {
      const values = this.#values[leaf.id];
      for (let from = 0; from < steps.length; from++) {
        if (steps[from] === 0) continue;
        let to = from;
        while (steps[to + 1] === 1 && values[to + 1] === values[from]) to++;
        facts.push({ leaf, holds: values[from] === TRUE, from, to });
        from = to;
      }
    }
    facts.sort((a, b) => a.from - b.from || a.to - b.to || a.leaf.id - b.leaf.id);
    return { facts, readsEnd: this.#readsEnd, readsStart: this.#readsStart };
  }

  #mark(leaf: Core & { kind: 'boolean' }): Uint8Array {
    let steps = this.#marks.get(leaf);
    if (steps === undefined) {
      steps = new Uint8Array(this.#n);
      this.#marks.set(leaf, steps);
    }
    return steps;
  }

  #shorter(left: Core, right: Core, i: number, value: number): Core {
    if (this.#values[left.id][i] !== value) return right;
    if (this.#values[right.id][i] !== value) return left;
    return isTemporal(left) && !isTemporal(right) ? right : left;
  }

  #addRange(part: Core | null, from: number, to: number): void {
    if (part !== null) for (let i = from; i <= to; i++) this.add(part, i);
  }

  #until({ left, right, from, to }: Span, i: number, value: number): void {
    const n = this.#n;
    const ofRight = this.#values[right.id];
    const ofLeft = left === null ? null : this.#values[left.id];
    const first = i + from;
    if (value === TRUE) {
      let step = first;
      while (ofRight[step] !== TRUE) step++;
      this.add(right, step);
      this.#addRange(left, i, step - 1);
      return;
    }
    let failed = i;
    while (failed < n && ofLeft?.[failed] !== FALSE) failed++;
    const last = Math.min(to === null ? n - 1 : i + to, n - 1);
    this.#addRange(right, first, Math.min(last, failed));
    const closed = to !== null && i + to < n;
    if (failed < n && left !== null && (!closed || failed < i + (to as number))) this.add(left, failed);
    else if (failed === n && !closed) this.#noneToCome(left, right, first);
  }

  /** Adds why no future step can satisfy an until: `right` cannot hold, `left` does not last, or no step follows. */
  #noneToCome(left: Core | null, right: Core, first: number): void {
    const n = this.#n;
    if (this.#values[right.id][n] === FALSE) this.add(right, n);
    else if (left !== null && first > n && this.#values[left.id][n] === FALSE) this.add(left, n);
    else this.#readsEnd = true;
  }

  #untilBeyond({ left, right }: Span, value: number): void {
    const n = this.#n;
    if (value === TRUE || left === null || this.#values[right.id][n] === FALSE) this.add(right, n);
    else this.add(left, n);
  }

  #since({ left, right, from, to }: Span, i: number, value: number): void {
    const ofRight = this.#values[right.id];
    const ofLeft = left === null ? null : this.#values[left.id];
    if (value === TRUE) {
      let step = i - from;
      while (ofRight[step] !== TRUE) step--;
      this.add(right, step);
      this.#addRange(left, step + 1, i);
      return;
    }
    let failed = i;
    while (failed >= 0 && ofLeft?.[failed] !== FALSE) failed--;
    const oldest = to === null ? 0 : Math.max(0, i - to);
    this.#addRange(right, Math.max(oldest, failed), i - from);
    if (failed >= 0 && left !== null && failed > oldest) this.add(left, failed);
    if (i < from) this.#readsStart = true;
  }

  /** Adds as many steps with the operand, or without, as the comparison needs, the last ones first. */
  #count(part: Tally, i: number, value: number): void {
    const { operand, from, to } = part;
    const { least, most } = allowedCounts(part);
    const ofOperand = this.#values[operand.id];
    const isBeyond = i === this.#n;
    const oldest = to === null ? 0 : Math.max(0, i - to);
    const newest = isBeyond ? this.#n - 1 : i - from;
    const positions = Math.max(0, newest - oldest + 1);
    if (isBeyond) this.add(operand, i);
    else if (i < from) this.#readsStart = true;
    const add = (wanted: number, steps: number): void => {
      for (let step = newest, left = steps; step >= oldest && left > 0; step--) {
        if (ofOperand[step] !== wanted) continue;
        this.add(operand, step);
        left--;
      }
    };
    const all = isBeyond ? Number.POSITIVE_INFINITY : positions;
    if (value === TRUE) {
      add(TRUE, isBeyond && least > 0 ? all : least);
      if (most !== null) add(FALSE, all - most);
    } else {
      let held = 0;
      for (let step = oldest; step <= newest; step++) held += Number(ofOperand[step] === TRUE);
      if (most !== null && (held > most || isBeyond)) add(TRUE, isBeyond ? all : most + 1);
      if (most === null || held <= most) add(FALSE, isBeyond ? all : all - least + 1);
    }
  }

  #sinceBeyond(part: Span, value: number): void {
    const n = this.#n;
    const { left, right, from } = part;
    if (value === TRUE) {
      if (from === 0 && this.#values[right.id][n] === TRUE) this.add(right, n);
      else {
        if (left !== null) this.add(left, n);
        this.#since(part, n - 1, TRUE);
      }
    } else if (left !== null && this.#values[left.id][n] === FALSE) {
      this.add(left, n);
      if (from === 0) this.add(right, n);
    } else {
      this.add(right, n);
      this.#since({ ...part, from: 0, to: null }, n - 1, FALSE);
    }
  }
}

/** Whether a part concerns more than one step. */
function isTemporal(part: Core): boolean {
  if (part.kind === 'boolean') return false;
  return part.kind === 'not' ? isTemporal(part.operand) : part.kind !== 'and' && part.kind !== 'or';
}
