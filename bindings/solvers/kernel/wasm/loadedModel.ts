import type { BitSet } from '../bitSet.js';
import type { WasmEngine } from './engine.js';
import type { Pointer } from './exports.js';

/** A model in the kernel's memory, one block. */
export abstract class LoadedModel {
  constructor(
    protected readonly engine: WasmEngine,
    protected readonly model: Pointer,
    protected readonly states: number,
  ) {}

  free(): void {
    this.engine.memory.release(this.model);
  }

  /** Bytes of a set of states. */
  protected get setBytes(): number {
    return 4 * ((this.states + 31) >>> 5);
  }

  /** Runs a search on copies of `sets` and on blocks of the sizes given after them; releases all of them afterwards. */
  protected search<Result>(
    sets: readonly BitSet[],
    sizes: readonly number[],
    run: (...places: Pointer[]) => Result,
  ): Result {
    const { memory } = this.engine;
    const aligned = [...sets.map(({ words }) => 4 * words.length), ...sizes].map(
      (bytes) => 8 * Math.ceil(bytes / 8),
    );
    const total = aligned.reduce((sum, bytes) => sum + bytes, 0);
    const block = memory.allocate(total, `a search in ${this.states} states`);
    try {
      const places: Pointer[] = [];
      let place = block;
      for (const bytes of aligned) {
        places.push(place);
        place += bytes;
      }
      sets.forEach((set, i) => {
        memory.writeWords(places[i], set.words);
      });
      return run(...places);
    } finally {
      memory.release(block);
    }
  }
}
