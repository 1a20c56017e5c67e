import type { Beliefs, LostBefore, Reading, Tuple } from './beliefs.js';
import type { Knowledge } from './knowledge.js';
import type { AskedCall, Moves } from './moves.js';
import { type Situation, withoutCall } from './run.js';

/** Whether a step keeps every rule: for all that is possible, for none of it, or for some; `excluded`: the assumptions exclude the step. */
export type Verdict = 'kept' | 'broken' | 'open' | 'excluded';

/** A step, judged. */
export interface JudgedStep {
  readonly verdict: Verdict;
  /** The rules that it breaks, whatever is not known. */
  readonly broken: readonly string[];
  /** The rules that it may break. */
  readonly doubtful: readonly string[];
  /** Each of the broken rules alone could still be kept, but not all of them. */
  readonly together: boolean;
  /** The combinations of states after it that are possible; where the step is kept, those that keep the rules. */
  readonly after: readonly Tuple[];
}

/** A call in a situation, judged: the step with the call, and then each step that may follow from it. */
export interface JudgedCall {
  readonly verdict: Verdict;
  readonly broken: readonly string[];
  readonly doubtful: readonly string[];
  /** As of a step. */
  readonly together: boolean;
  /** Whether the declared requirements of the call are met: undefined if that is not known. True if nothing is declared. */
  readonly possible: boolean | undefined;
  /** What shows that a rule is broken: the step with the call itself, or the one after it. */
  readonly at: 'call' | 'outcome' | null;
  /** The reading of that step; null if no step breaks a rule for certain. */
  readonly reading: Reading | null;
  /** Whether what the call brings about is known. */
  readonly isOutcomeKnown: boolean;
}

const NONE: readonly string[] = [];

/** Judges steps and calls by the rules; it changes nothing. */
export class CallJudge {
  readonly #knowledge: Knowledge;
  readonly #beliefs: Beliefs;
  readonly #moves: Moves | null;

  constructor(knowledge: Knowledge, beliefs: Beliefs, moves: Moves | null) {
    this.#knowledge = knowledge;
    this.#beliefs = beliefs;
    this.#moves = moves;
  }

  /** The call in the step at hand. @param outcome what is read after it, if the caller knows; default: what is declared of the call */
  judge(situation: Situation, call: AskedCall, outcome?: Reading): JudgedCall {
    const moves = this.#moves?.knows(call.name) === true ? this.#moves : null;
    const possible = moves === null ? true : moves.requires(call, situation.now);
    const reading = situation.read(call);
    const made = this.step(situation, situation.tuples, reading);
    const known = outcome !== undefined ? [[outcome]] : (moves?.outcomes(call, situation.now) ?? null);
    const isOutcomeKnown = known !== null;
    const following = (known ?? [])
      .map((outcomes) => this.#following(situation, made.after, outcomes))
      .filter(({ verdict }) => verdict !== 'excluded');
    const isExcluded = made.verdict === 'excluded' || (isOutcomeKnown && following.length === 0);
    const common = { possible: isExcluded ? false : possible, isOutcomeKnown };
    if (made.verdict === 'broken')
      return {
        ...common,
        verdict: 'broken',
        broken: made.broken,
        doubtful: made.doubtful,
        together: made.together,
        at: 'call',
        reading,
      };
    const doubtful = [...new Set([made, ...following].flatMap((one) => [...one.broken, ...one.doubtful]))];
    const worst = following.find(({ verdict }) => verdict === 'broken');
    if (worst === undefined || following.some(({ verdict }) => verdict !== 'broken')) {
      const isKept = [made, ...following].every(({ verdict }) => verdict === 'kept');
      return {
        ...common,
        verdict: isKept ? 'kept' : 'open',
        broken: NONE,
        doubtful,
        together: false,
        at: null,
        reading: null,
      };
    }
    const { broken, together, read } = worst;
    return {
      ...common,
      verdict: 'broken',
      broken,
      doubtful: doubtful.filter((name) => !broken.includes(name)),
      together,
      at: 'outcome',
      reading: read,
    };
  }

  /** What follows from a call in one state: each outcome may come, so each has to be permitted. */
  #following(
    situation: Situation,
    tuples: readonly Tuple[],
    outcomes: readonly Reading[],
  ): Omit<JudgedStep, 'after'> & { readonly read: Reading | null } {
    const judged = outcomes
      .map((read) => ({ ...this.before(situation, tuples, read), read }))
      .filter(({ verdict }) => verdict !== 'excluded');
    const worst = (['broken', 'open', 'kept'] as const)
      .map((verdict) => judged.find((one) => one.verdict === verdict))
      .find((one) => one !== undefined);
    return worst ?? { verdict: 'excluded', broken: NONE, doubtful: NONE, together: false, read: null };
  }

  /** A whole step, with its call. */
  step(lost: LostBefore, tuples: readonly Tuple[], reading: Reading): JudgedStep {
    return this.#summary(this.#beliefs.after(tuples, reading), lost);
  }

  /** A step whose call is still to be made: it keeps the rules if some call, or none, lets it. */
  before(lost: LostBefore, tuples: readonly Tuple[], reading: Reading): JudgedStep {
    const open = withoutCall(this.#knowledge, reading);
    const any = this.#summary(this.#beliefs.after(tuples, open), lost);
    if (any.verdict !== 'open') return any;
    const { ofCall } = this.#knowledge;
    const idle = { valuation: open.valuation, known: open.known.map((word, w) => word | ofCall[w]) };
    const still = this.#summary(this.#beliefs.after(tuples, idle), lost);
    if (still.verdict === 'kept') return still;
    const isStateKnown = this.#beliefs.reads.every((bits, w) => (bits & ~ofCall[w] & ~open.known[w]) === 0);
    return isStateKnown && tuples.length === 1 ? { ...any, verdict: 'kept', doubtful: [] } : any;
  }

  #summary(after: readonly Tuple[], lost: LostBefore): JudgedStep {
    const common = { broken: NONE, doubtful: NONE, together: false };
    if (after.length === 0) return { ...common, verdict: 'excluded', after };
    if (after.length === 1 && this.#beliefs.isSound(after[0], lost))
      return { ...common, verdict: 'kept', after };
    const sound = after.filter((tuple) => this.#beliefs.isSound(tuple, lost));
    if (sound.length === after.length) return { ...common, verdict: 'kept', after };
    const found = after.map((tuple) => this.#beliefs.broken(tuple, lost));
    const each = found.map(({ rules }) => rules);
    const all = [...new Set(each.flat())];
    const broken = all.filter((name) => each.every((names) => names.includes(name)));
    if (sound.length > 0) return { ...common, verdict: 'open', doubtful: all, after: sound };
    return {
      verdict: 'broken',
      // Where each possibility breaks another rule, all of them are named.
      broken: broken.length > 0 ? broken : all,
      doubtful: broken.length > 0 ? all.filter((name) => !broken.includes(name)) : [],
      together: found.every(({ together }) => together),
      after,
    };
  }
}
