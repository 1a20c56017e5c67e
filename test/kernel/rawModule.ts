import type { KernelExports, Pointer } from '../../bindings/solvers/kernel/wasm/exports.js';
import { below, garbageDouble, pick, type Random } from './garbage.js';

/** Also the functions that the bindings do not call: parts of others, exported so that engines compile each by itself. */
export interface ModuleExports extends KernelExports {
  transpose(chain: Pointer): void;
  intervalSweep(until: Pointer, component: number, backward: boolean): number;
  censor(matrix: Pointer, states: number, state: number): number;
  censorSparse(sparse: Pointer, state: number): number;
  sweepForward(runs: Pointer): number;
  sweepBackward(runs: Pointer): number;
  sweepRun(
    bounds: Pointer,
    distance: number,
    row: Pointer,
    values: Pointer,
    columns: Pointer,
    length: number,
    size: number,
    longest: number,
    step: number,
  ): number;
  systemSweep(system: Pointer, component: number, backward: boolean): number;
  guessSweep(system: Pointer, component: number, backward: boolean): number;
  maximiseSweep(quotient: Pointer, first: number, last: number, backward: boolean): number;
  minimiseSweep(quotient: Pointer, first: number, last: number, backward: boolean): number;
  optimise(model: Pointer, row: number, values: Pointer, maximise: boolean, self: number, own: number): void;
  lowerByRow(
    model: Pointer,
    bounds: Pointer,
    row: number,
    state: number,
    natureMax: boolean,
    gain: Pointer,
  ): number;
  upperByRow(
    model: Pointer,
    bounds: Pointer,
    row: number,
    state: number,
    natureMax: boolean,
    gain: Pointer,
  ): number;
  robustSweep(until: Pointer, component: number, backward: boolean): number;
}

/** The module's functions with what direct calls of them need: blocks with random content, sets, bounds, and odd numbers. */
export class RawModule {
  readonly exports: ModuleExports;
  readonly random: Random;
  private readonly blocks: Pointer[] = [];

  constructor(exports: KernelExports, random: Random) {
    this.exports = exports as ModuleExports;
    this.random = random;
  }

  /** A block with what `allocate` left in it, until `releaseAll`. */
  block(bytes: number): Pointer {
    const block = this.exports.allocate(bytes);
    this.blocks.push(block);
    return block;
  }

  private noisyBlock(bytes: number): Pointer {
    const block = this.block(bytes);
    this.noise(block, bytes);
    return block;
  }

  releaseAll(): void {
    for (const block of this.blocks.splice(0)) this.exports.release(block);
  }

  /** Random bytes; half of the time, doubles that code may not expect. */
  noise(place: Pointer, length: number): void {
    if (place % 8 === 0 && length % 8 === 0 && this.random() < 0.5) {
      const doubles = new Float64Array(this.exports.memory.buffer, place >>> 0, length / 8);
      for (let i = 0; i < doubles.length; i++) doubles[i] = garbageDouble(this.random);
    } else {
      const bytes = new Uint8Array(this.exports.memory.buffer, place >>> 0, length);
      for (let i = 0; i < length; i++) bytes[i] = this.random() * 256;
    }
  }

  set(size: number): Pointer {
    return this.noisyBlock(4 * ((size + 31) >>> 5));
  }

  fullSet(size: number): Pointer {
    const set = this.set(size);
    new Uint32Array(this.exports.memory.buffer, set >>> 0, (size + 31) >>> 5).fill(0xffffffff);
    return set;
  }

  words(count: number): Pointer {
    return this.noisyBlock(4 * count);
  }

  /** Random numbers. */
  doubles(count: number): Pointer {
    return this.noisyBlock(8 * count);
  }

  /** Random pairs of numbers in the place of bounds. */
  bounds(count: number): Pointer {
    return this.doubles(2 * count);
  }

  write(place: Pointer, values: Uint32Array | Float64Array): void {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    new Uint8Array(this.exports.memory.buffer, place >>> 0, bytes.length).set(bytes);
  }

  copyIn(values: Uint32Array | Float64Array): Pointer {
    const place = this.block(values.byteLength);
    this.write(place, values);
    return place;
  }

  readWords(place: Pointer, count: number): Uint32Array {
    return new Uint32Array(this.exports.memory.buffer, place >>> 0, count).slice();
  }

  below(limit: number): number {
    return below(this.random, limit);
  }

  coin(): boolean {
    return this.random() < 0.5;
  }

  double(): number {
    return garbageDouble(this.random);
  }

  /** Any 32 bits, often at an edge. */
  word(): number {
    return pick(this.random, [0, 1, 7, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, this.below(2 ** 32)]);
  }
}
