import type { StateVariables } from '../model/index.js';
import type { ExploredVariable } from './variables.js';

/** The variables of all states, packed into words. */
export class PackedStates implements StateVariables {
  readonly size: number;

  constructor(
    readonly variables: readonly ExploredVariable[],
    readonly words: number,
    readonly packed: Uint32Array,
  ) {
    this.size = packed.length / words;
  }

  read(state: number, into: Float64Array): void {
    unpack(this.packed, state * this.words, this.variables, into);
  }
}

/** The values of the variables of a state packed at `at`. */
export function unpack(
  packed: Uint32Array,
  at: number,
  variables: readonly ExploredVariable[],
  into: Float64Array,
): void {
  for (let v = 0; v < variables.length; v++) {
    const { word, shift, mask, low } = variables[v];
    into[v] = ((packed[at + word] & mask) >>> shift) + low;
  }
}

/** Writes values, in their ranges, as a packed state at the beginning of `into`. */
export function pack(
  values: ArrayLike<number>,
  variables: readonly ExploredVariable[],
  into: Uint32Array,
): void {
  into.fill(0);
  for (let v = 0; v < variables.length; v++) {
    const { word, shift, low } = variables[v];
    into[word] |= (values[v] - low) << shift;
  }
}
