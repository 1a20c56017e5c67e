import { InvalidArgumentError } from '../../../base/errors.js';
import type { RunStore } from '../../../runtime/enforcement/index.js';
import { openRunFolder } from '../../node/index.js';
import { isDatabase, openDatabase } from '../database.js';
import type { RunBound } from './runs.js';
import { RUNS } from './runsVariable.js';

/** Where proxies find each other's runs. */
export interface RunPlace {
  readonly store: RunStore;
  close(): Promise<void>;
}

/**
 * Opens the place where runs are kept that several proxies share; null if runs are this proxy's own.
 * @param options `record`: the file of `--record`
 * @throws InvalidArgumentError if runs have no names that all proxies know, or the place cannot be opened
 */
export async function openRuns(
  { runs: place = process.env[RUNS], record }: { readonly runs?: string; readonly record?: string },
  bound: RunBound,
  onNote: (text: string) => void,
): Promise<RunPlace | null> {
  if (place === undefined || place === '') return null;
  if (bound.kind !== 'header')
    throw new InvalidArgumentError(
      '--runs keeps runs where several proxies find them by the value of a header: give --listen and --run header:NAME as well',
    );
  if (record !== undefined)
    throw new InvalidArgumentError(
      '--record is for runs of one proxy: another may go on with a run of --runs; record by the audit log of each (--log)',
    );
  if (!isDatabase(place)) return { store: await openRunFolder(place), close: async () => undefined };
  const { runs, close } = await openDatabase(place, onNote);
  return { store: runs, close };
}
