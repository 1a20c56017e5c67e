import fc from 'fast-check';
import type { ChainView } from '../../bindings/solvers/checker/index.js';
import type { Transition } from '../../bindings/solvers/model/index.js';
import type { Rational } from '../oracle/rational.js';
import { predicates } from './formulas.js';

/** A row over `states` states in 64ths, so that doubles hold it exactly; probabilities from 1/64 to 1. */
export function dyadicRow(states: number, targets = [...Array(states).keys()]): fc.Arbitrary<Transition[]> {
  return fc
    .tuple(
      fc.shuffledSubarray(targets, { minLength: 1, maxLength: Math.min(4, targets.length) }),
      fc.array(fc.integer({ min: 1, max: 63 }), { minLength: 3, maxLength: 3 }),
    )
    .map(([chosen, cuts]) => {
      // Distinct cuts of 0..64 into as many parts as there are targets.
      const bounds = [0, ...[...new Set(cuts)].slice(0, chosen.length - 1).sort((a, b) => a - b), 64];
      return chosen
        .slice(0, bounds.length - 1)
        .map((t, i): Transition => [t, (bounds[i + 1] - bounds[i]) / 64])
        .sort(([a], [b]) => a - b);
    });
}

/** Whether an exact value lies between two doubles. */
export function brackets(lower: number, value: Rational, upper: number): boolean {
  return value.compare(lower) >= 0 && value.compare(upper) <= 0;
}

/** A chain as learnt from traces: state 0 is `start`, the last is `end`, those between read the valuations given. */
export function chainView(
  rows: readonly (readonly Transition[])[],
  valuations: readonly number[],
  predicates: readonly string[],
): ChainView {
  const states = rows.length;
  return {
    states,
    rowStart: Uint32Array.from({ length: states + 1 }, (_, s) => rows.slice(0, s).flat().length),
    columns: Uint32Array.from(rows.flat(), ([t]) => t),
    values: Float64Array.from(rows.flat(), ([, p]) => p),
    start: 0,
    end: states - 1,
    predicates,
    words: 1,
    valuations: Uint32Array.from([0, ...valuations, 0]),
    draws: rows.map((row) => (row.length > 0 ? 10 : 0)),
  };
}

/** A chain as learnt from traces, with what it was made of. */
export interface LearntChain {
  readonly rows: readonly (readonly Transition[])[];
  /** Of the running states, over `predicates` of formulas.ts. */
  readonly valuations: readonly number[];
  readonly view: ChainView;
}

/** Learnt-like chains of `running` states. Where `forward`, every step goes to a later state, so runs are few and short. */
export function learntChains(running: number, forward: boolean): fc.Arbitrary<LearntChain> {
  const end = running + 1;
  const states = running + 2;
  const inner = Array.from({ length: running }, (_, i) => {
    const s = i + 1;
    return dyadicRow(
      states,
      [...Array(states).keys()].filter((t) => t > (forward ? s : 0) && t <= end),
    );
  });
  return fc
    .tuple(
      dyadicRow(
        states,
        [...Array(states).keys()].filter((t) => t > 0 && t < end),
      ),
      fc.tuple(...inner),
      fc.array(fc.nat(7), { minLength: running, maxLength: running }),
    )
    .map(([first, rest, valuations]) => {
      const rows = [first, ...rest, [[end, 1]] as Transition[]];
      return { rows, valuations, view: chainView(rows, valuations, predicates) };
    });
}
