import { InvalidArgumentError } from '../../base/errors.js';
import type { EvaluationContext } from '../../languages/expression/index.js';
import { type Formula, periodInSeconds } from '../../languages/logic/index.js';
import { LinearForecast, movingNames } from './linearForecast.js';
import { type Quantities, quantitiesOf, type RobustnessOptions } from './quantities.js';
import { readKnownMargins, type SignalState } from './samples.js';
import { Tracks } from './tracks.js';

/** What a baseline looks at, and when it intervenes. */
export interface RobustnessBaselineOptions extends RobustnessOptions {
  /** Seconds between states. */
  readonly samplingPeriod: number | string;
  /** How far ahead is predicted; 0 is not at all. */
  readonly horizonSeconds: number;
  /** It intervenes below this robustness: 0.4, 0.8 and 1.2 in the comparison with REDriver. */
  readonly threshold: number;
  /** How far back states count; default as far as the rule reaches inside its outermost G, 10 s where that is without bound. */
  readonly historySeconds?: number;
  /**
   * What of an obligation whose window lies behind the horizon: `weak` (default), it may still be met; `strong`, as if the trace
   * ended there.
   */
  readonly atEnd?: 'weak' | 'strong';
}

/** What a baseline makes of one state. */
export interface BaselineStep {
  /** Of the rule on the recent states and the predicted ones. */
  readonly robustness: number;
  /** Whether the robustness is below the threshold. */
  readonly intervene: boolean;
}

const NO_CONTEXT: EvaluationContext = {};
const DEFAULT_HISTORY_SECONDS = 10;

/**
 * A reactive guard to compare with: it predicts the next seconds, computes the rule's robustness on what was and what is predicted, and
 * intervenes where that is below a threshold.
 *
 * REDriver's, as published, are the quantitative semantics of the law on the trajectory that the vehicle's planner intends, and
 * to act below a threshold before the law is broken. Ours is the rest: without a planner's trajectory each number that the rule
 * compares by order goes on as it changed last (the smaller of its last two changes, none where they disagree, so that a jump is no
 * motion) inside its range, and all else stays; the recent states count as far back as the rule reaches; obligations that end behind the
 * horizon are left open; and how an intervention looks is the caller's affair, where REDriver repairs the trajectory by gradients.
 *
 * A number that is a code or a flag has no slope: `collision == 1` is 1 away until it is too late. Give such a rule in distances.
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
  /** Margins of the recent states, the next one to be written at `#steps` modulo their number. */
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
   * @param planned States that a planner expects next, one a sampling period; instead of the prediction, and as many as are given.
   * @throws EvaluationError where a field is absent; InvalidDataError where a signal is NaN or outside of its range.
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

  /** Back to before the first state. */
  reset(): void {
    this.#steps = 0;
    this.#forecast.reset();
  }
}

/** A `RobustnessBaseline`. */
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

/** How many steps lie between the first and the last that a rule speaks of at once, its outermost G or F aside. */
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
