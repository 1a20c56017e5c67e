import { mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidArgumentError } from '../../base/errors.js';
import {
  type InspectionFolder,
  InspectionStore,
  type InspectionStoreOptions,
} from '../../runtime/enforcement/index.js';
import { type InspectionKeySource, readInspectionKey } from './inspectionKey.js';
import { nodeStorage } from './nodeStorage.js';
import { isWithin, placesOf } from './places.js';

/** Options of `openInspections`: the source of the key, and the options of `InspectionStore`. */
export type OpenInspectionsOptions = InspectionKeySource & Omit<InspectionStoreOptions, 'key'>;

/**
 * Opens a folder of inspections, which is created for its owner alone if it is missing. `foreguard inspections list FOLDER` lists them and
 * their answers.
 *
 * @param options `keyFile`: a file with the key shared by the asking and the answering side; default: the variable
 * `FOREGUARD_INSPECTIONS_KEY`
 * @throws InvalidArgumentError (rejects) if the folder cannot be created, or the key is missing, is too short, or lies in that folder
 */
export async function openInspections(
  folder: string,
  { key: given, keyFile, ...options }: OpenInspectionsOptions = {},
): Promise<InspectionStore> {
  const key = await readInspectionKey(
    { ...(given !== undefined && { key: given }), ...(keyFile !== undefined && { keyFile }) },
    options.onNote,
  );
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new InvalidArgumentError(`cannot keep inspections in ${folder}: ${(cause as Error).message}`, {
      cause,
    });
  }
  const here = await realpath(folder);
  if (keyFile !== undefined && placesOf(keyFile).passed.some((place) => isWithin(place, here)))
    throw new InvalidArgumentError(
      `the key ${keyFile} is in the folder of the inspections that it seals; keep it where nothing else is read`,
    );
  const files: InspectionFolder = {
    read: (path) => nodeStorage.read(join(folder, path)),
    write: (path, content) => nodeStorage.write(join(folder, path), content),
    list: () => readdir(folder),
    remove: (path) => rm(join(folder, path), { force: true }),
  };
  return new InspectionStore(files, { ...options, key });
}
