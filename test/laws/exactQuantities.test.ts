import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../bindings/solvers/kernel/inline.js';
import { Rational as Fraction } from '../../bindings/base/rational.js';
import { type ExactValue, exactText, openExact } from '../../bindings/solvers/checker/exact/index.js';
import { BitSet, type Csr, type Direction, type MdpMatrix } from '../../bindings/solvers/kernel/index.js';
import type { Dtmc, Mdp, Rewards } from '../../bindings/solvers/model/index.js';
import { arbitraryUntil } from '../kernel/randomChains.js';
import { arbitraryMdpReward, arbitraryMdpUntil } from '../kernel/randomMdps.js';
import { ExactChain } from '../oracle/chain.js';
import { ExactMdp } from '../oracle/mdp.js';
import { max, Rational } from '../oracle/rational.js';
import {
  accumulated,
  type ExactReward,
  exactGains,
  exactLongRunAverage,
  exactReachabilityReward,
  exactSteps,
  exactTotalReward,
} from '../oracle/rewards.js';
import { exactWindowedUntil } from '../oracle/windowedUntil.js';
import { runs } from './runs.js';

const directions: Direction[] = ['min', 'max'];
const common = { initial: [0], labels: new Map() };

function chainModel(matrix: Csr): Dtmc {
  return { type: 'dtmc', states: matrix.rowStart.length - 1, ...common, ...matrix };
}

function mdpModel(matrix: MdpMatrix): Mdp {
  return { type: 'mdp', states: matrix.rowGroupStart.length - 1, ...common, ...matrix };
}

const texts = (values: readonly ExactValue[]) => values.map(exactText);
const oracleTexts = (values: readonly ExactReward[]) => values.map((value) => `${value ?? 'Infinity'}`);

/** Enumerating more schedulers than this takes too long for a law. */
const few = ({ matrix }: { matrix: MdpMatrix }) => new ExactMdp(matrix).size <= 100;

const window = fc.tuple(fc.nat(3), fc.option(fc.nat(4))).map(([from, width]) => ({
  from,
  to: width === null ? null : from + width,
}));

/** A chain of at most seven states with small whole weights, and some of their fractions thirds or sevenths. */
const arbitraryFractions = fc.integer({ min: 1, max: 7 }).chain((states) => {
  const row = fc
    .array(fc.tuple(fc.nat(states - 1), fc.bigInt(1n, 9n)), { minLength: 1, maxLength: 4 })
    .map((weights) => new Map(weights))
    .map((weights) => {
      const total = [...weights.values()].reduce((a, b) => a + b);
      return new Map([...weights].sort(([a], [b]) => a - b).map(([t, w]) => [t, new Rational(w, total)]));
    });
  return fc.record({
    rows: fc.array(row, { minLength: states, maxLength: states }),
    target: fc
      .array(fc.nat(3), { minLength: states, maxLength: states })
      .map((dice) => BitSet.where(states, (s) => dice[s] === 0)),
    rewards: fc.array(fc.tuple(fc.bigInt(0n, 4n), fc.bigInt(1n, 7n)), {
      minLength: states,
      maxLength: states,
    }),
  });
});

