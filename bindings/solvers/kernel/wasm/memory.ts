import type { Bounds } from '../../../base/bounds.js';
import { KernelError } from '../../../base/errors.js';
import { BitSet } from '../bitSet.js';
import type { KernelExports, Pointer } from './exports.js';

/**
 * The kernel's memory. Growing it detaches every view of it, views are therefore made only here, compared with the current
 * buffer at each use, and never handed out: all data are copied in and out.
 */
export class KernelMemory {
  readonly #exports: KernelExports;
  #words: Uint32Array;
  #doubles: Float64Array;

  constructor(exports: KernelExports) {
    this.#exports = exports;
    this.#words = new Uint32Array(exports.memory.buffer);
    this.#doubles = new Float64Array(exports.memory.buffer);
  }

  get bytes(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  /** @throws KernelError if `bytes` bytes cannot be had. */
  allocate(bytes: number, purpose: string): Pointer {
    const block = this.#exports.allocate(bytes);
    if (block === 0) {
      throw new KernelError(
        `out of memory: ${purpose} needs ${bytes} bytes, and the kernel, holding ${this.bytes}, cannot grow by them (a WebAssembly memory ends at 4 GiB); free chains that are no longer used, or make the model smaller`,
      );
    }
    return block;
  }

  release(block: Pointer): void {
    this.#exports.release(block);
  }

  writeWords(place: Pointer, values: Uint32Array): void {
    this.#currentWords().set(values, place >>> 2);
  }

  writeDoubles(place: Pointer, values: Float64Array): void {
    this.#currentDoubles().set(values, place >>> 3);
  }

  /** Copies to `into`, which may belong to another memory. */
  readBytes(place: Pointer, into: Uint8Array): void {
    into.set(new Uint8Array(this.#exports.memory.buffer, place >>> 0, into.length));
  }

  readWords(place: Pointer, count: number): Uint32Array {
    return this.#currentWords().slice(place >>> 2, (place >>> 2) + count);
  }

  readDoubles(place: Pointer, count: number): Float64Array {
    return this.#currentDoubles().slice(place >>> 3, (place >>> 3) + count);
  }

  readSet(place: Pointer, size: number): BitSet {
    return new BitSet(size, this.readWords(place, (size + 31) >>> 5));
  }

  /** Interleaved bounds of `states` states. */
  readBounds(place: Pointer, states: number): Bounds {
    const doubles = this.#currentDoubles();
    const lower = new Float64Array(states);
    const upper = new Float64Array(states);
    for (let s = 0, i = place >>> 3; s < states; s++, i += 2) {
      lower[s] = doubles[i];
      upper[s] = doubles[i + 1];
    }
    return { lower, upper };
  }

  /** Bounds, interleaved. */
  writeBounds(place: Pointer, { lower, upper }: Bounds): void {
    const doubles = this.#currentDoubles();
    for (let s = 0, i = place >>> 3; s < lower.length; s++, i += 2) {
      doubles[i] = lower[s];
      doubles[i + 1] = upper[s];
    }
  }

  #currentWords(): Uint32Array {
    if (this.#words.buffer !== this.#exports.memory.buffer)
      this.#words = new Uint32Array(this.#exports.memory.buffer);
    return this.#words;
  }

  #currentDoubles(): Float64Array {
    if (this.#doubles.buffer !== this.#exports.memory.buffer)
      this.#doubles = new Float64Array(this.#exports.memory.buffer);
    return this.#doubles;
  }
}
