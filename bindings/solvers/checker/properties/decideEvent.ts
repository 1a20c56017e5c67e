import { Rational } from '../../../base/rational.js';
import type { BitSet, SolveOptions } from '../../kernel/index.js';
import type { ExactOptions } from '../exact/index.js';
import type { PathEvent } from '../pathEvent.js';
import { type Directions, opposite } from '../quantities/index.js';
import { decide, type NumberSource, type Threshold } from './decide.js';
import type { Engines } from './engines.js';
import { type EventFormula, extremeEvent } from './pathFormula.js';
import { between, numbersOf, type Solved } from './solver.js';
import {
  fromGraph,
  isDecided,
  type NumberValues,
  type Obtained,
  type TruthValues,
  together,
  truth,
} from './stateValues.js';

export interface OperatorOptions extends SolveOptions {
  /** Limits of exact arithmetic, to compute with fractions. Default: compute with bounds. */
  readonly exact?: ExactOptions | undefined;
}

/** Decides whether the probability of an event meets a threshold: on the graph if possible, else by numbers. */
export function decideEvent(
  engines: Engines,
  directions: Directions,
  event: EventFormula,
  threshold: Threshold,
  relevant: BitSet,
  options: OperatorOptions,
): TruthValues {
  return (
    decideOnGraph(engines, directions, event, threshold) ??
    decide(threshold, eventSource(engines, event, directions, options), relevant, options)
  );
}

/**
 * The source of an event's probability: bounds, and fractions for thresholds that bounds leave open. The bounds of an event
 * with open states span its least and greatest possible probability.
 */
export function eventSource(
  engines: Engines,
  event: EventFormula,
  directions: Directions,
  { exact, ...solving }: OperatorOptions,
): NumberSource {
  const least = extremeEvent(event, 'least');
  const operands = [event.remain, event.target];
  return {
    bounds: (options) => {
      const solve = (extreme: PathEvent) => engines.probability(directions, extreme, options, exact);
      return spanned(solve(least), () => solve(extremeEvent(event, 'greatest')), operands, 1);
    },
    ...(engines.hasFractions && {
      exactly: (states) => {
        const settle = (extreme: PathEvent) => engines.decideExactly(directions, extreme, states, solving);
        const lowest = settle(least);
        if (operands.every(isDecided)) return lowest;
        const { upper } = settle(extremeEvent(event, 'greatest'));
        return { ...lowest, upper, exactAt: undefined, doubt: together(...operands).doubt };
      },
    }),
  };
}

/** P>0, P<=0, P>=1 and P<1 ask whether an event, or its negation, is possible at all. */
function decideOnGraph(
  engines: Engines,
  directions: Directions,
  event: EventFormula,
  { comparison, value }: Threshold,
): TruthValues | undefined {
  const possible = value.numerator === 0n && (comparison === '>' || comparison === '<=');
  const certain = value.compare(Rational.ONE) === 0 && (comparison === '>=' || comparison === '<');
  if (!possible && !certain) return undefined;
  const asked = possible ? event : { ...event, negated: !event.negated };
  const players = possible ? directions : opposite(directions);
  const least = engines.support(players, extremeEvent(asked, 'least'));
  if (least === undefined) return undefined;
  const decided = isDecided(event.remain) && isDecided(event.target);
  const greatest = decided ? least : engines.support(players, extremeEvent(asked, 'greatest'));
  if (greatest === undefined) return undefined;
  const open = greatest.difference(least);
  const holds = comparison === '>' || comparison === '<' ? least : greatest.complement();
  const obtained: Obtained = decided ? fromGraph : together(fromGraph, event.remain, event.target);
  return truth(holds, obtained, open);
}

/**
 * Spans the least and the greatest value that operands with open states leave possible; if none is open, a single solve.
 *
 * @param most an upper limit of the numbers
 */
export function spanned(
  least: Solved,
  greatest: () => Solved,
  operands: readonly TruthValues[],
  most: number,
): NumberValues {
  if (operands.every(isDecided)) return numbersOf(least, most);
  return { ...numbersOf(between(least, greatest()), most), doubt: together(...operands).doubt };
}
