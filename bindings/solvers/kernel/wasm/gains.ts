import type { Bounds } from '../../../base/bounds.js';
import type { ChainRewards } from '../types/index.js';
import type { WasmEngine } from './engine.js';
import type { Pointer } from './exports.js';

/** Copies rewards into memory while they are weighted by the chain's probabilities. */
export function gains(
  { exports, memory }: WasmEngine,
  chain: Pointer,
  count: number,
  { states, transitions }: ChainRewards,
): Bounds {
  const entries = transitions?.columns.length ?? 0;
  const bytes = 28 * count + 4 + 12 * entries;
  const block = memory.allocate(bytes, `rewards of ${count} states and ${entries} moves`);
  try {
    const stateRewards = block + 16 * count;
    const values = stateRewards + 8 * count;
    const columns = values + 8 * entries;
    const rowStart = columns + 4 * entries;
    if (states !== undefined) memory.writeDoubles(stateRewards, states);
    if (transitions !== undefined) {
      memory.writeDoubles(values, transitions.values);
      memory.writeWords(columns, transitions.columns);
      memory.writeWords(rowStart, transitions.rowStart);
    }
    const [stateOrNone, rowsOrNone] = [
      states === undefined ? 0 : stateRewards,
      transitions === undefined ? 0 : rowStart,
    ];
    exports.gains(chain, stateOrNone, rowsOrNone, columns, values, block);
    return memory.readBounds(block, count);
  } finally {
    memory.release(block);
  }
}
