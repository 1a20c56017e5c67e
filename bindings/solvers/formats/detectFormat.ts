import { InvalidArgumentError } from '../../base/errors.js';
import { isGzip, isXz } from './compression.js';
import { isTar } from './umb/tar.js';

/** `tra`: PRISM's explicit files, named after the one that holds transitions; `pexp`: all of them in one. */
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

/** How files without a known extension begin. */
const BEGINNINGS: readonly (readonly [RegExp, ModelFormat])[] = [
  [/^\s*# Transitions[^\n]*\n[\s\S]*\n# (?:States|Labels|Reward)/, 'pexp'],
  [/^\s*(?:#[^\n]*\n\s*)?\d+ \d+(?: \d+)?\s*\n\s*\d+ \d+ /, 'tra'],
  [/^\s*(?:strict\s+)?(?:di)?graph\b/, 'dot'],
  [
    /^(?:\s|\/\/[^\n]*\n)*(?:dtmc|mdp|ctmc|probabilistic|nondeterministic|stochastic|const|formula|label|global|module)\b/,
    'prism',
  ],
];

/** Characters looked at; what tells formats apart stands near the beginning, or the extension tells. */
const LOOKED_AT = 1 << 16;

/**
 * The format of a model file: by its first bytes if it is a tar archive (UMB), else by the extension of its name, else by how its
 * text begins. Of compressed bytes the name decides, without `.gz` or `.xz`; where it says nothing they are UMB.
 *
 * @throws InvalidArgumentError naming the extensions of what can be read
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
