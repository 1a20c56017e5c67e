import { InvalidModelError } from '../../../base/errors.js';
import { fractionToDouble } from '../../../base/fraction.js';
import { BitSet } from '../../kernel/index.js';
import { unpack } from '../compression.js';
import { type IndexFile, parseIndex, type UmbType } from './indexFile.js';
import { isTar, readTar } from './tar.js';

/** Sets and row starts are held in 32 bits. */
const MAX_INDEX = 0xffffffff;

/**
 * Opens a UMB file of any kind of model: plain or compressed with gzip.
 *
 * @throws InvalidModelError if it is damaged or not a UMB file; NotSupportedError if it is compressed with xz
 */
export async function openUmb(bytes: Uint8Array, source: string): Promise<UmbArchive> {
  const plain = await unpack(bytes, source);
  if (!isTar(plain)) {
    throw new InvalidModelError(
      `${source}: neither a tar archive nor one compressed with gzip; expected a UMB file`,
    );
  }
  return new UmbArchive(source, new Map(readTar(plain, source)));
}

/** The files of a UMB archive, decoded on request. Every method checks a file's size before anything is allocated. */
export class UmbArchive {
  readonly index: IndexFile;

  constructor(
    readonly source: string,
    readonly files: ReadonlyMap<string, Uint8Array>,
  ) {
    const index = files.get('index.json');
    if (!index) {
      const found = [...files.keys()].slice(0, 5).join(', ');
      throw new InvalidModelError(
        `${source}: has no index.json, which every UMB file needs (found: ${found || 'no files'})`,
      );
    }
    this.index = parseIndex(index, source);
  }

  has(name: string): boolean {
    return this.files.has(name);
  }

  /** The content of a file; with `expected`, it must have exactly that many bytes. */
  bytes(name: string, expected?: number): Uint8Array {
    const content = this.files.get(name);
    if (!content) throw this.error(name, 'is absent, but index.json asks for it');
    if (expected !== undefined && content.length !== expected) {
      throw this.error(name, `has ${content.length} bytes; by index.json it has ${expected}`);
    }
    return content;
  }

  /** A set over `size` entities, empty if the file is absent. */
  bits(name: string, size: number): BitSet {
    if (size > MAX_INDEX)
      throw this.error(name, `is about ${size} entities; at most ${MAX_INDEX} are supported`);
    if (!this.has(name)) return new BitSet(size);
    const view = viewOf(this.bytes(name, Math.ceil(size / 64) * 8));
    const set = new BitSet(size);
    for (let word = 0; word < set.words.length; word++) set.words[word] = view.getUint32(4 * word, true);
    const padding = size & 31;
    if (padding) set.words[set.words.length - 1] &= (1 << padding) - 1;
    return set;
  }

  /**
   * Interval starts of `size` entities over `targets` of them, Uint32Array(size + 1). If the file is absent, entity i has the
   * interval from i to i.
   */
  csr(name: string, size: number, targets: number): Uint32Array {
    if (!this.has(name)) {
      if (size === targets) return Uint32Array.from({ length: size + 1 }, (_, i) => i);
      throw this.error(name, `is absent, which means one for each of ${size}, but there are ${targets}`);
    }
    const starts = this.indices(name, size + 1, targets + 1);
    if (starts[0] !== 0 || starts[size] !== targets) {
      throw this.error(name, `runs from ${starts[0]} to ${starts[size]}; expected 0 to ${targets}`);
    }
    for (let i = 0; i < size; i++) {
      if (starts[i + 1] >= starts[i]) continue;
      throw this.error(name, `descends from ${starts[i]} to ${starts[i + 1]} at entry ${i + 1}`);
    }
    return starts;
  }

  /** 64-bit indices below `limit`, narrowed. */
  indices(name: string, count: number, limit: number): Uint32Array {
    const view = viewOf(this.bytes(name, 8 * count));
    const result = new Uint32Array(count);
    for (let i = 0; i < count; i++) {
      // Comparing doubles is safe: beyond 2^53 they are inexact, but still above any limit.
      const value = view.getUint32(8 * i + 4, true) * 2 ** 32 + view.getUint32(8 * i, true);
      if (value >= limit || value > MAX_INDEX) {
        throw this.error(
          name,
          `entry ${i} is ${value}; expected an index below ${Math.min(limit, MAX_INDEX + 1)}`,
        );
      }
      result[i] = value;
    }
    return result;
  }

