import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bindAutomaton,
  buildAutomaton,
  OPEN,
  SATISFIED,
  VIOLATED,
} from '../../bindings/languages/automaton/index.js';
import { type Formula, printFormula } from '../../bindings/languages/logic/index.js';
import { written } from '../../bindings/runtime/explanation/asWritten.js';
import { coreOf } from '../../bindings/runtime/explanation/core.js';
import { explainVerdict } from '../../bindings/runtime/explanation/index.js';
import { owedParts } from '../../bindings/runtime/explanation/obligations.js';
import { packPrefix } from '../../bindings/runtime/explanation/prefix.js';
import { TRUE, truthValues, UNDECIDED } from '../../bindings/runtime/explanation/truth.js';
import { holds, type Position } from '../oracle/ltlf.js';
import { nestedFormula, predicates, ruleFormula } from './formulas.js';

const formulas = fc.oneof(nestedFormula, ruleFormula);
/** `G (… -> …)`, as most rules are. */
const triggered = fc.tuple(nestedFormula, nestedFormula).map(([left, right]): Formula => {
  const { place } = left;
  return {
    kind: 'unary',
    operator: 'G',
    operand: { kind: 'implies', left, right, place },
    window: null,
    place,
  };
});
const letters = (most: number) => fc.array(fc.nat(7), { minLength: 1, maxLength: most });
const position = (bits: number): Position =>
  Object.fromEntries(predicates.map((name, i) => [name, ((bits >> i) & 1) === 1]));

const words = { [OPEN]: 'open', [VIOLATED]: 'violated', [SATISFIED]: 'satisfied' };

function verdictAfter(formula: Formula, word: readonly number[]): { verdict: string; accepting: boolean } {
  const automaton = buildAutomaton(formula);
  const stepper = bindAutomaton(automaton, predicates);
  const q = word.reduce((state, letter) => stepper.step(state, Uint32Array.of(letter)), automaton.initial);
  return { verdict: words[automaton.verdict[q] as 0 | 1 | 2], accepting: automaton.accepting[q] === 1 };
}

describe('an explanation', () => {
  it('has the verdict of the automaton, and of a run that has ended that of the definition', () => {
    fc.assert(
      fc.property(formulas, letters(10), (formula, word) => {
        const { verdict } = verdictAfter(formula, word);
        const trace = word.map(position);
        expect(explainVerdict(formula, trace).verdict, printFormula(formula)).toBe(verdict);
        expect(explainVerdict(formula, trace, { ended: true }).verdict, printFormula(formula)).toBe(
          holds(formula, trace) ? 'satisfied' : 'violated',
        );
      }),
      { numRuns: 150 },
    );
  });

  it('has evidence that suffices: whatever else is true at these steps, the verdict stays', () => {
    let nontrivial = 0;
    fc.assert(
      fc.property(formulas, letters(10), letters(10), fc.boolean(), (formula, word, noise, ended) => {
        const trace = word.map(position);
        const { verdict, step, evidence, obligations } = explainVerdict(formula, trace, { ended });
        if (verdict === 'open' || obligations.length > 0 || step === null) return;
        const decided = verdictAfter(formula, word).verdict !== 'open';
        const kept = word.slice(0, step + 1).map((letter, i) => {
          let fixed = 0;
          for (const fact of evidence) {
            if (i < fact.from || i > fact.to) continue;
            predicates.forEach((name, p) => {
              if (new RegExp(`\\b${name}\\b`).test(fact.formula)) fixed |= 1 << p;
            });
          }
          const free = noise[i % noise.length] & ~fixed;
          if (free !== 0) nontrivial++;
          return (letter & fixed) | free;
        });
        const text = `${printFormula(formula)} on ${word} as ${kept}`;
        if (decided) expect(verdictAfter(formula, kept).verdict, text).toBe(verdict);
        else expect(holds(formula, kept.map(position)), text).toBe(verdict === 'satisfied');
      }),
      { numRuns: 300 },
    );
    expect(nontrivial).toBeGreaterThan(45);
  });

  it('names what is due: a continuation satisfies the formula exactly if it satisfies all of that', () => {
    let due = 0;
    fc.assert(
      fc.property(
        fc.oneof(formulas, triggered),
        letters(6),
        fc.array(fc.nat(7), { maxLength: 8 }),
        (formula, word, more) => {
          const parts = coreOf(formula);
          const prefix = packPrefix(word.map(position), predicates);
          const values = truthValues(parts, prefix, false);
          const root = parts[parts.length - 1];
          if (values[root.id][0] !== UNDECIDED) return;
          const trace = [...word, ...more].map(position);
          const owed = owedParts(parts, values, word.length);
          const met = owed.map(({ part, wanted, since, standing }) => {
            if (!standing) return holds(written(part, wanted), trace, since);
            // Only what is to come: at the steps so far, what is open is owed by itself.
            if (part.kind !== 'until') throw new Error(`a standing ${part.kind}`);
            const inert = written(part.right, false);
            for (let i = word.length; i < trace.length; i++) {
              if (part.to !== null && i > since + part.to) break;
              if (i >= since + part.from && !holds(inert, trace, i)) return false;
              if (part.left !== null && !holds(written(part.left), trace, i)) break;
            }
            return true;
          });
          due += owed.filter(({ standing }) => !standing).length;
          expect(
            met.every(Boolean),
            `${printFormula(formula)} on ${word} then ${more}: ${owed.map(({ part, wanted, since }) => `${printFormula(written(part, wanted))} at ${since}`)}`,
          ).toBe(holds(formula, trace));
          for (const { because } of owed) {
            for (const { part, step } of because) expect(values[part.id][step]).not.toBe(UNDECIDED);
          }
        },
      ),
      { numRuns: 1200 },
    );
    expect(due).toBeGreaterThan(35);
  });

  it('rests on truth values that no continuation contradicts', () => {
    fc.assert(
      fc.property(formulas, letters(6), fc.array(fc.nat(7), { maxLength: 6 }), (formula, word, more) => {
        const parts = coreOf(formula);
        const trace = [...word, ...more].map(position);
        const values = truthValues(parts, packPrefix(word.map(position), predicates), false);
        for (const part of parts) {
          for (let i = 0; i < trace.length; i++) {
            const value = values[part.id][Math.min(i, word.length)];
            if (value === UNDECIDED) continue;
            expect(holds(written(part), trace, i), `${printFormula(written(part))} at ${i}`).toBe(
              value === TRUE,
            );
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('counts the steps of a deadline as the automaton does', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.nat(6), fc.nat(6), (k, before, after) => {
        const steps = [
          ...Array<number>(before).fill(0),
          1,
          ...Array<number>(Math.min(after, k - 1)).fill(0),
        ].map(position);
        const { obligations, verdict } = explainVerdict(`G (a -> F<=${k} b)`, steps);
        expect(verdict).toBe('open');
        const [{ stepsLeft }] = obligations.filter(({ standing }) => !standing);
        const still = Array<Position>(stepsLeft ?? 0).fill(position(0));
        expect(explainVerdict(`G (a -> F<=${k} b)`, [...steps, ...still.slice(1)]).verdict).toBe('open');
        expect(explainVerdict(`G (a -> F<=${k} b)`, [...steps, ...still]).verdict).toBe('violated');
      }),
      { numRuns: 100 },
    );
  });
});
