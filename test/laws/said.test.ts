import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLexicon, sayFormula } from '../../bindings/languages/english/index.js';
import { PATTERNS } from '../../bindings/languages/english/say/patterns.js';
import { type Formula, printFormula } from '../../bindings/languages/logic/index.js';
import { holds, type Position } from '../oracle/ltlf.js';
import { bareWords, normal, readSaid, type SaidPredicate } from '../oracle/said.js';
import { countFormula, nestedFormula, predicates, responseFormula, ruleFormula } from './formulas.js';

const runs = Number(process.env.SAID_RUNS ?? 400);
const place = { line: 1, column: 1, offset: 0 };

const NAMES = [...predicates, 'd'] as const;
const bare = NAMES.map(bareWords);

const step = (bits: number): Position =>
  Object.fromEntries(NAMES.map((name, i) => [name, ((bits >> i) & 1) === 1]));
/** All traces of up to three steps over a, b and c; d is false. */
const short = [1, 2, 3].flatMap((length) =>
  Array.from({ length: 8 ** length }, (_, bits) => Array.from({ length }, (_, i) => step(bits >> (3 * i)))),
);
const longer = fc.array(fc.array(fc.nat(15).map(step), { minLength: 4, maxLength: 9 }), {
  minLength: 60,
  maxLength: 60,
});

/** Asserts that a text has a meaning, and no other one than the formula's. */
function expectSaid(
  formula: Formula,
  text: string,
  words: readonly SaidPredicate[],
  traces: readonly (readonly Position[])[],
): void {
  const readings = readSaid(text, words);
  expect(readings, `${printFormula(formula)} is said as: ${text}`).not.toHaveLength(0);
  const own = JSON.stringify(normal(formula));
  for (const reading of readings) {
    if (JSON.stringify(normal(reading)) === own) continue;
    const trace = [...short, ...traces].find((each) => holds(formula, each) !== holds(reading, each));
    expect(
      trace,
      `${printFormula(formula)} is said as: ${text}, which is ${printFormula(reading)}`,
    ).toBeUndefined();
  }
}

const words: readonly SaidPredicate[] = [
  {
    name: 'a',
    holds: 'the stove is on',
    not: 'the stove is off',
    never: 'the stove is never on',
    always: 'the stove is always on',
  },
  {
    name: 'b',
    holds: 'the robot waits until it is told',
    not: 'it is false that the robot waits until it is told',
  },
  {
    name: 'c',
    holds: 'the door has been opened',
    not: 'the door has not been opened',
    never: 'the door has never been opened',
    always: 'the door has always been opened',
  },
];
const lexicon = createLexicon({
  a: { say: 'the stove is on', not: 'the stove is off' },
  b: { say: 'the robot waits until it is told' },
  c: { say: 'the door has been opened' },
});

describe('a formula said in English', () => {
  it('is read back as itself, in no other way', () => {
    fc.assert(
      fc.property(
        fc.oneof(nestedFormula, ruleFormula, countFormula, responseFormula),
        longer,
        (formula, traces) => {
          expectSaid(formula, sayFormula(formula), bare, traces);
          expectSaid(formula, sayFormula(formula, lexicon), words, traces);
        },
      ),
      { numRuns: runs },
    );
  });

  it.each(PATTERNS.map((pattern) => [pattern.sentence, pattern] as const))(
    '%s means its pattern',
    (_, { parts, numbers, formula }) => {
      fc.assert(
        fc.property(
          fc.nat(2),
          longer,
          fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
          (more, traces, negated) => {
            const k = numbers === 'none' ? 0 : more + 1;
            const names = NAMES.slice(0, parts).map((name, i): Formula => {
              const predicate: Formula = { kind: 'predicate', name, place };
              return negated[i] ? { kind: 'not', operand: predicate, place } : predicate;
            });
            const said = formula(names, k);
            expectSaid(said, sayFormula(said), bare, traces);
          },
        ),
        { numRuns: 4 },
      );
    },
  );
});
