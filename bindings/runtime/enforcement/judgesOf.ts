import type { ReactiveRules } from '../agentspec/index.js';
import type { Guard, Judge, Judgement } from '../guard/index.js';
import { checkedJudge } from './checkedJudge.js';
import { guardJudge } from './guardJudge.js';
import { reactiveJudge } from './reactiveJudge.js';
import type { SessionOptions } from './sessionOptions.js';

/** The options that say what judges the calls. */
export type Judging = Pick<SessionOptions, 'guard' | 'judges' | 'rules'>;

/** A judge, or what stands for one. */
export type GivenJudge = Guard | ReactiveRules | Judge;

/** What judges the calls of a session, in order: `guard`, `judges`, `rules`; the policies of a guard's file right after its rules. */
export function judgesOf({ guard, judges = [], rules = [] }: Judging): readonly Judge[] {
  return [...(guard === undefined ? [] : [guard]), ...judges, ...rules].flatMap(judgesOfOne);
}

/** A guard without rules judges by its policies alone. */
function judgesOfOne(given: GivenJudge): Judge[] {
  const own = 'propose' in given ? (given.policies ?? null) : null;
  if (!('propose' in given) || own === null) return [judgeOf(given)];
  const policies = checkedJudge(own);
  return given.file.rules.length === 0 ? [policies] : [guardJudge(given), policies];
}

/** @throws InvalidArgumentError if it declares what no session can do */
export function judgeOf(given: GivenJudge): Judge {
  if ('propose' in given) return guardJudge(given);
  return 'begin' in given ? checkedJudge(given) : reactiveJudge(given);
}

/** Judges calls where nothing else does: it permits everything. */
export const NOTHING: Judge = {
  name: 'nothing',
  hash: '',
  decisions: [],
  needs: { reads: () => false },
  begin: () => ({ propose: () => PERMITTED, decideAgain: () => PERMITTED }),
};

const PERMITTED: Judgement = Object.freeze({
  decision: 'allow',
  reason: 'not-judged',
  explanation: 'Nothing judges this action.',
  read: null,
});
