import { type Code, giveBack, i32 } from './code.js';

/** 32-bit counters and addresses that the generated code and its caller share, from address 0 on. */
export enum Cell {
  /** States found, and states explored. */
  Size,
  Explored,
  /** No more states fit. */
  Limit,
  /** Bytes of the hash table less 4. */
  SlotMask,
  /** The address of the states minus the size of one, because state numbers in slots begin with 1. */
  StatesBase,
  /** In the buffers: rows, transitions, states, deadlocks. */
  Rows,
  Transitions,
  Groups,
  Deadlocks,
  /** The first transition of the current row. */
  RowBegin,
  /** Choices of the state so far. */
  Choices,
  /** Rows and transitions already taken out of the buffers. */
  RowsBefore,
  TransitionsBefore,
  /** States left unexplored. */
  Stopped,
  /** The number of parts of the joint being combined. */
  Parts,
  Action,
  /** How many there are. */
  Count,
}

/** The outcome of a call of the generated code. */
export enum Outcome {
  Done,
  /** There is no room for another state. */
  StatesFull,
  /** There is no room for another row. */
  BuffersFull,
  /** The state being explored has a fault. */
  Failed,
}

/** Ends a function that returns an outcome. */
export const ended = (outcome: Outcome): Code => giveBack(i32.constant(outcome));

export const cellAt = (cell: Cell): number => cell * 4;
export const read = (cell: Cell): Code => i32.load(i32.constant(0), cellAt(cell));
export const write = (cell: Cell, value: Code): Code => i32.store(i32.constant(0), value, cellAt(cell));
export const increment = (cell: Cell): Code => write(cell, i32.add(read(cell), i32.constant(1)));

/** Allocates memory at fixed addresses. */
export class StaticMemory {
  end = Cell.Count * 4;

  /** Reserves `bytes` bytes and returns their address, divisible by 8. */
  reserve(bytes: number): number {
    const address = Math.ceil(this.end / 8) * 8;
    this.end = address + bytes;
    return address;
  }
}

/** Buffers that the caller empties, with their addresses. */
export interface Buffers {
  readonly transitionCapacity: number;
  readonly rowCapacity: number;
  readonly columns: number;
  readonly values: number;
  readonly rowStart: number;
  readonly rowAction: number;
  readonly rowGroupStart: number;
  readonly deadlocks: number;
  /** For each reward structure, the rewards of rows, and the reward so far of the current row; null if it has none. */
  readonly rewards: readonly ({ readonly rows: number; readonly earned: number } | null)[];
}

export function layOutBuffers(
  memory: StaticMemory,
  rowCapacity: number,
  structures: readonly { readonly transitions: readonly unknown[] }[],
): Buffers {
  const transitionCapacity = rowCapacity * 2;
  return {
    transitionCapacity,
    rowCapacity,
    columns: memory.reserve(transitionCapacity * 4),
    values: memory.reserve(transitionCapacity * 8),
    rowStart: memory.reserve(rowCapacity * 4),
    rowAction: memory.reserve(rowCapacity * 4),
    rowGroupStart: memory.reserve(rowCapacity * 4),
    deadlocks: memory.reserve(rowCapacity * 4),
    rewards: structures.map(({ transitions }) =>
      transitions.length === 0 ? null : { rows: memory.reserve(rowCapacity * 8), earned: memory.reserve(8) },
    ),
  };
}
