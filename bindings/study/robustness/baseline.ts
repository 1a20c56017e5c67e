import { InvalidArgumentError } from '../../base/errors.js';
import type { EvaluationContext } from '../../languages/expression/index.js';
import { type Formula, periodInSeconds } from '../../languages/logic/index.js';
import { LinearForecast, movingNames } from './linearForecast.js';
import { type Quantities, quantitiesOf, type RobustnessOptions } from './quantities.js';
import { readKnownMargins, type SignalState } from './samples.js';
import { Tracks } from './tracks.js';

/** Options of a robustness baseline: the signals, and when to intervene. */
export interface RobustnessBaselineOptions extends RobustnessOptions {
  /** Seconds between states. */
  readonly samplingPeriod: number | string;
  /** The prediction horizon in seconds; 0: no prediction. */
  readonly horizonSeconds: number;
  /** The baseline intervenes below this robustness: 0.4, 0.8 and 1.2 in the comparison with REDriver. */
  readonly threshold: number;
  /** The length of the history in seconds; default the reach of the rule inside its outermost G, or 10 s if that is unbounded. */
  readonly historySeconds?: number;
  /**
   * The treatment of an obligation whose window lies beyond the horizon: `weak` (default), it may still be met; `strong`, as if the trace
   * ended there.
   */
  readonly atEnd?: 'weak' | 'strong';
}

/** The result of one state. */
export interface BaselineStep {
  /** Robustness of the rule on the recent and the predicted states. */
  readonly robustness: number;
  /** Whether the robustness is below the threshold. */
  readonly intervene: boolean;
}

const NO_CONTEXT: EvaluationContext = {};
const DEFAULT_HISTORY_SECONDS = 10;

/**
 * A reactive guard as a baseline: it predicts the next seconds, computes the rule's robustness on the past and the predicted states, and
 * intervenes if it is below a threshold.
 *
 * Two ideas are REDriver's, as published: the quantitative semantics of the law on the trajectory that the vehicle's planner intends, and
 * acting below a threshold before the law is broken. The rest is ours. Without a planner's trajectory, each number that the rule compares
 * by order is extrapolated by its last change within its range, and everything else stays constant. (The smaller of the last two changes
 * counts, and none if they disagree in sign, so a jump is not taken for motion.) The recent states count as far back as the rule reaches.
 * Obligations that end beyond the horizon are left open. The caller defines the intervention, whereas REDriver repairs the trajectory by
 * gradients.
 *
 * A number that is a code or a flag has no slope: `collision == 1` is 1 away until it is too late. State such a rule in distances.
 *
 * @see Y. Sun, C. M. Poskitt, X. Zhang, J. Sun, REDriver: runtime enforcement for autonomous vehicles, ICSE 2024,
 *   doi:10.1145/3597503.3639151
 */
export class RobustnessBaseline {
  readonly #quantities: Quantities;
  readonly #tracks: Tracks;
  readonly #threshold: number;
  readonly #strong: boolean;
  readonly #horizonSteps: number;
  readonly #forecast: LinearForecast;
  readonly #margins: Float64Array;
  /** Margins of the recent states in a ring buffer; the next state is written at `#steps` modulo its length. */
  readonly #history: readonly Float64Array[];
  #steps = 0;

  /** @throws InvalidArgumentError on a negative or infinite time, or a threshold that is NaN; also as `robustness`. */
  constructor(formula: Formula, options: RobustnessBaselineOptions) {
    const { samplingPeriod, horizonSeconds, threshold, historySeconds, atEnd = 'weak' } = options;
    if (Number.isNaN(threshold)) throw new InvalidArgumentError('the threshold is NaN; expected a number');
    this.#quantities = quantitiesOf(formula, options);
    const { atoms, list, root, ranges } = this.#quantities;
    const period = periodInSeconds(samplingPeriod);
    this.#horizonSteps = stepsIn('horizonSeconds', horizonSeconds, period);
    const reach = innerReach(list, root);
    let historySteps = reach;
    if (historySeconds !== undefined) historySteps = stepsIn('historySeconds', historySeconds, period);
    else if (reach === Number.POSITIVE_INFINITY) historySteps = Math.round(DEFAULT_HISTORY_SECONDS / period);
    this.#tracks = new Tracks(this.#quantities, [root]);
    this.#threshold = threshold;
    this.#strong = atEnd === 'strong';
    this.#forecast = new LinearForecast(movingNames(atoms.map(({ expression }) => expression)), ranges);
    this.#margins = new Float64Array(atoms.length);
    this.#history = Array.from({ length: historySteps + 1 }, () => new Float64Array(atoms.length));
  }

