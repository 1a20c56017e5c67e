import type { Token } from '../grammar/tokens.js';
import { clauseOf, type PredicateWords } from '../lexicon/index.js';

const ROBOT = /^(?:robot|agent|you|it)$/;

/**
 * Who moves, in words without an article, if a vocabulary leaves no doubt: the one subject that is in places, of which more is said than of any other. A sentence may say of
 * it what it may say of "the robot". Null if it is the robot itself, or nobody.
 */
export function moverOf(words: ReadonlyMap<string, PredicateWords>): string | null {
  const said = new Map<string, number>();
  const placed = new Set<string>();
  for (const { say, also = [] } of words.values())
    for (const phrase of say === undefined ? also : [say]) {
      const clause = clauseOf(phrase);
      if (clause === null) continue;
      said.set(clause.subject, (said.get(clause.subject) ?? 0) + 1);
      if (/^(?:in|at|inside) /.test(clause.rest)) placed.add(clause.subject);
    }
  const [mover] = placed;
  if (placed.size !== 1 || [...said.keys()].some((who) => ROBOT.test(who))) return null;
  const times = said.get(mover) as number;
  return [...said].every(([who, often]) => who === mover || often < times) ? mover : null;
}

/** The words of predicates, with "robot" for who moves. */
export function wordsOfRobot(
  words: ReadonlyMap<string, PredicateWords>,
  mover: string,
): Readonly<Record<string, PredicateWords>> {
  const renamed = (phrase: string): string => ` ${phrase} `.replaceAll(` ${mover} `, ' robot ').trim();
  const lowered = (phrase: string | undefined): string | undefined =>
    phrase === undefined ? undefined : renamed(phrase.toLowerCase());
  return Object.fromEntries(
    [...words].map(([name, { say, not, also }]) => {
      const [holds, fails] = [lowered(say), lowered(not)];
      return [
        name,
        {
          ...(holds !== undefined && { say: holds }),
          ...(fails !== undefined && { not: fails }),
          ...(also !== undefined && { also: also.map((phrase) => renamed(phrase.toLowerCase())) }),
        },
      ];
    }),
  );
}

/** The tokens of a sentence, with "robot" for who moves. */
export function tokensOfRobot(tokens: readonly Token[], mover: string): Token[] {
  const words = mover.split(' ');
  const found: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const isMover = words.every((word, i) => tokens[at + i]?.text === word);
    const last = isMover ? at + words.length - 1 : at;
    found.push(isMover ? { text: 'robot', start: tokens[at].start, end: tokens[last].end } : tokens[at]);
    at = last;
  }
  return found;
}
