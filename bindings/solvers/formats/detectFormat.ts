import { InvalidArgumentError } from '../../base/errors.js';
import { isGzip, isXz } from './compression.js';
import { isTar } from './umb/tar.js';

/** `tra`: PRISM's explicit files, named after the transition file; `pexp`: all of them combined. */
export type ModelFormat = 'umb' | 'tra' | 'pexp' | 'prism' | 'dot';

const EXTENSIONS: Readonly<Record<string, ModelFormat>> = {
  umb: 'umb',
  tra: 'tra',
  pexp: 'pexp',
  prism: 'prism',
  pm: 'prism',
  nm: 'prism',
  sm: 'prism',
  dot: 'dot',
  gv: 'dot',
};

/** The beginnings of files without a known extension. */
const BEGINNINGS: readonly (readonly [RegExp, ModelFormat])[] = [
  [/^\s*# Transitions[^\n]*\n[\s\S]*\n# (?:States|Labels|Reward)/, 'pexp'],
  [/^\s*(?:#[^\n]*\n\s*)?\d+ \d+(?: \d+)?\s*\n\s*\d+ \d+ /, 'tra'],
  [/^\s*(?:strict\s+)?(?:di)?graph\b/, 'dot'],
  [
    /^(?:\s|\/\/[^\n]*\n)*(?:dtmc|mdp|ctmc|probabilistic|nondeterministic|stochastic|const|formula|label|global|module)\b/,
    'prism',
  ],
];

/** The number of characters examined, because formats differ near the beginning or in the extension. */
const LOOKED_AT = 1 << 16;

/**
 * Detects the format of a model file: by its first bytes if it is a tar archive (UMB), else by the extension of its name, else
 * by the beginning of its text. For compressed bytes the name without `.gz` or `.xz` decides; without a known extension they
 * are UMB.
 *
 * @throws InvalidArgumentError naming the extensions of readable formats
 */
export function detectFormat(bytes: Uint8Array, name: string): ModelFormat {
  if (isTar(bytes)) return 'umb';
  const extension = /\.([^./\\]+)(?:\.[gx]z)?$/i.exec(name)?.[1].toLowerCase() ?? '';
  if (Object.hasOwn(EXTENSIONS, extension)) return EXTENSIONS[extension];
  if (isGzip(bytes) || isXz(bytes)) return 'umb';
  const text = new TextDecoder().decode(bytes.subarray(0, LOOKED_AT));
  const begun = BEGINNINGS.find(([pattern]) => pattern.test(text));
  if (begun) return begun[1];
  const known = Object.keys(EXTENSIONS).filter((known) => EXTENSIONS[known] !== 'dot');
  throw new InvalidArgumentError(
    `${name}: its format is not known; expected ${known.map((extension) => `.${extension}`).join(', ')}, or the text of such a file`,
  );
}