  /**
   * Reads the next state.
   *
   * @param planned States that a planner expects next, one per sampling period; they replace the prediction, at their full length.
   * @throws EvaluationError if a field is absent; InvalidDataError if a signal is NaN or outside its range.
   */
  step(
    state: SignalState,
    planned?: readonly SignalState[],
    context: EvaluationContext = NO_CONTEXT,
  ): BaselineStep {
    const position = this.#steps;
    readKnownMargins(this.#quantities, state, context, position, this.#margins);
    const kept = this.#history.length;
    this.#history[position % kept].set(this.#margins);
    this.#steps++;
    this.#forecast.observe(state);
    this.#tracks.reset();
    for (let i = Math.max(0, position + 1 - kept); i <= position; i++)
      this.#tracks.append(this.#history[i % kept]);
    const horizon = planned?.length ?? this.#horizonSteps;
    for (let k = 1; k <= horizon; k++) {
      const next = planned?.[k - 1] ?? this.#forecast.predict(k);
      readKnownMargins(this.#quantities, next, context, position + k, this.#margins);
      this.#tracks.append(this.#margins);
    }
    const { root } = this.#quantities;
    this.#tracks.update(this.#strong, (ask) => ask(root, 0));
    const robustness = this.#tracks.upper(root, 0);
    return { robustness, intervene: !(robustness >= this.#threshold) };
  }

  /** Resets to before the first state. */
  reset(): void {
    this.#steps = 0;
    this.#forecast.reset();
  }
}

/** Creates a `RobustnessBaseline`. */
export function createRobustnessBaseline(
  formula: Formula,
  options: RobustnessBaselineOptions,
): RobustnessBaseline {
  return new RobustnessBaseline(formula, options);
}

function stepsIn(name: string, seconds: number, period: number): number {
  const steps = Math.round(seconds / period);
  if (!(steps >= 0 && steps < 0x7fffffff)) {
    throw new InvalidArgumentError(
      `${name} is ${seconds} at a sampling period of ${period} s; expected seconds, 0 or more`,
    );
  }
  return steps;
}

/** The number of steps between the first and the last position that a rule relates, apart from its outermost G or F. */
function innerReach(list: Quantities['list'], root: number): number {
  const span = (q: number): [back: number, ahead: number] => {
    const quantity = list[q];
    switch (quantity.kind) {
      case 'constant':
      case 'atom':
        return [0, 0];
      case 'not':
        return span(quantity.operand);
      case 'eventually': {
        const [back, ahead] = span(quantity.operand);
        return quantity.past ? [back + quantity.to, ahead] : [back, ahead + quantity.to];
      }
      default: {
        const [left, right] = [span(quantity.left), span(quantity.right)];
        const [back, ahead] = [Math.max(left[0], right[0]), Math.max(left[1], right[1])];
        if (quantity.kind !== 'until') return [back, ahead];
        return quantity.past ? [Number.POSITIVE_INFINITY, ahead] : [back, Number.POSITIVE_INFINITY];
      }
    }
  };
  const inner = (q: number): number => {
    const quantity = list[q];
    if (quantity.kind === 'not') return inner(quantity.operand);
    if (quantity.kind === 'and' || quantity.kind === 'or') {
      return Math.max(inner(quantity.left), inner(quantity.right));
    }
    const outermost =
      quantity.kind === 'eventually' && !quantity.past && quantity.to === Number.POSITIVE_INFINITY;
    const [back, ahead] = span(outermost ? quantity.operand : q);
    return back + ahead;
  };
  return inner(root);
}