describe('rational arithmetic on chains', () => {
  it('gives the probability of every until, within windows and without', () => {
    fc.assert(
      fc.property(arbitraryUntil, window, ({ matrix, remain, target }, { from, to }) => {
        using exact = openExact({ model: chainModel(matrix) });
        const oracle = new ExactChain(matrix);
        expect(texts(exact.until([], remain, target))).toEqual(oracleTexts(oracle.until(remain, target)));
        expect(texts(exact.boundedUntil([], { remain, target, from, to }))).toEqual(
          oracleTexts(exactWindowedUntil(oracle, remain, target, from, to)),
        );
        expect(texts(exact.next([], target))).toEqual(oracleTexts(oracle.next(target)));
      }),
      { numRuns: runs(60) },
    );
  });

  it('gives every expected reward, infinite ones included, and long-run means', () => {
    fc.assert(
      fc.property(
        arbitraryUntil,
        fc.infiniteStream(fc.nat(3)),
        fc.nat(4),
        ({ matrix, target }, dice, steps) => {
          const model = chainModel(matrix);
          const drawn = (size: number) => Float64Array.from({ length: size }, () => dice.next().value);
          const rewards: Rewards = {
            name: 'r',
            states: drawn(model.states),
            branches: drawn(matrix.columns.length),
          };
          using exact = openExact({ model });
          const oracle = new ExactChain(matrix);
          const earned = {
            states: rewards.states!,
            transitions: { ...matrix, values: rewards.branches! },
          };
          const all = BitSet.full(model.states);
          expect(texts(exact.reachabilityReward([], rewards, target))).toEqual(
            oracleTexts(exactReachabilityReward(oracle, earned, target)),
          );
          expect(texts(exact.totalReward([], rewards))).toEqual(
            oracleTexts(exactTotalReward(oracle, earned, all)),
          );
          const nothing = oracle.rows.map(() => Rational.ZERO);
          expect(texts(exact.cumulativeReward([], rewards, steps))).toEqual(
            oracleTexts(exactSteps(oracle, nothing, exactGains(oracle, earned), steps)[steps]),
          );
          expect(texts(exact.instantaneousReward([], rewards, steps))).toEqual(
            oracleTexts(
              exactSteps(
                oracle,
                [...rewards.states!].map((r) => Rational.fromDouble(r)),
                nothing,
                steps,
              )[steps],
            ),
          );
          expect(texts(exact.longRunReward([], rewards))).toEqual(
            oracleTexts(exactLongRunAverage(oracle, earned, all)),
          );
        },
      ),
      { numRuns: runs(40) },
    );
  });

  it('counts with the fractions of the source, not with the doubles nearest to them', () => {
    fc.assert(
      fc.property(arbitraryFractions, ({ rows, target, rewards }) => {
        const entries = rows.flatMap((row) => [...row]);
        const fraction = ({ numerator, denominator }: Rational) => new Fraction(numerator, denominator);
        const rewardFractions = rewards.map(([n, d]) => new Fraction(n, d));
        const structure: Rewards = {
          name: 'r',
          states: Float64Array.from(rewardFractions, (reward) => reward.toNumber()),
        };
        const model: Dtmc = {
          ...chainModel({
            rowStart: Uint32Array.from([
              0,
              ...rows.map((_, s) => rows.slice(0, s + 1).flatMap((r) => [...r]).length),
            ]),
            columns: Uint32Array.from(entries, ([t]) => t),
            values: Float64Array.from(entries, ([, p]) => fraction(p).toNumber()),
          }),
          rewards: [structure],
        };
        using exact = openExact({
          model,
          exactValues: entries.map(([, p]) => fraction(p)),
          exactRewards: [{ states: rewardFractions }],
        });
        expect([exact.exactOf(structure), ...exact.warnings]).toEqual(['source']);
        const oracle = new ExactChain(rows);
        const all = BitSet.full(model.states);
        expect(texts(exact.until([], all, target))).toEqual(oracleTexts(oracle.until(all, target)));
        const gain = rewards.map(([n, d]) => new Rational(n, d));
        const nothing = gain.map(() => Rational.ZERO);
        expect(texts(exact.cumulativeReward([], structure, 3))).toEqual(
          oracleTexts(exactSteps(oracle, nothing, gain, 3)[3]),
        );
      }),
      { numRuns: runs(60) },
    );
  });
});

