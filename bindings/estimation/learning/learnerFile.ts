import { Generations, type Storage } from '../../base/storage/index.js';
import { Learner } from './learner.js';

/** A learner that was kept. */
export interface RestoredLearner {
  readonly learner: Learner;
  /** What was found damaged, and which generation is used instead; empty where all is well. */
  readonly notes: readonly string[];
}

/**
 * Keeps a learner in a storage, in two files by turns (`<path>.0` and `<path>.1`), so that after a crash at any moment the last
 * whole one is there.
 */
export class LearnerFile {
  readonly #generations: Generations;

  /** @param storage `nodeStorage` of `foreguard/node`, or one of your own. */
  constructor(storage: Storage, path: string) {
    this.#generations = new Generations(storage, path);
  }

  /** @throws whatever the storage throws; the learner that was saved before is still there then */
  save(learner: Learner): Promise<void> {
    return this.#generations.write(learner.save());
  }

  /**
   * @returns the learner that was saved last, as far as it is whole; null where none ever was
   * @throws InvalidDataError if one was saved, but nothing of it is whole
   */
  async restore(): Promise<RestoredLearner | null> {
    const kept = await this.#generations.read();
    return kept && { learner: Learner.restore(kept.content), notes: kept.notes };
  }
}
