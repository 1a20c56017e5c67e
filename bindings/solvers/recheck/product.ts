import type { MachineCertificate, TextCertificate } from './certificate.js';
import { Refused } from './refused.js';
import { NONE } from './trees.js';

/** Most states of a product that are walked. */
const MOST_STATES = 300_000;
const LAST_CODE_POINT = 0x10ffff;

/** Looks whether classes and automata are whole. @throws Refused */
export function checkShape({ starts, classes, machines }: TextCertificate): number {
  const isAscending = starts.every((start, i) => (i === 0 ? start === 0 : start > starts[i - 1]));
  if (!isAscending || starts.length !== classes.length || starts.at(-1)! > LAST_CODE_POINT)
    throw new Refused('its classes do not hold each code point once');
  const count = Math.max(...classes) + 1;
  for (const { next, outcomes, possible, doubts, atoms } of machines) {
    const states = outcomes.length;
    const isWhole =
      states > 0 &&
      next.length === states * count &&
      doubts.length === states &&
      next.every((to) => Number.isInteger(to) && to >= 0 && to < states) &&
      outcomes.every((one) => possible[one]?.every((values) => values.length === atoms.length));
    if (!isWhole) throw new Refused('an automaton is damaged');
  }
  return count;
}

/** The class of a code point. */
export function classOf({ starts, classes }: TextCertificate, code: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts[middle] <= code) low = middle;
    else high = middle;
  }
  return classes[low];
}

/**
 * Walks the product of automata from its first state under every class, and gives all values that predicates can have together.
 *
 * @param most longest text
 * @returns in the order of the machines' predicates
 */
export function productValues(
  machines: readonly MachineCertificate[],
  classes: number,
  most: number,
): number[][] {
  const tuples: number[][] = [machines.map(() => 0)];
  const numbers = new Map([[tuples[0].join(), 0]]);
  const depth = [0];
  const next: number[][] = [];
  for (let state = 0; state < tuples.length; state++) {
    const successors: number[] = [];
    for (let c = 0; c < classes; c++) {
      const to = machines.map((machine, i) => machine.next[tuples[state][i] * classes + c]);
      const key = to.join();
      let number = numbers.get(key);
      if (number === undefined) {
        if (tuples.length >= MOST_STATES) throw new Refused(`texts have more than ${MOST_STATES} states`);
        number = tuples.push(to) - 1;
        numbers.set(key, number);
        depth.push(depth[state] + 1);
      }
      successors.push(number);
    }
    next.push(successors);
  }
  const longest = longestTexts(next);
  const found = new Map<string, number[]>();
  const seen = new Set<string>();
  for (const [state, tuple] of tuples.entries()) {
    if (depth[state] > most) continue;
    const length = Math.min(longest[state], most);
    const isSilent = machines.map(
      ({ doubts, exactBelow }, i) => doubts[tuple[i]] === 1 || (exactBelow !== null && length >= exactBelow),
    );
    const key = machines.map(({ outcomes }, i) => 2 * outcomes[tuple[i]] + (isSilent[i] ? 1 : 0)).join();
    if (seen.has(key)) continue;
    seen.add(key);
    const silent = [
      ...new Set(machines.flatMap(({ through }, i) => (isSilent[i] && through !== null ? [through] : []))),
    ];
    for (let chosen = 0; chosen < 2 ** silent.length; chosen++) {
      const isOff = (through: string | null) =>
        through !== null && ((chosen >> silent.indexOf(through)) & 1) === 1 && silent.includes(through);
      let values: number[][] = [[]];
      for (const [i, { outcomes, possible, through, atoms }] of machines.entries()) {
        const own = isOff(through) ? [atoms.map(() => NONE)] : possible[outcomes[tuple[i]]];
        values = values.flatMap((before) => own.map((one) => [...before, ...one]));
      }
      for (const one of values) found.set(one.join(), one);
    }
  }
  return [...found.values()];
}

/** The length of the longest text that leads to each state; infinite for those behind a cycle. */
function longestTexts(next: readonly (readonly number[])[]): number[] {
  const before = next.map(() => 0);
  for (const successors of next) for (const to of successors) before[to]++;
  const longest = next.map(() => Number.POSITIVE_INFINITY);
  const length = next.map(() => 0);
  const open = [...before.keys()].filter((state) => before[state] === 0);
  while (open.length > 0) {
    const state = open.pop()!;
    longest[state] = length[state];
    for (const to of next[state]) {
      length[to] = Math.max(length[to], length[state] + 1);
      if (--before[to] === 0) open.push(to);
    }
  }
  return longest;
}
