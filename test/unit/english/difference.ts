import { type Automaton, buildAutomaton } from '../../../bindings/languages/automaton/index.js';
import type { Formula } from '../../../bindings/languages/logic/index.js';

export const build = (formula: Formula): Automaton => buildAutomaton(formula, { maxStates: 3e6 });

/** The successor of a state under a valuation of `names`, as bits. */
export function table(automaton: Automaton, names: readonly string[]): (q: number, bits: number) => number {
  const bit = automaton.predicates.map((name) => names.indexOf(name));
  return (q, bits) => {
    let r = automaton.roots[q];
    while (r >= 0) r = automaton.nodes[3 * r + 1 + ((bits >> bit[automaton.nodes[3 * r]]) & 1)];
    return -r - 1;
  };
}

/** A shortest trace, not empty, that one of the two accepts: for each step the predicates that hold. Null if there is none. */
export function difference(f: Formula, g: Formula): string[][] | null {
  const [a, b] = [build(f), build(g)];
  const names = [...new Set([...a.predicates, ...b.predicates])];
  const [nextA, nextB] = [table(a, names), table(b, names)];
  const seen = new Set<number>();
  let front: { p: number; q: number; trace: number[] }[] = [{ p: a.initial, q: b.initial, trace: [] }];
  while (front.length > 0) {
    const further: typeof front = [];
    for (const { p, q, trace } of front) {
      for (let bits = 0; bits < 1 << names.length; bits++) {
        const [p2, q2] = [nextA(p, bits), nextB(q, bits)];
        if (a.accepting[p2] !== b.accepting[q2]) {
          return [...trace, bits].map((step) => names.filter((_, i) => (step >> i) & 1));
        }
        const key = p2 * b.states + q2;
        if (seen.has(key)) continue;
        seen.add(key);
        further.push({ p: p2, q: q2, trace: [...trace, bits] });
      }
    }
    front = further;
  }
  return null;
}
