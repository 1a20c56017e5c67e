import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { InvalidDataError } from '../errors.js';
import type { Storage } from './storage.js';

/** The last intact content. */
export interface Kept {
  readonly content: string;
  /** Number of writes so far, from 1. */
  readonly generation: number;
  /** Reports of damage, and of older content used instead. Empty if nothing was damaged. */
  readonly notes: readonly string[];
}

type Found = { readonly content: string; readonly generation: number } | { readonly damage: string } | null;

const FORMAT = 'foreguard-generation 1';

/**
 * Keeps the last two generations of a text, alternating between `<path>.0` and `<path>.1`, each with its number, length and SHA-256. If a
 * generation was torn by a crash or altered since, this is detected, and the previous generation is used.
 *
 * Supports one writer at a time.
 */
export class Generations {
  readonly #storage: Storage;
  readonly #path: string;
  #latest: number | undefined;

  constructor(storage: Storage, path: string) {
    this.#storage = storage;
    this.#path = path;
  }

  /**
   * @returns the latest intact generation; null if nothing was ever written
   * @throws InvalidDataError if generations exist but none is intact; the storage's own error if it cannot read
   */
  async read(): Promise<Kept | null> {
    const paths = [0, 1].map((slot) => `${this.#path}.${slot}`);
    const found = await Promise.all(paths.map((path) => this.#find(path)));
    const notes = found.flatMap((one, i) =>
      one !== null && 'damage' in one ? [`${paths[i]} ${one.damage}`] : [],
    );
    const [latest] = found
      .flatMap((one) => (one !== null && 'content' in one ? [one] : []))
      .sort((a, b) => b.generation - a.generation);
    this.#latest = latest?.generation ?? 0;
    if (latest === undefined) {
      if (notes.length === 0) return null;
      throw new InvalidDataError(
        `nothing whole is left: ${notes.join('; ')}; restore ${this.#path} from a copy, or remove ${notes.length === 1 ? 'the file' : 'both files'} to begin anew`,
      );
    }
    if (latest.generation > 1 && found.includes(null)) notes.push(`${paths[found.indexOf(null)]} is missing`);
    return {
      ...latest,
      notes: notes.map(
        (note) => `${note}; generation ${latest.generation} is used, from ${paths[latest.generation % 2]}`,
      ),
    };
  }

  /**
   * Writes the next generation, replacing the older of the two.
   * @throws as `read`, before anything is written
   */
  async write(content: string): Promise<void> {
    if (this.#latest === undefined) await this.read();
    const generation = (this.#latest ?? 0) + 1;
    const header = `${FORMAT} ${generation} ${utf8ToBytes(content).length} ${hashOf(generation, content)}\n`;
    await this.#storage.write(`${this.#path}.${generation % 2}`, header + content);
    this.#latest = generation;
  }

  async #find(path: string): Promise<Found> {
    const chunks: Uint8Array[] = [];
    try {
      for await (const chunk of this.#storage.read(path)) chunks.push(chunk);
    } catch (error) {
      if (isMissing(error) || isMissing((error as Error).cause)) return null;
      throw error;
    }
    return inspect(chunks);
  }
}

function inspect(chunks: readonly Uint8Array[]): Found {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  const lineEnd = bytes.indexOf(10);
  const header = new TextDecoder().decode(bytes.subarray(0, Math.max(0, lineEnd)));
  const match = /^foreguard-generation 1 ([1-9]\d{0,15}) (\d{1,16}) ([0-9a-f]{64})$/.exec(header);
  if (match === null) return { damage: 'is torn or altered: it does not begin as a generation does' };
  const [generation, length] = [Number(match[1]), Number(match[2])];
  const found = bytes.length - lineEnd - 1;
  if (found !== length) return { damage: `is torn: it has ${found} of ${length} bytes` };
  const body = bytes.subarray(lineEnd + 1);
  const content = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  if (hashOf(generation, content) !== match[3]) return { damage: 'is altered: its checksum is another' };
  return { content, generation };
}

function hashOf(generation: number, content: string): string {
  return bytesToHex(sha256(utf8ToBytes(`${generation}\n${content}`)));
}

/** Whether the error means that the file does not exist, which is not a fault. */
function isMissing(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === 'ENOENT';
}
