import { BitSet } from '../../kernel/index.js';
import { bitLength, gcd, leastCommonMultiple, Rational } from '../../rational.js';
import { type ClosedChain, closeChain, withSelfLoops } from '../closedChain.js';
import type { PathEvent } from '../pathEvent.js';
import { eventParts } from '../solveEvent.js';
import { type Equation, solveExactly } from './exactElimination.js';
import { type ExactRow, exactRow } from './exactRow.js';
import { WorkLimit } from './workLimit.js';

/** Exact values by state, of those states that matter for the ones asked for. */
type ExactValues = ReadonlyMap<number, Rational>;

/** The smallest and the largest value that a probability can have; they differ only by states without data. */
export interface ExactRange {
  readonly lower: Rational;
  readonly upper: Rational;
}

/**
 * The probability of an event from each of some states, in exact arithmetic on the chain that the doubles define: its entries
 * off the diagonal, with P(s, s) what they leave of 1. The virtual start of a learnt chain, where there is one, has the mean
 * over its row.
 *
 * @throws NotSupportedError beyond the work allowed, by default about a second's
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
    for (const t of exactRow(chain.rows, start).leaving.keys()) asked.add(t);
  }
  const extremes = (happens: boolean): Rational[] => {
    const values = exactEvent(chain, event, asked, happens, work);
    return states.map((s) => (s === start ? exactMean(chain, s, values, work) : (values.get(s) as Rational)));
  };
  const lower = extremes(false);
  const upper = chain.withoutData.count() === 0 ? lower : extremes(true);
  return lower.map((value, i) => ({ lower: value, upper: upper[i] }));
}

/** `happens`: whether the event is taken to happen from the states without data, wherever their row matters. */
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
      : exactSteps(chain, active, indicator(relevant, reached), to - from, work);
  if (from === 0) return open;
  return exactSteps(chain, waiting, open, from, work, indicator(relevant, outside));
}

/** The mean of values over the successors of one state. */
function exactMean({ rows }: ClosedChain, s: number, values: ExactValues, work: WorkLimit): Rational {
  const { leaving, exit, total } = exactRow(rows, s);
  const needed = new Map([s, ...leaving.keys()].map((t) => [t, values.get(t) as Rational]));
  const { denominator, numerators } = overOneDenominator(needed, work);
  let sum = (total - exit) * numeratorOf(numerators, s);
  for (const [t, weight] of leaving) sum += weight * numeratorOf(numerators, t);
  return new Rational(sum, total * denominator);
}

/** P(remain U target), component by component, successors first. */
function exactUntil(
  chain: ClosedChain,
  remain: BitSet,
  target: BitSet,
  asked: BitSet,
  work: WorkLimit,
): ExactValues {
  const never = chain.kernel.prob0(remain, target);
  const surely = chain.kernel.prob1(remain, target);
  const decided = never.union(surely);
  using open = closeChain(withSelfLoops(chain.rows, decided));
  const relevant = open.kernel.reachableFrom(asked);
  const values = new Map<number, Rational>();
  const members: number[][] = [];
  const { componentOf } = open.kernel.components();
  for (const s of relevant) {
    if (surely.has(s)) values.set(s, Rational.ONE);
    else if (never.has(s)) values.set(s, Rational.ZERO);
    else (members[componentOf[s]] ??= []).push(s);
  }
  for (const component of members) if (component) solveComponent(chain, component, values, work);
  return values;
}

