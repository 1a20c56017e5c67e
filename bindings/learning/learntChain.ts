import type { Dtmc } from '../model/index.js';
import { buildModel, type Counts } from './buildModel.js';
import type { LearningReport } from './report.js';
import type { SavedTally } from './tally.js';
import { OUTSIDE } from './transitionTable.js';

/** A chain learnt from traces, and what was seen on the way. */
export interface LearntChain {
  readonly model: Dtmc;
  readonly report: LearningReport;
}

/** What was read, of which no chain is made. */
export type Reading = Omit<LearningReport, 'states' | 'transitions'>;

/** All that a learner without forgetting has counted. */
export interface SavedCounts {
  readonly tally: SavedTally;
  readonly reading: Reading;
}

/** @throws as `buildModel` */
export function learntChain(counts: Counts, reading: Reading): LearntChain {
  const { model, possible } = buildModel(counts);
  const { tally, memory } = counts;
  const { transitions } = tally;
  let seen = 0;
  for (let entry = 0; entry < transitions.size; entry++) {
    if (transitions.from[entry] !== OUTSIDE && memory?.count(entry) !== 0) seen++;
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
