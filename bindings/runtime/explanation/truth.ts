import { InvalidArgumentError } from '../../base/errors.js';
import { nearestName } from '../../base/suggest.js';
import { allowedCounts, type Formula } from '../../languages/logic/index.js';
import type { Core, Span, Tally } from './core.js';
import type { Prefix } from './prefix.js';

/** Truth values of a formula on a prefix: false or true whatever follows, or open. Kleene's logic is minimum and maximum. */
export const FALSE = 0;
export const UNDECIDED = 1;
export const TRUE = 2;

/**
 * The value of every part at every step of a prefix, by definition: entry `[part.id][i]`. Entry `[part.id][length]` is the value of the part at every future
 * step. FALSE and TRUE are certain; several parts together may still decide an UNDECIDED one, as `(F a) & (G !a)` is false.
 *
 * Linear in parts times steps, whatever the windows.
 *
 * @param ended No step follows; every value is then FALSE or TRUE if all predicates are known.
 */
export function truthValues(parts: readonly Core[], prefix: Prefix, ended: boolean): readonly Uint8Array[] {
  const n = prefix.length;
  const values: Uint8Array[] = [];
  for (const part of parts) {
    const own = new Uint8Array(n + 1);
    values.push(own);
    switch (part.kind) {
      case 'boolean': {
        const evaluate = leafValue(part.formula, prefix);
        for (let i = 0; i <= n; i++) own[i] = evaluate(i);
        break;
      }
      case 'not':
        values[part.operand.id].forEach((value, i) => void (own[i] = TRUE - value));
        break;
      case 'and':
      case 'or': {
        const right = values[part.right.id];
        const connect = part.kind === 'and' ? Math.min : Math.max;
        values[part.left.id].forEach((value, i) => void (own[i] = connect(value, right[i])));
        break;
      }
      case 'next': {
        const operand = values[part.operand.id];
        own.set(operand.subarray(1));
        // It is open whether a step follows the last one.
        const beyond = Math.min(operand[n], UNDECIDED);
        if (n > 0) own[n - 1] = ended ? FALSE : beyond;
        own[n] = beyond;
        break;
      }
      case 'previous': {
        const operand = values[part.operand.id];
        own.set(operand.subarray(0, n), 1);
        own[0] = n > 0 ? FALSE : UNDECIDED;
        if (n > 0 && operand[n - 1] !== operand[n]) own[n] = UNDECIDED;
        break;
      }
      case 'until':
        until(part, part.left && values[part.left.id], values[part.right.id], n, ended, own);
        break;
      case 'since':
        since(part, part.left && values[part.left.id], values[part.right.id], n, own);
        break;
      case 'count':
        count(part, values[part.operand.id], n, own);
        break;
    }
  }
  return values;
}

/** The value of a Boolean part at step i; at `length`, where no predicate is known yet, as far as that decides it. */
function leafValue(formula: Formula, prefix: Prefix): (i: number) => number {
  switch (formula.kind) {
    case 'constant': {
      const value = formula.value ? TRUE : FALSE;
      return () => value;
    }
    case 'predicate': {
      const { predicates, words, valuations, known, length } = prefix;
      const bit = predicates.indexOf(formula.name);
      if (bit < 0) {
        const nearest = nearestName(formula.name, predicates);
        throw new InvalidArgumentError(
          `the formula reads predicate "${formula.name}", which the steps do not have${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`,
        );
      }
      const mask = 1 << (bit & 31);
      return (i) => {
        const word = words * i + (bit >>> 5);
        if (i >= length || (known !== null && (known[word] & mask) === 0)) return UNDECIDED;
        return (valuations[word] & mask) === 0 ? FALSE : TRUE;
      };
    }
    case 'not': {
      const operand = leafValue(formula.operand, prefix);
      return (i) => TRUE - operand(i);
    }
    case 'and':
    case 'or':
    case 'implies':
    case 'iff': {
      const left = leafValue(formula.left, prefix);
      const right = leafValue(formula.right, prefix);
      if (formula.kind === 'and') return (i) => Math.min(left(i), right(i));
      if (formula.kind === 'or') return (i) => Math.max(left(i), right(i));
      if (formula.kind === 'implies') return (i) => Math.max(TRUE - left(i), right(i));
      return (i) => {
        const [l, r] = [left(i), right(i)];
        return l === UNDECIDED || r === UNDECIDED ? UNDECIDED : l === r ? TRUE : FALSE;
      };
    }
    default:
      throw new InvalidArgumentError(
        `a ${formula.kind} has no predicate: name it, or let deriveAbstraction do so`,
      );
  }
}

/** Per entry i, the nearest step from i on at which `holds`, or `none`: `n` looking ahead, -1 looking back. The same for steps at which something fails. */
export function nextWhere(n: number, holds: (i: number) => boolean): Int32Array {
  const nearest = new Int32Array(n + 1).fill(n);
  for (let i = n - 1; i >= 0; i--) nearest[i] = holds(i) ? i : nearest[i + 1];
  return nearest;
}

