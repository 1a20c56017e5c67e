import { NotSupportedError } from '../../../base/errors.js';
import { TupleTable } from '../../../base/tupleTable.js';
import type { DeclaredCall } from '../../../observations/effects/index.js';
import type { Foresight, PackedPosition } from './foresight.js';

/** A call that breaks no rule, and the positions that may follow, by their numbers. */
export interface Move {
  readonly call: DeclaredCall;
  readonly to: readonly number[];
}

/** The positions that permitted calls lead to, numbered as they are found. */
export class PositionGraph {
  readonly foresight: Foresight;
  readonly #maxPositions: number;
  readonly #table: TupleTable;
  readonly #moves: (readonly Move[] | undefined)[] = [];

  constructor(foresight: Foresight, maxPositions: number) {
    this.foresight = foresight;
    this.#maxPositions = maxPositions;
    this.#table = new TupleTable(foresight.size);
  }

  /** Positions found so far. */
  get size(): number {
    return this.#table.size;
  }

  /** @throws NotSupportedError if it is one too many */
  numberOf(position: PackedPosition): number {
    const number = this.#table.insert(position);
    if (this.#table.size > this.#maxPositions)
      throw new NotSupportedError(
        `the search was given up after ${this.#maxPositions} positions; list fewer values of arguments, ask about fewer rules, or raise maxPositions`,
      );
    return number;
  }

  position(number: number): PackedPosition {
    const { size } = this.foresight;
    return this.#table.tuples.slice(number * size, (number + 1) * size);
  }

  /** The calls that can be executed at a position, and break no rule however they turn out. */
  moves(number: number): readonly Move[] {
    const known = this.#moves[number];
    if (known !== undefined) return known;
    const position = this.position(number);
    const { model } = this.foresight;
    const moves = model.calls.flatMap((call) => {
      if (call.executable(this.foresight.present(position)) === false) return [];
      const { broken, positions } = this.foresight.prospect(position, call);
      if (broken.length > 0 || positions.length === 0) return [];
      return [{ call, to: [...new Set(positions.map((one) => this.numberOf(one)))] }];
    });
    this.#moves[number] = moves;
    return moves;
  }
}
