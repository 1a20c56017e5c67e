import { InspectionStore } from '../../runtime/enforcement/index.js';
import { openInspections, readInspectionKey } from '../node/index.js';
import { isDatabase, openDatabase } from './database.js';

/**
 * Opens the place where people are asked.
 * @param place a folder, or the address of a database
 * @param keyFile the key that answers are sealed with; default: that of the environment
 * @throws InvalidArgumentError if the place cannot be opened, or there is no key
 */
export async function questionsAt(
  place: string,
  keyFile: string | undefined,
  onNote: (text: string) => void,
): Promise<InspectionStore> {
  const source = keyFile === undefined ? {} : { keyFile };
  if (!isDatabase(place)) return openInspections(place, { ...source, onNote });
  const key = await readInspectionKey(source, onNote);
  const { inspections } = await openDatabase(place, onNote);
  return new InspectionStore(inspections, { key, onNote });
}
