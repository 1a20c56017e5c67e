import fc from 'fast-check';
import { expect, test } from 'vitest';
import '../../bindings/solvers/kernel/inline.js';
import type { LtlFormula } from '../../bindings/languages/automaton/index.js';
import { ltlProbability } from '../../bindings/solvers/checker/index.js';
import { BitSet, type Csr, type MdpMatrix } from '../../bindings/solvers/kernel/index.js';
import type { Dtmc, IntervalDtmc, Mdp } from '../../bindings/solvers/model/index.js';
import { chainOf } from '../kernel/chains.js';
import { mdpOf } from '../kernel/randomMdps.js';
import { expectBrackets } from '../oracle/brackets.js';
import { ExactChain } from '../oracle/chain.js';
import { exactLtl } from '../oracle/chainLtl.js';
import { and, atom, F, G, not, or } from '../oracle/ltlShorthand.js';
import { ExactMdp } from '../oracle/mdp.js';
import { Rational } from '../oracle/rational.js';
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

/** Boolean combinations of `GF a` and `FG a`. */
const { recurrence } = fc.letrec<{ recurrence: LtlFormula }>((tie) => ({
  recurrence: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc
      .record({ often: fc.boolean(), positive: fc.boolean(), number: fc.nat(ATOMS - 1) })
      .map(({ often, positive, number }) => {
        const operand = positive ? atom(number) : not(atom(number));
        return often ? G(F(operand)) : F(G(operand));
      }),
    fc.tuple(tie('recurrence'), tie('recurrence')).map(([left, right]) => and(left, right)),
    fc.tuple(tie('recurrence'), tie('recurrence')).map(([left, right]) => or(left, right)),
  ),
}));

/** Whether visiting exactly the states of a set again and again satisfies such a formula. */
function holdsInTheLongRun(formula: LtlFormula, often: number[], atoms: readonly BitSet[]): boolean {
  const holds = (operand: LtlFormula, s: number): boolean =>
    operand.kind === 'not'
      ? !holds(operand.operand, s)
      : operand.kind === 'atom' && atoms[operand.atom].has(s);
  switch (formula.kind) {
    case 'and':
    case 'or': {
      const [left, right] = [formula.left, formula.right].map((side) =>
        holdsInTheLongRun(side, often, atoms),
      );
      return formula.kind === 'and' ? left && right : left || right;
    }
    case 'globally':
    case 'finally': {
      const inner = (formula.operand as { operand: LtlFormula }).operand;
      return formula.kind === 'globally'
        ? often.some((s) => holds(inner, s))
        : often.every((s) => holds(inner, s));
    }
    default:
      throw new TypeError(formula.kind);
  }
}

/** Whether a scheduler can stay in a set of states for ever and visit all of it: by the definition of end components. */
function isEndComponent({ rowGroupStart, rowStart, columns }: MdpMatrix, members: number[]): boolean {
  const inside = new Set(members);
  const successors = new Map(
    members.map((s) => {
      const rows = Array.from(
        { length: rowGroupStart[s + 1] - rowGroupStart[s] },
        (_, i) => rowGroupStart[s] + i,
      )
        .map((r) => [...columns.subarray(rowStart[r], rowStart[r + 1])])
        .filter((row) => row.every((t) => inside.has(t)));
      return [s, rows.flat()];
    }),
  );
  return members.every((s) => {
    const reached = new Set(successors.get(s));
    for (const t of reached) for (const next of successors.get(t) ?? []) reached.add(next);
    return members.every((t) => reached.has(t));
  });
}

test('least and greatest probabilities of what happens in the long run bracket those of reaching good end components', () => {
  fc.assert(
    fc.property(processes, recurrence, (model, formula) => {
      const everywhere = BitSet.full(model.states);
      const greatest = (wanted: (often: number[]) => boolean): Rational[] => {
        const good = new BitSet(model.states);
        for (let code = 1; code < 2 ** model.states; code++) {
          const members = [...everywhere].filter((s) => ((code >> s) & 1) === 1);
          if (!wanted(members) || !isEndComponent(model.matrix, members)) continue;
          for (const s of members) good.add(s);
        }
        return new ExactMdp(model.matrix).until('max', everywhere, good);
      };
      const holds = (often: number[]) => holdsInTheLongRun(formula, often, model.atoms);
      const most = greatest(holds);
      const least = greatest((often) => !holds(often)).map((value) => Rational.ONE.minus(value));
      expectBrackets(ltlProbability(mdp(model), ['max'], formula, model.atoms), most);
      expectBrackets(ltlProbability(mdp(model), ['min'], formula, model.atoms), least);
    }),
    { numRuns: runs(150) },
  );
});

test('no fixed probabilities are outside what nature can choose', () => {
  fc.assert(
    fc.property(chains, moderate, fc.constantFrom(0.0625, 0.03125), (model, formula, slack) => {
      const { values, rowStart, columns } = model.matrix;
      const alone = (e: number) => values[e] === 1;
      const intervals: IntervalDtmc = {
        type: 'idtmc',
        states: model.states,
        ...parts,
        rowStart,
        columns,
        lower: values.map((value, e) => (alone(e) ? 1 : value - slack)),
        upper: values.map((value, e) => (alone(e) ? 1 : value + slack)),
      };
      const least = ltlProbability(intervals, ['min'], formula, model.atoms);
      const greatest = ltlProbability(intervals, ['max'], formula, model.atoms);
      // Mass moved from the last successor of each row to its first one, as far as it goes, and the other way round.
      for (const moved of [slack, 0, -slack]) {
        const shifted = values.map((value, e) => {
          if (alone(e)) return value;
          return value + (rowStart.includes(e) ? moved : 0) - (rowStart.includes(e + 1) ? moved : 0);
        });
        const exact = exactLtl(new ExactChain({ rowStart, columns, values: shifted }), formula, model.atoms);
        exact.forEach((value, s) => {
          expect(value.compare(least.lower[s])).toBeGreaterThanOrEqual(0);
          expect(value.compare(greatest.upper[s])).toBeLessThanOrEqual(0);
        });
      }
    }),
    { numRuns: runs(60) },
  );
});
