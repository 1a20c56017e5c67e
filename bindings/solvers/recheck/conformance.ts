import type { MachineCertificate, TextCertificate } from './certificate.js';
import { classOf } from './product.js';
import { Refused } from './refused.js';
import { NONE, TRUE } from './trees.js';

/** Evaluations for one automaton, about, beside those of its transitions. */
export const EVALUATIONS = 10_000;
/** Most suffixes that tell states apart, and most states for which they are looked for. */
const MOST_SUFFIXES = 64;
const MOST_COMPARED = 1000;
/** States of which all successors under ASCII and under these code points are tried. */
const MOST_CLOSE = 40;
const FOREIGN = [...'\u0085\u00a0\u3000\u212a\u017féÉİ😀\ufeff'];
const USUAL_SUFFIXES = ['', '%41', '%2e', '%2F..', '/..', '/a', '@a.b', 'a', '.'];
/** Repetitions beyond the limits of functions on texts. */
const LONG = [70, 260];

/**
 * Runs predicates on texts made of an automaton: each transition, followed by suffixes that tell states apart (after T. S. Chow, Testing software design modeled
 * by finite-state machines, 1978), other characters of a class, and many repetitions. That is a test, not a proof.
 *
 * @throws Refused for a text of which the predicates have other values
 */
export function checkConformance(
  text: TextCertificate,
  machine: MachineCertificate,
  classes: number,
  most: number,
  evaluate: (text: string) => readonly number[],
  evaluations: number,
): void {
  const { next, outcomes, possible, doubts, exactBelow } = machine;
  const representatives = representativesOf(text, classes);
  const access = accessWords(machine, classes, representatives);
  const tried = new Set<string>();
  const check = (given: string): void => {
    if (given.length > most || tried.has(given)) return;
    tried.add(given);
    const codes = Array.from(given, (character) => character.codePointAt(0)!);
    let state = 0;
    for (const code of codes) state = next[state * classes + classOf(text, code)];
    const values = evaluate(given);
    const isSilent = doubts[state] === 1 || (exactBelow !== null && codes.length >= exactBelow);
    if (isSilent && values.every((value) => value === NONE)) return;
    if (!possible[outcomes[state]].some((one) => one.every((value, i) => value === values[i])))
      throw new Refused(`its automaton says otherwise of ${JSON.stringify(given)} than the predicates`);
  };
  const suffixes = [...new Set([...USUAL_SUFFIXES, ...tellingSuffixes(machine, classes).map(wordOf)])];
  const transitions = access.flatMap((word) =>
    word === undefined ? [] : representatives.map((one) => word + one),
  );
  for (const word of access) if (word !== undefined) check(word);
  for (const word of transitions) check(word);
  // As many suffixes after each transition as there is room for, others after each.
  const each = Math.max(1, Math.floor(evaluations / (transitions.length * machine.atoms.length)));
  for (const [i, word] of transitions.entries())
    for (let k = 0; k < Math.min(each, suffixes.length); k++)
      check(word + suffixes[(i * each + k) % suffixes.length]);
  const closely = Math.min(MOST_CLOSE, Math.ceil(evaluations / (500 * machine.atoms.length)));
  for (const word of access.slice(0, closely)) {
    if (word === undefined) continue;
    for (let code = 0; code < 128; code++) check(word + String.fromCharCode(code));
    for (const character of FOREIGN) check(word + character);
  }
  const longOnes = longTexts(machine, classes, access, representatives);
  for (const word of longOnes.slice(0, Math.ceil(evaluations / (50 * machine.atoms.length)))) check(word);

  function wordOf(letters: readonly number[]): string {
    return letters.map((letter) => representatives[letter]).join('');
  }
}

/** A character of each class, no half of one if there is another. */
function representativesOf({ starts, classes: numbers }: TextCertificate, classes: number): string[] {
  const found: string[] = [];
  const isHalf = (code: number) => code >= 0xd800 && code <= 0xdfff;
  for (const [i, start] of starts.entries()) {
    const known = found[numbers[i]];
    if (known === undefined || isHalf(known.codePointAt(0)!)) found[numbers[i]] = String.fromCodePoint(start);
  }
  return Array.from({ length: classes }, (_, c) => found[c] ?? '');
}

/** A shortest text that leads to each state; undefined for states to which none does. */
function accessWords(
  { next, outcomes }: MachineCertificate,
  classes: number,
  representatives: readonly string[],
) {
  const words: (string | undefined)[] = outcomes.map(() => undefined);
  words[0] = '';
  const order = [0];
  for (const state of order)
    for (let c = 0; c < classes; c++) {
      const to = next[state * classes + c];
      if (words[to] !== undefined) continue;
      words[to] = words[state]! + representatives[c];
      order.push(to);
    }
  return words;
}

/** Suffixes of which what the automaton says tells states apart: the first that do, and all if they are few. */
function tellingSuffixes({ next, outcomes, doubts }: MachineCertificate, classes: number): number[][] {
  const states = outcomes.length;
  if (states > MOST_COMPARED) return [];
  const words: number[][] = [[]];
  const after = (state: number, word: readonly number[]): number => {
    let at = state;
    for (const letter of word) at = next[at * classes + letter];
    return 2 * outcomes[at] + doubts[at];
  };
  let signatures = outcomes.map((_, state) => `${after(state, [])}`);
  /** A letter after which states that look alike so far do not. */
  const splitting = (): number[] | undefined => {
    for (let c = 0; c < classes; c++) {
      const first = new Map<string, number>();
      for (const [state, signature] of signatures.entries()) {
        const to = next[state * classes + c];
        const other = first.get(signature);
        if (other === undefined) first.set(signature, to);
        else if (signatures[other] !== signatures[to])
          return [c, ...words.find((word) => after(other, word) !== after(to, word))!];
      }
    }
    return undefined;
  };
  while (words.length < MOST_SUFFIXES) {
    const word = splitting();
    if (word === undefined) break;
    words.push(word);
    signatures = signatures.map((signature, state) => `${signature},${after(state, word)}`);
  }
  return words;
}

/** Texts that go round in a state, or in two, and then to one where a predicate may be true. */
function longTexts(
  { next, outcomes, possible }: MachineCertificate,
  classes: number,
  access: readonly (string | undefined)[],
  representatives: readonly string[],
): string[] {
  const isTrue = (state: number) => possible[outcomes[state]].some((values) => values.includes(TRUE));
  const exit = outcomes.map((_, state): string | undefined => (isTrue(state) ? '' : undefined));
  for (let isNew = true; isNew; ) {
    isNew = false;
    for (let state = 0; state < outcomes.length; state++)
      for (let c = 0; c < classes && exit[state] === undefined; c++) {
        const rest = exit[next[state * classes + c]];
        if (rest === undefined) continue;
        exit[state] = representatives[c] + rest;
        isNew = true;
      }
  }
  const texts: string[] = [];
  for (const [state, word] of access.entries()) {
    const rest = exit[state];
    if (word === undefined || rest === undefined || texts.length > 400) continue;
    const rounds: string[] = [];
    for (let c = 0; c < classes && rounds.length < 4; c++) {
      const to = next[state * classes + c];
      if (to === state) rounds.push(representatives[c]);
      for (let d = 0; d < classes && rounds.length < 4; d++)
        if (to !== state && next[to * classes + d] === state)
          rounds.push(representatives[c] + representatives[d]);
    }
    for (const round of rounds) for (const times of LONG) texts.push(word + round.repeat(times) + rest);
  }
  return texts;
}
