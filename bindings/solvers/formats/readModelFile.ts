import { InvalidArgumentError } from '../../base/errors.js';
import type { Model } from '../model/index.js';
import { unpack } from './compression.js';
import { detectFormat } from './detectFormat.js';
import { readCombined } from './explicit/combined.js';
import { type ExplicitFiles, readExplicit } from './explicit/readExplicit.js';
import { type PrismModel, parseModel } from './prism/index.js';
import { readUmb } from './umb/readUmb.js';

/** The content of a model file: a model, or one in PRISM's language whose states are still to be explored. */
export type ModelFile =
  | { readonly kind: 'model'; readonly model: Model }
  | { readonly kind: 'source'; readonly source: PrismModel };

/** The source of a model file. */
export interface ReadModelFileOptions {
  /** Path or name of the file, for messages and for the names of its companion files. */
  readonly source: string;
  /** Opens a companion file; undefined if there is none. Default: no companions. */
  readonly open?: (path: string) => Promise<Uint8Array | undefined>;
}

/**
 * Reads a model file in any of the formats, plain or compressed with gzip: UMB, PRISM's language, PRISM's combined file
 * (`.pexp`), or its explicit files, of which `.lab`, `.sta`, `.srew` and `.trew` are looked up beside the `.tra` (numbered from
 * 1 if there are several reward structures; each may end in `.gz`).
 *
 * @throws InvalidArgumentError if the format is unknown or write-only; otherwise as the format's own reader
 */
export async function readModelFile(bytes: Uint8Array, options: ReadModelFileOptions): Promise<ModelFile> {
  const { source } = options;
  const plain = await unpack(bytes, source);
  const format = detectFormat(plain, source);
  const text = (): string => new TextDecoder().decode(plain);
  switch (format) {
    case 'umb':
      return { kind: 'model', model: await readUmb(plain, { source }) };
    case 'tra':
      return { kind: 'model', model: readExplicit(await explicitFiles(text(), options)) };
    case 'pexp':
      return { kind: 'model', model: readCombined(text(), { source }) };
    case 'prism':
      return { kind: 'source', source: parseModel(text(), { name: source }) };
    case 'dot':
      throw new InvalidArgumentError(
        `${source}: Graphviz files are written, not read; give the model itself`,
      );
  }
}

async function explicitFiles(
  tra: string,
  { source, open = async () => undefined }: ReadModelFileOptions,
): Promise<ExplicitFiles> {
  const base = source.replace(/\.gz$/, '').replace(/\.tra$/, '');
  const beside = async (suffix: string): Promise<string | undefined> => {
    for (const path of [`${base}${suffix}`, `${base}${suffix}.gz`]) {
      const found = await open(path);
      if (found) return new TextDecoder().decode(await unpack(found, path));
    }
    return undefined;
  };
  const structures = async (extension: string): Promise<string[]> => {
    const only = await beside(extension);
    if (only !== undefined) return [only];
    const found: string[] = [];
    for (let text = await beside(`1${extension}`); text !== undefined; ) {
      found.push(text);
      text = await beside(`${found.length + 1}${extension}`);
    }
    return found;
  };
  const [lab, sta] = [await beside('.lab'), await beside('.sta')];
  return {
    source,
    tra,
    ...(lab !== undefined && { lab }),
    ...(sta !== undefined && { sta }),
    srew: await structures('.srew'),
    trew: await structures('.trew'),
  };
}
