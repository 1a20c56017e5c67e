import fc from 'fast-check';
import { expect, test } from 'vitest';
import '../../bindings/kernel/inline.js';
import { ltlProbability } from '../../bindings/checker/index.js';
import { BitSet, type Csr, type MdpMatrix } from '../../bindings/kernel/index.js';
import type { Dtmc, Mdp } from '../../bindings/model/index.js';
import { chainOf } from '../kernel/chains.js';
import { mdpOf } from '../kernel/randomMdps.js';
import { expectBrackets } from '../oracle/brackets.js';
import { ExactChain } from '../oracle/chain.js';
import { exactLtl } from '../oracle/chainLtl.js';
import { ExactMdp } from '../oracle/mdp.js';
import { ATOMS, arbitraryLtl, unboundedOperators } from './ltlFormulas.js';
import { runs } from './runs.js';

/** Rows of probabilities that are eighths, so that they add up to 1 exactly, and paths go where the rows say. */
const row = (states: number) =>
  fc.array(fc.nat(states - 1), { minLength: 1, maxLength: 3 }).map((targets): [number, number][] => {
    const weights = new Map<number, number>();
    const parts = { 1: [8], 2: [5, 3], 3: [4, 3, 1] }[targets.length] as number[];
    targets.forEach((t, i) => {
      weights.set(t, (weights.get(t) ?? 0) + parts[i] / 8);
    });
    return [...weights].sort(([a], [b]) => a - b);
  });

const labelled = <M>(model: (states: number) => fc.Arbitrary<M>, maxStates: number) =>
  fc.integer({ min: 1, max: maxStates }).chain((states) =>
    fc.record({
      states: fc.constant(states),
      matrix: model(states),
      atoms: fc
        .array(fc.nat(2 ** states - 1), { minLength: ATOMS, maxLength: ATOMS })
        .map((codes) => codes.map((code) => BitSet.where(states, (s) => ((code >> s) & 1) === 1))),
    }),
  );

const chains = labelled(
  (states) => fc.array(row(states), { minLength: states, maxLength: states }).map(chainOf),
  5,
);
const processes = labelled(
  (states) =>
    fc
      .array(fc.array(row(states), { minLength: 1, maxLength: 2 }), { minLength: states, maxLength: states })
      .map(mdpOf),
  4,
);

const parts = { initial: [0], labels: new Map<string, BitSet>() };
const dtmc = ({ states, matrix }: { states: number; matrix: Csr }): Dtmc => ({
  type: 'dtmc',
  states,
  ...parts,
  ...matrix,
});
const mdp = ({ states, matrix }: { states: number; matrix: MdpMatrix }): Mdp => ({
  type: 'mdp',
  states,
  ...parts,
  ...matrix,
});

const moderate = arbitraryLtl.filter((formula) => unboundedOperators(formula) <= 4);

test('the probability of a path formula on a chain brackets that of splitting states by what holds', () => {
  fc.assert(
    fc.property(chains, moderate, (model, formula) => {
      const exact = exactLtl(new ExactChain(model.matrix), formula, model.atoms);
      expectBrackets(ltlProbability(dtmc(model), [], formula, model.atoms), exact);
    }),
    { numRuns: runs(200) },
  );
});

test('no memoryless scheduler is outside what the least and the greatest probability allow', () => {
  fc.assert(
    fc.property(processes, moderate, (model, formula) => {
      const least = ltlProbability(mdp(model), ['min'], formula, model.atoms);
      const greatest = ltlProbability(mdp(model), ['max'], formula, model.atoms);
      const exact = new ExactMdp(model.matrix);
      for (const scheduler of exact.schedulers()) {
        const values = exactLtl(new ExactChain(exact.induced(scheduler)), formula, model.atoms);
        values.forEach((value, s) => {
          expect(value.compare(least.lower[s])).toBeGreaterThanOrEqual(0);
          expect(value.compare(greatest.upper[s])).toBeLessThanOrEqual(0);
        });
      }
    }),
    { numRuns: runs(60) },
  );
});
