import type { Automaton } from '../../languages/automaton/index.js';
import type { CallEvent } from './contract.js';

/** Letters that are looked at; rules with more are not judged. */
const MOST_LETTERS = 65_536;

/**
 * What becomes of a rule of order whatever is called: `always` and `never` if it holds of every, or of no sequence of calls of these tools; `open` otherwise.
 *
 * A call makes those events true that name its tool: each of them surely if it has no condition, and perhaps if it has one.
 */
export function fateOf(
  automaton: Automaton,
  events: ReadonlyMap<string, CallEvent>,
  tools: readonly string[],
): 'always' | 'never' | 'open' {
  const letters = lettersOf(
    automaton.predicates.map((name) => events.get(name)!),
    tools,
  );
  if (letters === null) return 'open';
  const reached = new Set([automaton.initial]);
  for (const state of reached) for (const letter of letters) reached.add(successor(automaton, state, letter));
  const accepting = [...reached].filter((state) => automaton.accepting[state] === 1).length;
  if (accepting === 0) return 'never';
  return accepting === reached.size ? 'always' : 'open';
}

/** The letters of calls, as the truth of each event; null if they are too many. */
function lettersOf(
  events: readonly CallEvent[],
  tools: readonly string[],
): readonly (readonly boolean[])[] | null {
  const found = new Map<string, readonly boolean[]>();
  for (const tool of tools) {
    let letters: boolean[][] = [[]];
    for (const { tools: of, when } of events) {
      const isOf = of === null || of.includes(tool);
      const values = isOf ? (when === null ? [true] : [false, true]) : [false];
      letters = letters.flatMap((letter) => values.map((value) => [...letter, value]));
      if (letters.length > MOST_LETTERS) return null;
    }
    for (const letter of letters) found.set(letter.join(), letter);
  }
  return [...found.values()];
}

function successor({ roots, nodes }: Automaton, state: number, letter: readonly boolean[]): number {
  let at = roots[state];
  while (at >= 0) at = nodes[3 * at + (letter[nodes[3 * at]] ? 2 : 1)];
  return -at - 1;
}
