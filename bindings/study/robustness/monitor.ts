import { InvalidArgumentError } from '../../base/errors.js';
import type { EvaluationContext } from '../../languages/expression/index.js';
import type { Formula } from '../../languages/logic/index.js';
import { type Quantities, quantitiesOf, type RobustnessOptions } from './quantities.js';
import { noSamples, readMargins, type SignalState } from './samples.js';
import { Tracks } from './tracks.js';
import { trackedBy, type Watch, watch } from './watch.js';

const NO_CONTEXT: EvaluationContext = {};

/**
 * Bounds on the robustness of a formula while a trace grows, over all its continuations, the empty one included.
 *
 * `lower <= robustness of every continuation <= upper`, and the bounds only tighten. Future signals may have any value in their `ranges`,
 * so ranges lead to earlier decisions. A NaN signal is unknown: it stands for its whole range, at that step and later. The bounds are
 * sound, and equal the robustness once the trace has ended. Before that they need not be the tightest, because parts of the formula that
 * read the same signals are bounded separately.
 *
 * The cost of a step is the number of open positions: k for windows [0,k] under G; all positions that no sample has decided if an unbounded
 * F or U is under G.
 *
 * @see J. V. Deshmukh et al., Robust online monitoring of signal temporal logic, Formal Methods in System Design 51 (2017),
 *   doi:10.1007/s10703-017-0286-7
 */
export class RobustnessMonitor {
  readonly #quantities: Quantities;
  readonly #tracks: Tracks;
  readonly #margins: Float64Array;
  #watch: Watch;
  #ended = false;

  /** @throws as `robustness`, except for errors in samples. */
  constructor(formula: Formula, options: RobustnessOptions = {}) {
    this.#quantities = quantitiesOf(formula, options);
    const { atoms, list, root } = this.#quantities;
    this.#tracks = new Tracks(this.#quantities, trackedBy(list, root));
    this.#margins = new Float64Array(atoms.length);
    this.#watch = watch(list, this.#tracks, root, 0);
  }

  /** No continuation has a smaller robustness. */
  get lower(): number {
    return this.#watch.lower;
  }

  /** No continuation has a larger robustness. */
  get upper(): number {
    return this.#watch.upper;
  }

  /** Number of samples so far. */
  get length(): number {
    return this.#tracks.length;
  }

  /**
   * Reads the next sample.
   *
   * @returns this monitor, with the new bounds.
   * @throws EvaluationError if a field is absent, InvalidDataError if one is outside its range; the sample is then not read.
   */
  step(state: SignalState, context: EvaluationContext = NO_CONTEXT): this {
    if (this.#ended) throw new InvalidArgumentError('the trace has ended; call reset() before the next one');
    readMargins(this.#quantities, state, context, this.length, this.#margins);
    this.#tracks.append(this.#margins);
    this.#update(false);
    return this;
  }

  /**
   * Ends the trace. Without unknown signals, both bounds then equal its robustness. Afterwards only `reset` is allowed.
   *
   * @returns this monitor, with the new bounds.
   * @throws InvalidArgumentError if there was no sample.
   */
  end(): this {
    if (this.length === 0) throw noSamples();
    this.#ended = true;
    this.#update(true);
    return this;
  }

  /** Resets to before the first sample. */
  reset(): void {
    const { list, root } = this.#quantities;
    this.#ended = false;
    this.#tracks.reset();
    this.#watch = watch(list, this.#tracks, root, 0);
  }

  #update(ended: boolean): void {
    this.#tracks.update(ended, (want) => this.#watch.ask(want));
    this.#watch.update(ended);
  }
}
