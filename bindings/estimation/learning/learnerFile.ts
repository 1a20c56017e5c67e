import { Generations, type Storage } from '../../base/storage/index.js';
import { Learner } from './learner.js';

/** A learner restored from a storage. */
export interface RestoredLearner {
  readonly learner: Learner;
  /** Descriptions of damaged files, and which generation is used instead; empty if all files are intact. */
  readonly notes: readonly string[];
}

/**
 * Keeps a learner in a storage, in two files used alternately (`<path>.0` and `<path>.1`), so that after a crash at any moment the last
 * complete save is available.
 */
export class LearnerFile {
  readonly #generations: Generations;

  /** @param storage `nodeStorage` of `foreguard/node`, or your own. */
  constructor(storage: Storage, path: string) {
    this.#generations = new Generations(storage, path);
  }

  /** @throws whatever the storage throws; the previously saved learner is then still available */
  save(learner: Learner): Promise<void> {
    return this.#generations.write(learner.save());
  }

  /**
   * @returns the last learner saved intact; null if none was ever saved
   * @throws InvalidDataError if one was saved, but no file is intact
   */
  async restore(): Promise<RestoredLearner | null> {
    const kept = await this.#generations.read();
    return kept && { learner: Learner.restore(kept.content), notes: kept.notes };
  }
}