/** Adds the values of a component to those of the states that it leads to. */
function solveComponent(
  { rows }: ClosedChain,
  component: readonly number[],
  values: Map<number, Rational>,
  work: WorkLimit,
): void {
  const index = new Map(component.map((s, i) => [s, i]));
  const exactRows = component.map((s) => {
    work.spend(rows.rowStart[s + 1] - rows.rowStart[s] + 1, 64);
    return exactRow(rows, s);
  });
  const successors = new Set(exactRows.flatMap(({ leaving }) => [...leaving.keys()]));
  const exits = new Map<number, Rational>();
  for (const t of successors) if (!index.has(t)) exits.set(t, values.get(t) as Rational);
  const { denominator: common, numerators: known } = overOneDenominator(exits, work);
  // To stay in a state changes nothing about where a path goes in the end, so that only the moves that leave it count.
  const equations = exactRows.map(({ leaving, exit }): Equation => {
    const coupling = new Map<number, bigint>();
    let constant = 0n;
    for (const [t, weight] of leaving) {
      const j = index.get(t);
      if (j === undefined) constant += weight * numeratorOf(known, t);
      else coupling.set(j, weight);
    }
    return { diagonal: exit, coupling, constant };
  });
  const solved = solveExactly(equations, work);
  const denominator = solved.denominator * common;
  let divisor = denominator;
  for (const numerator of solved.numerators) {
    work.spendGcd(bitLength(divisor));
    divisor = gcd(divisor, numerator);
  }
  component.forEach((s, i) => {
    values.set(s, new Rational(solved.numerators[i] / divisor, denominator / divisor));
  });
}

/**
 * Takes values `steps` steps back: active states get the mean over their successors each time, all others the value they
 * have in `others`.
 */
function exactSteps(
  { rows }: ClosedChain,
  active: BitSet,
  values: ExactValues,
  steps: number,
  work: WorkLimit,
  others = values,
): ExactValues {
  const moving = new Map<number, ExactRow>();
  for (const s of values.keys()) {
    if (!active.has(s)) continue;
    work.spend(rows.rowStart[s + 1] - rows.rowStart[s] + 1, 64);
    moving.set(s, exactRow(rows, s));
  }
  // All values of one position have one denominator, which every step multiplies.
  const factor = leastCommonMultiple([...moving.values()].map(({ total }) => total));
  let { denominator, numerators: current } = overOneDenominator(values, work);
  const other = overOneDenominator(others, work);
  const factorBits = bitLength(factor);
  let bits = bitLength(denominator);
  for (let step = 0; step < steps; step++) {
    const scale = denominator * factor;
    const next = new Map<number, bigint>();
    let moved = step === 0;
    for (const [s, numerator] of current) {
      const row = moving.get(s);
      work.spend((row?.leaving.size ?? 0) + 3, bits, factorBits);
      let value: bigint;
      if (row === undefined) value = (numeratorOf(other.numerators, s) * scale) / other.denominator;
      else {
        const { leaving, exit, total } = row;
        value = (total - exit) * numerator;
        for (const [t, weight] of leaving) value += weight * numeratorOf(current, t);
        value *= factor / total;
      }
      next.set(s, value);
      moved ||= value !== numerator * factor;
    }
    if (!moved) break;
    current = next;
    denominator = scale;
    bits += factorBits;
  }
  return new Map([...current].map(([s, numerator]) => [s, new Rational(numerator, denominator)]));
}

function overOneDenominator(
  values: ExactValues,
  work: WorkLimit,
): { denominator: bigint; numerators: ReadonlyMap<number, bigint> } {
  const denominators = new Set([...values.values()].map(({ denominator }) => denominator));
  for (const denominator of denominators) work.spendGcd(bitLength(denominator));
  const denominator = leastCommonMultiple(denominators);
  const numerators = new Map<number, bigint>();
  for (const [s, value] of values) {
    work.spend(1, bitLength(denominator), bitLength(denominator));
    numerators.set(s, value.numerator * (denominator / value.denominator));
  }
  return { denominator, numerators };
}

/** States that a value is needed of have one: whatever the states asked for can reach. */
function numeratorOf(numerators: ReadonlyMap<number, bigint>, s: number): bigint {
  return numerators.get(s) as bigint;
}

function indicator(states: BitSet, set: BitSet): ExactValues {
  return new Map([...states].map((s) => [s, set.has(s) ? Rational.ONE : Rational.ZERO]));
}