export function lastWhere(n: number, holds: (i: number) => boolean): Int32Array {
  const nearest = new Int32Array(n).fill(-1);
  for (let i = 0; i < n; i++) nearest[i] = holds(i) ? i : i > 0 ? nearest[i - 1] : -1;
  return nearest;
}

function until(
  { from, to }: Span,
  left: Uint8Array | null,
  right: Uint8Array,
  n: number,
  ended: boolean,
  own: Uint8Array,
): void {
  const leftBeyond = left === null ? TRUE : left[n];
  for (const level of [UNDECIDED, TRUE]) {
    // The nearest step counts: `left` must last until then.
    const found = nextWhere(n, (i) => right[i] >= level);
    const fails = nextWhere(n, (i) => left !== null && left[i] < level);
    for (let i = 0; i < n; i++) {
      const step = found[Math.min(i + from, n)];
      const inTime = step < n && (to === null || step <= i + to);
      if (inTime && fails[i] >= step) own[i] = level;
      else if (level === UNDECIDED && !ended && (to === null || i + to >= n)) {
        // No step so far, but perhaps a future one; future steps are all alike.
        const lasts = fails[i] === n && (i + from <= n || leftBeyond >= UNDECIDED);
        if (lasts && right[n] >= UNDECIDED) own[i] = UNDECIDED;
      }
    }
  }
  if (from === 0 && right[n] === TRUE) own[n] = TRUE;
  else own[n] = right[n] >= UNDECIDED && (from === 0 || leftBeyond >= UNDECIDED) ? UNDECIDED : FALSE;
}

function since(
  { from, to }: Span,
  left: Uint8Array | null,
  right: Uint8Array,
  n: number,
  own: Uint8Array,
): void {
  for (const level of [UNDECIDED, TRUE]) {
    const found = lastWhere(n, (i) => right[i] >= level);
    const fails = lastWhere(n, (i) => left !== null && left[i] < level);
    for (let i = from; i < n; i++) {
      const step = found[i - from];
      if (step >= 0 && (to === null || step >= i - to) && fails[i] <= step) own[i] = level;
    }
  }
  own[n] = sinceBeyond({ from, to }, left === null ? TRUE : left[n], left, right, n, own);
}

/** Compares the least and the greatest number of steps at which the operand may have held. */
function count(part: Tally, operand: Uint8Array, n: number, own: Uint8Array): void {
  const { from, to } = part;
  const { least, most } = allowedCounts(part);
  const judge = (fewest: number, greatest: number): number => {
    if (fewest >= least && (most === null || greatest <= most)) return TRUE;
    return greatest < least || (most !== null && fewest > most) ? FALSE : UNDECIDED;
  };
  const [certain, possible] = [TRUE, UNDECIDED].map((level) => {
    const before = new Float64Array(n + 1);
    for (let i = 0; i < n; i++) before[i + 1] = before[i] + Number(operand[i] >= level);
    return (first: number, last: number): number =>
      last < first ? 0 : before[Math.min(last, n - 1) + 1] - before[Math.max(first, 0)];
  });
  const oldest = (i: number): number => (to === null ? 0 : Math.max(0, i - to));
  for (let i = 0; i < n; i++) {
    if (i < from) own[i] = judge(0, 0);
    else own[i] = judge(certain(oldest(i), i - from), possible(oldest(i), i - from));
  }
  // A window that ends leaves what was behind, and each step to come may add one.
  const stays = n === 0 || to !== null ? 0 : certain(0, n - from);
  const now = from === 0 && operand[n] === TRUE ? 1 : 0;
  const positions = to === null ? Number.POSITIVE_INFINITY : to - from + 1;
  const past = n === 0 ? 0 : possible(oldest(n), n - 1);
  own[n] = judge(
    Math.min(stays + now, positions),
    operand[n] === FALSE ? Math.min(past, positions) : positions,
  );
}

/** The value of a since at every future step. */
function sinceBeyond(
  { from, to }: Pick<Span, 'from' | 'to'>,
  leftBeyond: number,
  left: Uint8Array | null,
  right: Uint8Array,
  n: number,
  own: Uint8Array,
): number {
  const now = from === 0 ? right[n] : FALSE;
  if (leftBeyond === FALSE || now === TRUE) return now;
  if (n > 0 && to === null && leftBeyond === TRUE && own[n - 1] === TRUE) return TRUE;
  return right[n] === FALSE && lastLive(left, right, n) < 0 ? FALSE : UNDECIDED;
}

/** The last step whose `right` may still count for future steps, because `left` may have lasted since; -1 if there is none. */
export function lastLive(left: Uint8Array | null, right: Uint8Array, n: number): number {
  for (let i = n - 1; i >= 0; i--) {
    if (right[i] >= UNDECIDED) return i;
    if (left !== null && left[i] === FALSE) return -1;
  }
  return -1;
}