  /** `count` numbers of a type that annotations may have, as doubles, all 0 if the file is absent. */
  numbers(name: string, count: number, { type, size }: UmbType): Float64Array {
    const fits =
      type === 'rational' ? size % 128 === 0 : ['double', 'int', 'uint'].includes(type) && size === 64;
    if (!fits)
      throw this.error(name, `holds values of type ${type} with ${size} bits, which are not supported here`);
    if (!this.has(name)) return new Float64Array(count);
    const content = this.bytes(name, (count * size) / 8);
    const result = new Float64Array(count);
    const view = viewOf(content);
    for (let i = 0; i < count; i++) {
      result[i] =
        type === 'double'
          ? view.getFloat64(8 * i, true)
          : type === 'rational'
            ? this.#rational(name, content, i, size / 16)
            : this.#integer(
                name,
                type === 'int' ? view.getBigInt64(8 * i, true) : view.getBigUint64(8 * i, true),
                i,
              );
    }
    return result;
  }

  /** 32-bit indices below `limit`. */
  uint32s(name: string, count: number, limit: number): Uint32Array {
    const view = viewOf(this.bytes(name, 4 * count));
    const result = new Uint32Array(count);
    for (let i = 0; i < count; i++) {
      result[i] = view.getUint32(4 * i, true);
      if (result[i] >= limit)
        throw this.error(name, `entry ${i} is ${result[i]}; expected an index below ${limit}`);
    }
    return result;
  }

  /** `count` probabilities; for an interval type, separate arrays of bounds. */
  bounds(
    name: string,
    count: number,
    { type, size }: UmbType,
  ): { readonly values: Float64Array; readonly upper?: Float64Array } {
    if (!type.endsWith('-interval')) return { values: this.numbers(name, count, { type, size }) };
    const ofBound = type.replace('-interval', '') as UmbType['type'];
    const both = this.numbers(name, 2 * count, { type: ofBound, size: size / 2 });
    const bound = (offset: number) => Float64Array.from({ length: count }, (_, i) => both[2 * i + offset]);
    return { values: bound(0), upper: bound(1) };
  }

  /** The strings that `string-mapping.bin` in a folder cuts out of its `strings.bin`. */
  strings(folder: string, count: number): string[] {
    const content = this.bytes(`${folder}/strings.bin`);
    const starts = this.csr(`${folder}/string-mapping.bin`, count, content.length);
    const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return Array.from({ length: count }, (_, i) => {
      try {
        return utf8.decode(content.subarray(starts[i], starts[i + 1]));
      } catch (cause) {
        throw this.error(`${folder}/strings.bin`, `string ${i} is no UTF-8`, cause);
      }
    });
  }

  error(name: string, problem: string, cause?: unknown): InvalidModelError {
    return new InvalidModelError(`${this.source}/${name} ${problem}`, cause === undefined ? {} : { cause });
  }

  #integer(name: string, value: bigint, i: number): number {
    if (Number.isSafeInteger(Number(value))) return Number(value);
    throw this.error(name, `entry ${i} is ${value}; integers beyond 2^53 are not supported`);
  }

  /** Numerator, signed, then denominator, each of `half` bytes. */
  #rational(name: string, content: Uint8Array, i: number, half: number): number {
    const at = 2 * half * i;
    const numerator = BigInt.asIntN(8 * half, littleEndian(content.subarray(at, at + half)));
    const denominator = littleEndian(content.subarray(at + half, at + 2 * half));
    if (denominator === 0n) throw this.error(name, `entry ${i} is ${numerator}/0`);
    return fractionToDouble(numerator, denominator);
  }
}

/** The unsigned number that bytes stand for, lowest first. */
export function littleEndian(bytes: Uint8Array): bigint {
  let digits = '';
  for (const byte of bytes) digits = byte.toString(16).padStart(2, '0') + digits;
  return BigInt(`0x${digits || '0'}`);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
