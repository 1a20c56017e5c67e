import type { Json } from '../workflow/index.js';

/** What came of a step of a plan in one run. `rounds` as in `Wanted`. */
export type ResultEntry = { readonly step: string; readonly rounds: readonly number[] } & (
  | { readonly kind: 'started' }
  | { readonly kind: 'result'; readonly value: Json }
  /** It failed, or a person said so. */
  | { readonly kind: 'failed'; readonly text: string }
);

/**
 * Keeps the results of runs of plans, so that a run goes on after a crash. Results are data of the tools: keep them where these may be. `openResultFolder` of
 * `foreguard/node` keeps them in files.
 */
export interface ResultStore {
  /** All entries of a run, in order; none if it has not begun. */
  read(run: string): Promise<readonly ResultEntry[]>;
  /**
   * Stores an entry at a position of its run, from 0, so that it survives a crash.
   * @returns false if the position is taken: another process has gone on with the run
   */
  add(run: string, position: number, entry: ResultEntry): Promise<boolean>;
}
