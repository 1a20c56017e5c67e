import { type CompareOptions, canonicalKey } from '../../languages/automaton/compare/index.js';
import type { Formula } from '../../languages/logic/index.js';

/** Votes for formulas that are equivalent. */
export interface VotedClass<Vote extends { readonly formula: Formula }> {
  /** In the order in which they were cast. */
  readonly votes: readonly [Vote, ...Vote[]];
  /** Of all votes, from 0 to 1. */
  readonly share: number;
}

/**
 * Sorts votes for formulas into classes of equivalent ones, the largest first. Of equally large classes, that of the earlier vote comes first.
 *
 * @throws NotSupportedError as `canonicalKey`
 */
export function voteByEquivalence<Vote extends { readonly formula: Formula }>(
  votes: readonly Vote[],
  options: CompareOptions = {},
): VotedClass<Vote>[] {
  const classes = new Map<string, [Vote, ...Vote[]]>();
  for (const vote of votes) {
    const key = canonicalKey(vote.formula, options);
    const known = classes.get(key);
    if (known === undefined) classes.set(key, [vote]);
    else known.push(vote);
  }
  return [...classes.values()]
    .map((members) => ({ votes: members, share: members.length / votes.length }))
    .sort((one, other) => other.share - one.share);
}
