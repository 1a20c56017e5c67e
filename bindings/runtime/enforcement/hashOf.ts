import { InvalidArgumentError } from '../../base/errors.js';
import type { GuardFile } from '../guard/index.js';
import { hashInputs } from './inputs.js';

const hashes = new WeakMap<GuardFile, string>();

/** SHA-256 of a guard file's canonical JSON, cached: large files take long, and many sessions share a file. */
export function hashOf(file: GuardFile): string {
  const known = hashes.get(file);
  if (known !== undefined) return known;
  const hash = hashInputs(file, { maxLength: Number.POSITIVE_INFINITY });
  if (hash === null) throw new InvalidArgumentError('the guard file is not JSON');
  hashes.set(file, hash);
  return hash;
}