describe('rational arithmetic on decision processes', () => {
  it('gives what the best of all schedulers attains', () => {
    fc.assert(
      fc.property(
        arbitraryMdpUntil.filter(few),
        fc.constantFrom(...directions),
        fc.nat(3),
        ({ matrix, remain, target }, direction, steps) => {
          using exact = openExact({ model: mdpModel(matrix) });
          const oracle = new ExactMdp(matrix);
          expect(texts(exact.until([direction], remain, target))).toEqual(
            oracleTexts(oracle.until(direction, remain, target)),
          );
          expect(texts(exact.boundedUntil([direction], { remain, target, from: 0, to: steps }))).toEqual(
            oracleTexts(oracle.boundedUntil(direction, remain, target, steps)),
          );
          expect(texts(exact.next([direction], target))).toEqual(oracleTexts(oracle.next(direction, target)));
        },
      ),
      { numRuns: runs(80) },
    );
  });

  it('gives the best expected reward before a target and for ever', () => {
    fc.assert(
      fc.property(
        arbitraryMdpReward.filter(few),
        fc.constantFrom(...directions),
        ({ matrix, rewards, target }, direction) => {
          const model = mdpModel(matrix);
          const structure: Rewards = {
            name: 'r',
            ...(rewards.states && { states: rewards.states }),
            ...(rewards.rows && { choices: rewards.rows }),
          };
          using exact = openExact({ model });
          const oracle = new ExactMdp(matrix);
          const earned = Array.from({ length: matrix.rowStart.length - 1 }, (_, row) => {
            const s = matrix.rowGroupStart.findLastIndex((start) => start <= row);
            return Rational.fromDouble(rewards.states?.[s] ?? 0).plus(
              Rational.fromDouble(rewards.rows?.[row] ?? 0),
            );
          });
          expect(texts(exact.reachabilityReward([direction], structure, target))).toEqual(
            oracleTexts(oracle.reachabilityReward(direction, earned, target)),
          );
          let best: ExactReward[] | undefined;
          for (const scheduler of oracle.schedulers()) {
            const chain = new ExactChain(oracle.induced(scheduler));
            const gain = Array.from(scheduler, (row) => earned[row]);
            const earns = (states: readonly number[]) => states.some((s) => gain[s].compare(0) > 0);
            const values = accumulated(chain, gain, () => true, earns);
            best = best?.map((value, s) => better(direction, value, values[s])) ?? values;
          }
          expect(texts(exact.totalReward([direction], structure))).toEqual(oracleTexts(best!));
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it('gives the best mean in the long run', () => {
    fc.assert(
      fc.property(
        arbitraryMdpReward.filter(few),
        fc.constantFrom(...directions),
        ({ matrix, rewards }, direction) => {
          const model = mdpModel(matrix);
          const gains = rewards.rows ?? new Float64Array(matrix.rowStart.length - 1).fill(1);
          using exact = openExact({ model });
          const oracle = new ExactMdp(matrix);
          const all = BitSet.full(model.states);
          let best: ExactReward[] | undefined;
          for (const scheduler of oracle.schedulers()) {
            const states = Float64Array.from(scheduler, (row) => gains[row]);
            const values = exactLongRunAverage(new ExactChain(oracle.induced(scheduler)), { states }, all);
            best = best?.map((value, s) => better(direction, value, values[s])) ?? values;
          }
          expect(texts(exact.longRunReward([direction], { name: 'r', choices: gains }))).toEqual(
            oracleTexts(best!),
          );
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it('gives least values that are at most the greatest, and complements for events and their contraries', () => {
    fc.assert(
      fc.property(arbitraryMdpUntil, ({ matrix, target }) => {
        using exact = openExact({ model: mdpModel(matrix) });
        const all = BitSet.full(exact.states);
        const least = exact.until(['min'], all, target);
        const greatest = exact.until(['max'], all, target);
        expect(least.every((value, s) => value.compare(greatest[s]) <= 0)).toBe(true);
        // What is missed for ever is missed: 1 - Pmin(F target) is the chance, at best, to stay out of it. Where the target absorbs,
        // that is to come to where it can be avoided.
        const avoided = BitSet.where(exact.states, (s) => least[s].numerator === 0n);
        const missed = exact.until(['max'], target.complement(), avoided);
        expect(texts(missed)).toEqual(texts(least.map((value) => value.complement())));
      }),
      { numRuns: runs(40) },
    );
  });
});

function better(direction: Direction, a: ExactReward, b: ExactReward): ExactReward {
  if (a === null || b === null) return direction === 'max' ? null : (a ?? b);
  return direction === 'max' ? max(a, b) : a.compare(b) <= 0 ? a : b;
}
