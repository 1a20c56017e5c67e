import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../bindings/solvers/kernel/inline.js';
import { InvalidArgumentError, InvalidModelError } from '../../bindings/base/errors.js';
import {
  type Automaton,
  bindAutomaton,
  buildAutomaton,
  OPEN,
  VIOLATED,
} from '../../bindings/languages/automaton/index.js';
import { printFormula } from '../../bindings/languages/logic/index.js';
import {
  type ChainView,
  jointViolationRisk,
  violationRisk,
  violationTime,
} from '../../bindings/solvers/checker/index.js';
import type { Transition } from '../../bindings/solvers/model/index.js';
import { holds, type Position } from '../oracle/ltlf.js';
import { learntChains } from './chains.js';
import { nestedFormula, predicates } from './formulas.js';
import { runs } from './runs.js';

/** Linear congruential numbers in [0, 1) by Knuth's constants, whose high bits are used. */
function randomNumbers(seed: number): () => number {
  let state = BigInt(seed);
  return () => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return Number(state >> 11n) / 2 ** 53;
  };
}

/** The states passed by a run, `end` left out, cut after `most`; `ended` where it came to `end`. */
function simulate(
  rows: readonly (readonly Transition[])[],
  random: () => number,
  most: number,
): { path: number[]; ended: boolean } {
  const path: number[] = [];
  for (let s = 0; path.length <= most; ) {
    let left = random();
    const row = rows[s];
    const [next] = row.find(([, p]) => (left -= p) < 0) ?? row[row.length - 1];
    if (next === rows.length - 1) return { path, ended: true };
    path.push(next);
    s = next;
  }
  return { path, ended: false };
}

const RUNS = 2000;
/** Hoeffding: a frequency of `RUNS` runs is off by more with probability at most 1e-9, for each of some thousand comparisons. */
const MARGIN = Math.sqrt(Math.log(2 / 1e-9) / (2 * RUNS));

function expectFrequency(count: number, { lower, upper }: { lower: number; upper: number }, about: string) {
  expect(count / RUNS, about).toBeGreaterThanOrEqual(lower - MARGIN);
  expect(count / RUNS, about).toBeLessThanOrEqual(upper + MARGIN);
}

/** The step, from 0, at which the rule is violated on a run, the end counted as one more; null where it is not, as far as the run goes. */
function violatedAt(
  view: ChainView,
  automaton: Automaton,
  atEnd: 'strong' | 'weak',
  { path, ended }: { path: readonly number[]; ended: boolean },
): number | null {
  const stepper = bindAutomaton(automaton, predicates);
  let q = automaton.initial;
  for (const [k, s] of path.entries()) {
    q = stepper.step(q, view.valuations, s * view.words);
    if (automaton.verdict[q] === VIOLATED) return k;
  }
  const broken = ended && atEnd === 'strong' && automaton.verdict[q] === OPEN && !automaton.accepting[q];
  return broken ? path.length : null;
}

function unlessRefused<T>(solve: () => T): T {
  try {
    return solve();
  } catch (error) {
    if (error instanceof InvalidArgumentError || error instanceof InvalidModelError) fc.pre(false);
    throw error;
  }
}

describe('simulated runs, of fixed seeds', () => {
  it('break rules of future and past as often as their risk says, alone and together', () => {
    fc.assert(
      fc.property(
        learntChains(6, true),
        nestedFormula,
        nestedFormula,
        fc.nat(1e6),
        (chain, one, other, seed) => {
          const { rows, view, valuations } = chain;
          const rules = [one, other].map((formula) => ({
            automaton: buildAutomaton(formula),
            atEnd: 'strong' as const,
          }));
          const joint = unlessRefused(() => jointViolationRisk({ chain: view, rules }));
          const single = rules.map((rule) => violationRisk({ chain: view, ...rule }));
          const position = (bits: number): Position =>
            Object.fromEntries(predicates.map((name, i) => [name, ((bits >> i) & 1) === 1]));
          const random = randomNumbers(seed);
          const broken = [0, 0];
          let either = 0;
          for (let run = 0; run < RUNS; run++) {
            const word = simulate(rows, random, 6).path.map((s) => position(valuations[s - 1]));
            const breaks = [one, other].map((formula) => !holds(formula, word));
            for (const i of [0, 1]) broken[i] += Number(breaks[i]);
            either += Number(breaks[0] || breaks[1]);
          }
          expectFrequency(broken[0], single[0].start, printFormula(one));
          expectFrequency(broken[1], single[1].start, printFormula(other));
          expectFrequency(either, joint.start, `${printFormula(one)} or ${printFormula(other)}`);
        },
      ),
      { numRuns: runs(12), seed: 3 },
    );
  });

  it('break a rule by each step as often as the time to violation says, weak or strong at the end', () => {
    fc.assert(
      fc.property(
        learntChains(5, false),
        nestedFormula,
        fc.constantFrom('strong' as const, 'weak' as const),
        fc.nat(1e6),
        ({ rows, view }, formula, atEnd, seed) => {
          const automaton = buildAutomaton(formula);
          const { start } = unlessRefused(() =>
            violationTime({ chain: view, automaton, atEnd, horizonSteps: 12 }),
          );
          const random = randomNumbers(seed);
          const by = new Array<number>(13).fill(0);
          for (let run = 0; run < RUNS; run++) {
            const at = violatedAt(view, automaton, atEnd, simulate(rows, random, 13));
            if (at !== null) for (let k = at; k < by.length; k++) by[k]++;
          }
          for (const [k, count] of by.entries()) {
            const bounds = { lower: start.within.lower[k], upper: start.within.upper[k] };
            expectFrequency(count, bounds, `${printFormula(formula)} by ${k}`);
          }
        },
      ),
      { numRuns: runs(12), seed: 3 },
    );
  });
});
