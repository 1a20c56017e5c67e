import type { Rational } from '../../base/rational.js';
import type { Limits, Reached } from './limits.js';
import type { PackedStates } from './packedStates.js';

/** The states and transitions of a model, in the layout of models; labels and state rewards are not evaluated yet. */
export interface Explored {
  readonly states: PackedStates;
  readonly rowGroupStart: Uint32Array;
  readonly rowStart: Uint32Array;
  /** The action of each row, or `NO_ACTION`. */
  readonly rowAction: Uint32Array;
  readonly columns: Uint32Array;
  readonly lower: Float64Array;
  /** Upper bounds of interval models. */
  readonly upper?: Float64Array;
  readonly exactValues?: readonly (Rational | undefined)[];
  /** For each reward structure, the reward of each row; null if the structure has no transition rewards. */
  readonly rowRewards: readonly (Float64Array | null)[];
  /** The fractions of `rowRewards`, if requested. */
  readonly exactRowRewards?: readonly (readonly (Rational | undefined)[] | null)[];
  readonly initial: readonly number[];
  readonly deadlocks: readonly number[];
  /** The number of states left unexplored because of `stopAt`. */
  readonly stopped: number;
}

/** The caller's control of an exploration. */
export interface Control {
  readonly limits: Limits;
  readonly exact: boolean;
  /** Called between slices of work: reports progress, and throws to abort the work. */
  readonly checkpoint: (reached: Reached) => void;
}
