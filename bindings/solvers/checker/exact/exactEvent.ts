import { bitLength, Rational } from '../../../base/rational.js';
import { BitSet } from '../../kernel/index.js';
import { type ClosedChain, closeChain, withSelfLoops } from '../closedChain.js';
import type { PathEvent } from '../pathEvent.js';
import { eventParts } from '../solveEvent.js';
import { combination, type ExactRow, exactRow } from './exactRow.js';
import { exactSteps } from './exactSteps.js';
import { solveTransient } from './exactSystem.js';
import { WorkLimit } from './workLimit.js';

/** Exact values of the states that matter for the requested ones. */
type ExactValues = ReadonlyMap<number, Rational>;

/** The smallest and the largest value that a probability can have; they differ only because of states without data. */
export interface ExactRange {
  readonly lower: Rational;
  readonly upper: Rational;
}

/**
 * The probability of an event from each of some states, in exact arithmetic on the chain that the doubles define: its entries
 * off the diagonal, with P(s, s) = 1 minus their sum. The virtual start of a learnt chain, if present, has the mean over its
 * row.
 *
 * @throws NotSupportedError beyond the work allowed, by default about a second
 */
export function exactProbabilities(
  chain: ClosedChain,
  event: PathEvent,
  states: readonly number[],
  start: number | undefined,
  work = new WorkLimit(),
): ExactRange[] {
  work.spend(chain.rows.columns.length, 64);
  const asked = BitSet.of(chain.states, states);
  if (start !== undefined && asked.has(start)) {
    for (const t of exactRow(chain.rows, start).targets) asked.add(t);
  }
  const extremes = (happens: boolean): Rational[] => {
    const values = exactEvent(chain, event, asked, happens, work);
    return states.map((s) => (s === start ? exactMean(chain, s, values, work) : (values.get(s) as Rational)));
  };
  const lower = extremes(false);
  const upper = chain.withoutData.count() === 0 ? lower : extremes(true);
  return lower.map((value, i) => ({ lower: value, upper: upper[i] }));
}

/** `happens`: whether the event is assumed to happen from states without data, wherever their row matters. */
function exactEvent(
  chain: ClosedChain,
  event: PathEvent,
  asked: BitSet,
  happens: boolean,
  work: WorkLimit,
): ExactValues {
  if (event.negated) {
    const values = exactEvent(chain, { ...event, negated: false }, asked, !happens, work);
    return new Map([...values].map(([s, value]) => [s, value.complement()]));
  }
  const { remain, from, to } = event;
  const { reached, active, outside, waiting } = eventParts(chain, event, happens);
  if (from === 0 && to === null) return exactUntil(chain, remain, reached, asked, work);
  const relevant = chain.kernel.reachableFrom(asked);
  const open =
    to === null
      ? exactUntil(chain, remain, reached, relevant, work)
      : stepsBack(chain, active, indicator(relevant, reached), to - from, work);
  if (from === 0) return open;
  return stepsBack(chain, waiting, open, from, work, indicator(relevant, outside));
}

/** The mean of values over the successors of one state. */
function exactMean({ rows }: ClosedChain, s: number, values: ExactValues, work: WorkLimit): Rational {
  const row = exactRow(rows, s);
  const valueAt = (t: number): Rational => values.get(t) as Rational;
  const { targets, weights, exit, total } = row;
  const stay = total - exit;
  const mean = combination(
    [stay, ...weights],
    [stay === 0n ? Rational.ZERO : valueAt(s), ...targets.map(valueAt)],
  );
  work.spend(targets.length + 1, bitLength(mean.denominator));
  return new Rational(mean.numerator, mean.denominator * total);
}

/** P(remain U target) of all states that the given states can reach before being decided. */
function exactUntil(
  chain: ClosedChain,
  remain: BitSet,
  target: BitSet,
  asked: BitSet,
  work: WorkLimit,
): ExactValues {
  const never = chain.kernel.prob0(remain, target);
  const surely = chain.kernel.prob1(remain, target);
  using open = closeChain(withSelfLoops(chain.rows, never.union(surely)));
  const values = new Map<number, Rational>();
  const unknown = new Map<number, ExactRow>();
  for (const s of open.kernel.reachableFrom(asked)) {
    if (surely.has(s)) values.set(s, Rational.ONE);
    else if (never.has(s)) values.set(s, Rational.ZERO);
    else {
      work.spend(chain.rows.rowStart[s + 1] - chain.rows.rowStart[s] + 1, 64);
      unknown.set(s, exactRow(chain.rows, s));
    }
  }
  solveTransient([...unknown.keys()], (s) => unknown.get(s) as ExactRow, values, work);
  return values;
}

/**
 * Propagates values back by `steps` steps: in each, active states take the mean over their successors, all others their value
 * in `others`.
 */
function stepsBack(
  { rows }: ClosedChain,
  active: BitSet,
  values: ExactValues,
  steps: number,
  work: WorkLimit,
  others = values,
): ExactValues {
  const choicesOf = (s: number): ExactRow[] | undefined => {
    if (!active.has(s)) return undefined;
    work.spend(rows.rowStart[s + 1] - rows.rowStart[s] + 1, 64);
    return [exactRow(rows, s)];
  };
  const states = [...values.keys()];
  return exactSteps({ states, choicesOf, direction: 'max', steps, others }, values, work);
}

function indicator(states: BitSet, set: BitSet): ExactValues {
  return new Map([...states].map((s) => [s, set.has(s) ? Rational.ONE : Rational.ZERO]));
}
