import { littleEndian } from './archive.js';

/** Reads values packed bit by bit, lowest bit of the lowest byte first. */
export class BitReader {
  /** Position of the next bit. */
  at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** An unsigned number of at most 32 bits. */
  uint(size: number): number {
    let value = 0;
    for (let done = 0; done < size; ) {
      const offset = this.at % 8;
      const taken = Math.min(8 - offset, size - done);
      const bits = (this.#bytes[Math.floor(this.at / 8)] >>> offset) & ((1 << taken) - 1);
      value += bits * 2 ** done;
      done += taken;
      this.at += taken;
    }
    return value;
  }

  /** An unsigned number of any size. */
  bigUint(size: number): bigint {
    const bytes = new Uint8Array(Math.ceil(size / 8));
    for (let i = 0; i < bytes.length; i++) bytes[i] = this.uint(Math.min(8, size - 8 * i));
    return littleEndian(bytes);
  }

  double(): number {
    const view = new DataView(new ArrayBuffer(8));
    view.setUint32(0, this.uint(32), true);
    view.setUint32(4, this.uint(32), true);
    return view.getFloat64(0, true);
  }
}

/** Writes values packed bit by bit, lowest bit of the lowest byte first, into bytes that are 0. */
export class BitWriter {
  /** Position of the next bit. */
  at = 0;

  constructor(readonly bytes: Uint8Array) {}

  /** The lowest `size` bits of a number that is a non-negative safe integer. */
  uint(value: number, size: number): void {
    let rest = value;
    for (let done = 0; done < size; ) {
      const offset = this.at % 8;
      const taken = Math.min(8 - offset, size - done);
      const bits = rest % 2 ** taken;
      this.bytes[Math.floor(this.at / 8)] |= bits << offset;
      rest = (rest - bits) / 2 ** taken;
      done += taken;
      this.at += taken;
    }
  }

  /** Two's complement of 64 bits. */
  int64(value: number): void {
    const view = new DataView(new ArrayBuffer(8));
    view.setBigInt64(0, BigInt(value), true);
    this.#words(view);
  }

  double(value: number): void {
    const view = new DataView(new ArrayBuffer(8));
    view.setFloat64(0, value, true);
    this.#words(view);
  }

  #words(view: DataView): void {
    this.uint(view.getUint32(0, true), 32);
    this.uint(view.getUint32(4, true), 32);
  }
}
