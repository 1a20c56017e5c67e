import type { Rational } from '../../base/rational.js';
import type { Limits, Reached } from './limits.js';
import type { PackedStates } from './packedStates.js';

/** The states and transitions of a model, in the layout of models; labels and state rewards are not looked at yet. */
export interface Explored {
  readonly states: PackedStates;
  readonly rowGroupStart: Uint32Array;
  readonly rowStart: Uint32Array;
  /** Per row its action, or `NO_ACTION`. */
  readonly rowAction: Uint32Array;
  readonly columns: Uint32Array;
  readonly lower: Float64Array;
  /** Of interval models. */
  readonly upper?: Float64Array;
  readonly exactValues?: readonly (Rational | undefined)[];
  /** Per reward structure what each row earns; null where none has a reward for transitions. */
  readonly rowRewards: readonly (Float64Array | null)[];
  /** The fractions of `rowRewards`, where asked for. */
  readonly exactRowRewards?: readonly (readonly (Rational | undefined)[] | null)[];
  readonly initial: readonly number[];
  readonly deadlocks: readonly number[];
  /** States that were left unexplored because of `stopAt`. */
  readonly stopped: number;
}

/** What an exploration is told from outside. */
export interface Control {
  readonly limits: Limits;
  readonly exact: boolean;
  /** Called between slices of work: reports progress, and throws if the work is to be given up. */
  readonly checkpoint: (reached: Reached) => void;
}
