import type { Dtmc, Model } from '../../solvers/model/index.js';
import { buildModel, type Counts, type ModelOf } from './buildModel.js';
import type { LearningParameters } from './parameters.js';
import type { LearningReport } from './report.js';
import type { SavedTally } from './tally.js';
import { START_OR_END } from './transitionTable.js';

/** A chain learnt from traces, and the report of the learning. */
export interface LearntChain {
  readonly model: Dtmc;
  readonly report: LearningReport;
}

/**
 * Adds to the model the traces that readers skipped before learning could see them, as reported by `onSkipped`: such traces are missing
 * like those that learning skips.
 */
export function withUnreadable<Learnt extends { readonly model: Model }>(
  learnt: Learnt,
  unreadable: number,
): Learnt {
  return unreadable === 0
    ? learnt
    : retold(learnt, ({ leftOut }) =>
        leftOut ? { leftOut: { ...leftOut, unreadable: leftOut.unreadable + unreadable } } : {},
      );
}

/**
 * Adds to the model the gaps of the recordings: the predicates left out because no recording has a field that they read, and the number of
 * traces skipped because they lack fields that others have.
 */
export function withNotRecorded<Learnt extends { readonly model: Model }>(
  learnt: Learnt,
  notRecorded: NonNullable<LearningParameters['notRecorded']>,
  traces: number,
): Learnt {
  const isTold = Object.keys(notRecorded).length > 0;
  if (traces === 0 && !isTold) return learnt;
  return retold(learnt, ({ leftOut }) => ({
    ...(leftOut && { leftOut: { ...leftOut, skipped: leftOut.skipped + traces } }),
    ...(isTold && { notRecorded }),
  }));
}

/** The model with changed learning parameters. */
function retold<Learnt extends { readonly model: Model }>(
  learnt: Learnt,
  change: (told: LearningParameters) => Partial<LearningParameters>,
): Learnt {
  const { model } = learnt;
  const { foreguard, ...others } = model.parameters as { foreguard: LearningParameters };
  const parameters = { ...others, foreguard: { ...foreguard, ...change(foreguard) } };
  return { ...learnt, model: { ...model, parameters } };
}

/** The report without the figures that need a model. */
export type Reading = Omit<LearningReport, 'states' | 'transitions'>;

/** All counts of a learner without forgetting. */
export interface SavedCounts {
  readonly tally: SavedTally;
  readonly reading: Reading;
}

/**
 * Builds the model of counts, with its report.
 *
 * @param reading its skipped traces are recorded in the model, unless `counts` already says what was left out.
 * @throws as `buildModel`
 */
export function learntModel<From extends Counts>(
  counts: From,
  reading: Reading,
): { readonly model: ModelOf<From>; readonly report: LearningReport } {
  const leftOut = { dropped: reading.dropped, skipped: reading.skipped.count, unreadable: 0 };
  const { model, possible } = buildModel<From>({ leftOut, resampled: reading.resampled, ...counts });
  const { tally, memory } = counts;
  const { transitions } = tally;
  let seen = 0;
  for (let entry = 0; entry < transitions.size; entry++) {
    if (transitions.from[entry] !== START_OR_END && memory?.count(entry) !== 0) seen++;
  }
  return {
    model,
    report: {
      ...reading,
      states: { seen: tally.table.size, model: model.states - 2 },
      transitions: { seen, possible },
    },
  };
}
