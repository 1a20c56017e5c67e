import { InvalidArgumentError } from '../../base/errors.js';
import type { Formula } from '../../languages/logic/index.js';
import { quantitiesOf, type RobustnessOptions } from './quantities.js';
import { forEachSample, requireSignals, type Signals, sampleCount } from './samples.js';
import { Tracks } from './tracks.js';

/**
 * Computes the robustness of a formula on a finite trace, by the space-robust semantics of discrete-time STL: how much every compared
 * number may change before the formula's truth value can change.
 *
 * Positive means that the trace satisfies the formula, negative that it does not. 0 is undecided: strict and weak comparisons have the same
 * robustness, and `==` between quantities has 0 if it holds (`equality`). `left > right` is `left - right`; `&` is the smaller, `|` the
 * larger, `!` the negative, `F` the largest over its window, `G` the smallest. Conditions without numbers (Boolean fields, texts, `true`)
 * are ∞ or -∞. At the ends of the trace: an empty window is -∞ for F, O, and ∞ for G, H; X and Y are -∞, and WX and WY are ∞, if there is
 * no such step.
 *
 * Linear in samples times operators, whatever the windows.
 *
 * @param signals Steps of a trace, taken as evenly spaced, or a column for each field.
 * @param options.at Position at which the formula is evaluated; default 0.
 * @param options.numbers The number of each step in messages, as `resample` gives them; default its position.
 * @throws InvalidDataError if a signal is NaN, with its name and step; EvaluationError if a field is absent; InvalidArgumentError if
 * `signals` are neither steps nor columns or have no samples, if the position does not exist, and for windows as `windowInSteps`;
 * NotSupportedError on P.
 * @see G. E. Fainekos, G. J. Pappas, Robustness of temporal logic specifications for continuous-time signals, Theoretical Computer
 *   Science 410 (2009), doi:10.1016/j.tcs.2009.06.021; A. Donzé, O. Maler, Robust satisfaction of temporal logic over real-valued
 *   signals, FORMATS 2010, doi:10.1007/978-3-642-15297-9_9
 */
export function robustness(
  formula: Formula,
  signals: Signals,
  options: RobustnessOptions & { readonly at?: number; readonly numbers?: readonly number[] | null } = {},
): number {
  const { at = 0 } = options;
  requireSignals(signals);
  const count = sampleCount(signals);
  if (count > 0 && !(Number.isInteger(at) && at >= 0 && at < count)) {
    throw new InvalidArgumentError(`position ${at} is not in the trace; expected one of 0 .. ${count - 1}`);
  }
  const { tracks, root } = evaluate(formula, signals, options, at, options.numbers);
  return tracks.lower(root, at);
}

/**
 * Computes the robustness of a formula at every position of a trace.
 *
 * @returns Float64Array(n), one entry per sample.
 * @throws as `robustness`
 */
export function robustnessSignal(
  formula: Formula,
  signals: Signals,
  options: RobustnessOptions = {},
): Float64Array {
  requireSignals(signals);
  const { tracks, root } = evaluate(formula, signals, options, 0);
  return Float64Array.from({ length: tracks.length }, (_, position) => tracks.lower(root, position));
}

function evaluate(
  formula: Formula,
  signals: Signals,
  options: RobustnessOptions,
  from: number,
  numbers: readonly number[] | null = null,
): { tracks: Tracks; root: number } {
  const quantities = quantitiesOf(formula, options, signals);
  const { root } = quantities;
  const tracks = new Tracks(quantities, [root], Math.max(sampleCount(signals), 1));
  forEachSample(quantities, signals, (margins) => tracks.append(margins), numbers);
  tracks.update(true, (ask) => ask(root, from));
  return { tracks, root };
}
