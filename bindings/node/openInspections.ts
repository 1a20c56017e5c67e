import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type InspectionFolder, InspectionStore, type InspectionStoreOptions } from '../enforcement/index.js';
import { InvalidArgumentError } from '../errors.js';
import { nodeStorage } from './nodeStorage.js';

/**
 * Inspections in a folder of their own, made where it is missing, for its owner alone. `foreguard inspections list FOLDER` shows them, and answers.
 * @throws InvalidArgumentError (rejects) where the folder cannot be made
 */
export async function openInspections(
  folder: string,
  options: InspectionStoreOptions = {},
): Promise<InspectionStore> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new InvalidArgumentError(`cannot keep inspections in ${folder}: ${(cause as Error).message}`, {
      cause,
    });
  }
  const files: InspectionFolder = {
    read: (path) => nodeStorage.read(join(folder, path)),
    write: (path, content) => nodeStorage.write(join(folder, path), content),
    list: () => readdir(folder),
    remove: (path) => rm(join(folder, path), { force: true }),
  };
  return new InspectionStore(files, options);
}
