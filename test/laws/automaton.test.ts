import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Automaton,
  bindAutomaton,
  buildAutomaton,
  OPEN,
  SATISFIED,
  statesAfterWords,
  successors,
  VIOLATED,
} from '../../bindings/languages/automaton/index.js';
import { type Formula, printFormula } from '../../bindings/languages/logic/index.js';
import { holds, type Position } from '../oracle/ltlf.js';
import {
  booleanFormula,
  countFormula,
  nestedFormula,
  operatorFormula,
  operators,
  predicates,
  responseFormula,
  ruleFormula,
} from './formulas.js';

const place = { line: 1, column: 1, offset: 0 };

/** A position is a number below 8: bit i is predicate i. */
const word = fc.array(fc.nat(7), { minLength: 1, maxLength: 12 });
const position = (bits: number): Position =>
  Object.fromEntries(predicates.map((name, i) => [name, ((bits >> i) & 1) === 1]));

function run(automaton: Automaton, letters: readonly number[]): number[] {
  const stepper = bindAutomaton(automaton, predicates);
  let q = automaton.initial;
  return letters.map((letter) => (q = stepper.step(q, Uint32Array.of(letter))));
}

/** Asserts that the automaton accepts exactly those prefixes of a word that satisfy the formula, and returns it. */
function expectDefinition(formula: Formula, letters: readonly number[]): Automaton {
  const automaton = buildAutomaton(formula);
  const trace = letters.map(position);
  run(automaton, letters).forEach((q, i) => {
    const [found, expected] = [Boolean(automaton.accepting[q]), holds(formula, trace.slice(0, i + 1))];
    // To print the formula, and to expect, takes longer than to compute both.
    if (found !== expected)
      expect.fail(`${printFormula(formula)} after ${i + 1}: found ${found}, expected ${expected}`);
  });
  return automaton;
}

describe('the automaton of a formula', () => {
  it('accepts exactly the prefixes that satisfy the formula by its definition', () => {
    fc.assert(
      fc.property(ruleFormula, word, (formula, letters) => {
        expectDefinition(formula, letters);
      }),
      { numRuns: 5000 },
    );
  });

  it.each(operators)('reads %s as its definition does, after each prefix', (operator) => {
    fc.assert(
      fc.property(operatorFormula(operator), word, (formula, letters) => {
        expectDefinition(formula, letters);
      }),
      { numRuns: 200 },
    );
  });

  it('reads counts as their definition does, under an operator of the future too', () => {
    fc.assert(
      fc.property(countFormula, fc.constantFrom(null, 'G', 'F'), word, (operand, operator, letters) => {
        const formula: Formula =
          operator === null ? operand : { kind: 'unary', operator, operand, window: null, place };
        expectDefinition(formula, letters);
      }),
      { numRuns: 3000 },
    );
  });

  it('does so however operators of future and past are nested', () => {
    fc.assert(
      fc.property(nestedFormula, word, (formula, letters) => {
        expectDefinition(formula, letters);
      }),
      { numRuns: 5000 },
    );
  });

  it('is right and the smallest of several responses and an invariant at once', () => {
    const invariant = booleanFormula.map(
      (operand): Formula => ({ kind: 'unary', operator: 'G', operand, window: null, place }),
    );
    const conjunction = fc
      .tuple(responseFormula, responseFormula, fc.oneof(responseFormula, invariant, ruleFormula))
      .map((parts) => parts.reduce((left, right): Formula => ({ kind: 'and', left, right, place })));
    fc.assert(
      fc.property(conjunction, word, (formula, letters) => {
        const automaton = expectDefinition(formula, letters);
        expect(futures(automaton), printFormula(formula)).toBe(automaton.states);
      }),
      { numRuns: 1000 },
    );
  });

  it('gives the verdict that trying all continuations gives', () => {
    // With deadlines up to 2 a verdict is decided within 4 more positions; letters that the formula tells apart number 8.
    const short = ruleFormula.filter((formula) => buildAutomaton(formula).states <= 4);
    fc.assert(
      fc.property(short, fc.array(fc.nat(7), { minLength: 1, maxLength: 4 }), (formula, letters) => {
        const automaton = buildAutomaton(formula);
        const q = run(automaton, letters).at(-1) as number;
        const values = continuations(formula, letters.map(position), 3);
        const expected = values.has(true) ? (values.has(false) ? OPEN : SATISFIED) : VIOLATED;
        expect(automaton.verdict[q], printFormula(formula)).toBe(expected);
      }),
      { numRuns: 150 },
    );
  });

  it('never leaves a verdict', () => {
    fc.assert(
      fc.property(ruleFormula, (formula) => {
        const automaton = buildAutomaton(formula);
        for (let q = 0; q < automaton.states; q++) {
          if (automaton.verdict[q] !== OPEN) expect(successors(automaton, q)).toEqual([q]);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('has no two states with the same future and none that no word reaches', () => {
    fc.assert(
      fc.property(ruleFormula, (formula) => {
        const automaton = buildAutomaton(formula);
        expect(new Set([automaton.initial, ...statesAfterWords(automaton)]).size).toBe(automaton.states);
        expect(futures(automaton)).toBe(automaton.states);
      }),
      { numRuns: 1000 },
    );
  });
});

/** Truth values of a formula over all continuations of a prefix, the empty one included, up to a length. */
function continuations(formula: Formula, prefix: readonly Position[], length: number): Set<boolean> {
  const values = new Set<boolean>();
  const extend = (trace: readonly Position[], left: number): void => {
    values.add(holds(formula, trace));
    if (left > 0 && values.size < 2)
      for (let bits = 0; bits < 8; bits++) extend([...trace, position(bits)], left - 1);
  };
  extend(prefix, length);
  return values;
}

/** Number of states told apart by some word: Moore's refinement over all eight valuations. */
function futures(automaton: Automaton): number {
  const stepper = bindAutomaton(automaton, predicates);
  let classOf: number[] = Array.from(automaton.accepting);
  for (let count = new Set(classOf).size; ; ) {
    const signatures = classOf.map((own, q) =>
      [own, ...Array.from({ length: 8 }, (_, bits) => classOf[stepper.step(q, Uint32Array.of(bits))])].join(),
    );
    const distinct = [...new Set(signatures)];
    classOf = signatures.map((signature) => distinct.indexOf(signature));
    if (distinct.length === count) return count;
    count = distinct.length;
  }
}
