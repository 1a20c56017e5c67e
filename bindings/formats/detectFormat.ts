import { InvalidArgumentError } from '../errors.js';
import { isGzip, isXz } from './compression.js';
import { isTar } from './umb/tar.js';

/** `tra`: PRISM's explicit files, named after the one that holds transitions. */
export type ModelFormat = 'umb' | 'tra' | 'prism' | 'dot';

const EXTENSIONS: Readonly<Record<string, ModelFormat>> = {
  umb: 'umb',
  tra: 'tra',
  prism: 'prism',
  pm: 'prism',
  nm: 'prism',
  sm: 'prism',
  dot: 'dot',
  gv: 'dot',
};

/**
 * The format of a model file: by its first bytes (tar, gzip and xz are UMB), else by the extension of its name.
 *
 * @throws InvalidArgumentError naming the extensions that are known
 */
export function detectFormat(bytes: Uint8Array, name: string): ModelFormat {
  if (isTar(bytes) || isGzip(bytes) || isXz(bytes)) return 'umb';
  const extension = /\.([^./\\]+)$/.exec(name)?.[1].toLowerCase() ?? '';
  if (Object.hasOwn(EXTENSIONS, extension)) return EXTENSIONS[extension];
  const known = Object.keys(EXTENSIONS).map((known) => `.${known}`);
  throw new InvalidArgumentError(`${name}: its format is not known; expected one of ${known.join(', ')}`);
}
