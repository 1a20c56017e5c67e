import { InvalidArgumentError } from '../../base/errors.js';
import { Abstraction } from '../../observations/abstraction/index.js';
import { addSampled } from '../../observations/trace/index.js';
import { MAX_REPORTED } from './contradictions.js';
import { learningDifference } from './difference.js';
import { Learner, type LearnersCounts } from './learner.js';
import { type LearntChain, learntModel, type Reading, type SavedCounts } from './learntChain.js';
import { Tally } from './tally.js';

/**
 * The merged result of several learners, as if one learner had been given all traces, in the order of the learners' ids (compared by
 * character code). The parts are kept apart by learner, so later merges give the same result in whatever order learners are merged.
 */
export class MergedLearners {
  /** @internal In the order of ids, each id once. */
  readonly parts: readonly LearnersCounts[];

  /** @internal Use `mergeLearners`. */
  constructor(parts: readonly LearnersCounts[]) {
    this.parts = parts;
  }

  /** The learners' ids, in the order in which their draws are concatenated. */
  get ids(): string[] {
    return this.parts.map(({ id }) => id);
  }

  /**
   * The chain of `learn` on the traces of all learners, one learner after the other, including first draws, draws since the last new
   * successor and ranks.
   *
   * @throws InvalidDataError if no learner has counted a trace; InvalidArgumentError as `learn`
   */
  chain(): LearntChain {
    const [{ definition, settings }] = this.parts;
    const tally = new Tally(new Abstraction(definition));
    for (const { counts } of this.parts) tally.append(counts.tally);
    const reading = this.parts.map(({ counts }) => counts.reading).reduce(together);
    const { traces, steps } = reading;
    if (traces === 0) return new Learner(tally.abstraction, settings).chain();
    const hashes = new Set(this.parts.map((part) => part.settings.specificationHash));
    const specificationHash = hashes.size === 1 ? settings.specificationHash : null;
    return learntModel({ tally, settings: { ...settings, specificationHash }, traces, steps }, reading);
  }
}

/**
 * Merges what learners learnt on separate machines, without their traces. If a learner (by id) appears in two states, the later state
 * counts, so learners may be merged repeatedly. The order of the arguments and of the merges makes no difference.
 *
 * @throws InvalidArgumentError if abstraction or learning options differ, naming the difference; if two learners with one id have learnt
 * different things; if a learner forgets, because the order of the combined draws is unknown; or if there are no learners
 */
export function mergeLearners(members: Iterable<Learner | MergedLearners>): MergedLearners {
  const parts = new Map<string, LearnersCounts>();
  let first: LearnersCounts | undefined;
  for (const member of members) {
    if (member instanceof Learner && member.forgetting !== null) {
      throw new InvalidArgumentError(
        `learner "${member.id}" forgets: draws of several learners are put one after the other, so that which of them are recent cannot be told; merge learners that do not forget`,
      );
    }
    for (const part of member instanceof Learner ? [member.counts] : member.parts) {
      first ??= part;
      requireSame(first, part);
      const known = parts.get(part.id);
      parts.set(part.id, known === undefined ? part : later(known, part));
    }
  }
  if (parts.size === 0) throw new InvalidArgumentError('there are no learners to merge');
  const sorted = [...parts.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  return new MergedLearners(sorted);
}

function requireSame(one: LearnersCounts, other: LearnersCounts): void {
  const basis = ({ definition, settings }: LearnersCounts) => ({
    predicates: definition.predicates,
    constraints: definition.constraints ?? {},
    learning: settings,
  });
  const period = ({ settings }: LearnersCounts): string => JSON.stringify(settings.period);
  const difference =
    learningDifference(basis(one), basis(other)) ??
    (one.settings.onContradiction !== other.settings.onContradiction
      ? (['learning.onContradiction', one.settings.onContradiction, other.settings.onContradiction] as const)
      : period(one) !== period(other)
        ? (['the sampling period', period(one), period(other)] as const)
        : null);
  if (difference === null) return;
  const [what, here, there] = difference;
  throw new InvalidArgumentError(
    `learners "${one.id}" and "${other.id}" do not learn the same: ${what} is ${here} in the one, ${there} in the other`,
  );
}

function later(one: LearnersCounts, other: LearnersCounts): LearnersCounts {
  if (goesOn(one.counts, other.counts)) return other;
  if (goesOn(other.counts, one.counts)) return one;
  throw new InvalidArgumentError(
    `two learners have the id "${one.id}" and learnt different things: give each learner an id of its own`,
  );
}

/** Whether the second can be the first after more draws: everything found is there, in the same order and as early. */
function goesOn(
  { tally: a, reading: before }: SavedCounts,
  { tally: b, reading: after }: SavedCounts,
): boolean {
  const begins = (short: readonly number[], long: readonly number[]): boolean =>
    short.every((value, i) => value === long[i]);
  const grows = (less: readonly number[], more: readonly number[]): boolean =>
    less.every((value, i) => value <= more[i]);
  return (
    begins(a.valuations, b.valuations) &&
    begins(a.from, b.from) &&
    begins(a.to, b.to) &&
    begins(a.firstDraws, b.firstDraws) &&
    grows(a.counts, b.counts) &&
    grows(a.draws, b.draws) &&
    before.traces <= after.traces &&
    before.steps <= after.steps
  );
}

function together(a: Reading, b: Reading): Reading {
  const [c, d] = [a.contradictions, b.contradictions];
  return {
    traces: a.traces + b.traces,
    steps: a.steps + b.steps,
    censored: a.censored + b.censored,
    empty: a.empty + b.empty,
    resampled: addSampled(a.resampled, b.resampled),
    skipped: {
      count: a.skipped.count + b.skipped.count,
      first: [...a.skipped.first, ...b.skipped.first].slice(0, MAX_REPORTED),
    },
    dropped: a.dropped + b.dropped,
    contradictions: {
      state: c.state + d.state,
      transition: c.transition + d.transition,
      end: c.end + d.end,
      first: [...c.first, ...d.first].slice(0, MAX_REPORTED),
    },
  };
}
