import type { Json } from '../workflow/index.js';

/** What is kept of one run of a plan: first which run of which plan it is, then what came of its steps. */
export type ResultEntry = BeginEntry | StepEntry;

/** SHA-256 of the plan, of its contracts and of its inputs: results of another plan are none of this one. */
export interface BeginEntry {
  readonly kind: 'begin';
  readonly plan: string;
}

/** What came of a step. `rounds` as in `Wanted`. */
export type StepEntry = { readonly step: string; readonly rounds: readonly number[] } & (
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
