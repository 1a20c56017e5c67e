import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  compileCondition,
  loadRegexEngine,
  parseExpression,
} from '../../../bindings/languages/expression/index.js';
import { evaluateTerm } from '../../../bindings/solvers/smt/index.js';
import { Context, NeedsDoubles } from '../../../bindings/solvers/symbolic/context.js';
import { symbolicInput } from '../../../bindings/solvers/symbolic/inputs.js';
import { Translator } from '../../../bindings/solvers/symbolic/translate.js';
import { conditions, inputs, values } from './expressions.js';
import { modelOf, withStandIns } from './grounded.js';

beforeAll(loadRegexEngine);

const runs = Number(process.env.FOREGUARD_SMT_PAIRS ?? 1500);

function translated(text: string, areDoubles: boolean) {
  const context = new Context(areDoubles);
  const all = Object.entries(inputs).map(
    ([name, input]) => [name, symbolicInput(context, name, input, 3)] as const,
  );
  const translator = new Translator(context, new Map(all.map(([name, { value }]) => [name, value])));
  try {
    return { context, all, condition: translator.condition(parseExpression(text)) };
  } catch (error) {
    if (!(error instanceof NeedsDoubles)) throw error;
    return translated(text, true);
  }
}

function closure(text: string, input: Record<string, unknown>): string {
  try {
    return String(compileCondition(parseExpression(text))(input, {}));
  } catch {
    return 'none';
  }
}

/** What a condition is by its terms and by its closure; undefined where terms leave something open. */
function bothWays(
  { context, all, condition }: ReturnType<typeof translated>,
  text: string,
  input: Record<string, unknown>,
): { terms: string; closure: string } | undefined {
  const model = modelOf(inputs, input, context.areDoubles);
  withStandIns(context, model, () => false);
  const at = (term: Parameters<typeof evaluateTerm>[0]) => evaluateTerm(term, model);
  for (const [name, { constraints }] of all)
    expect([name, constraints.map(at)]).toEqual([name, constraints.map(() => true)]);
  if (context.reasons.size > 0 || context.standIns.some(({ what }) => what === 'matches')) return undefined;
  expect(context.definitions.map(at)).toEqual(context.definitions.map(() => true));
  const [isTrue, isFalse] = [at(condition.isTrue), at(condition.isFalse)];
  expect(isTrue && isFalse).toBe(false);
  return { terms: isTrue ? 'true' : isFalse ? 'false' : 'none', closure: closure(text, input) };
}

describe('terms', () => {
  it('have the values that the closures compute', { timeout: 3_600_000 }, () => {
    let compared = 0;
    fc.assert(
      fc.property(conditions, fc.array(values, { minLength: 5, maxLength: 5 }), (text, some) => {
        const translation = translated(text, false);
        for (const input of some) {
          const both = bothWays(translation, text, input);
          if (both === undefined) continue;
          expect(both.terms).toBe(both.closure);
          compared++;
        }
      }),
      { numRuns: Math.ceil(runs / 5) },
    );
    expect(compared).toBeGreaterThan(runs / 10);
    if (process.env.FOREGUARD_SMT_PAIRS) console.log(`${compared} pairs compared`);
  });

  const simple: Record<string, unknown> = {
    ...{ t: '', u: '', ot: null, e: 'a', b: false, ob: null, n: 0, m: 0, on: null, d: 0, f: 0 },
    ...{ ts: [], us: null, ns: [], ds: [], bs: [] },
  };
  const agree = (text: string, inputsTried: readonly Record<string, unknown>[]) => {
    const translation = translated(text, false);
    for (const input of inputsTried) {
      const both = bothWays(translation, text, { ...simple, ...input });
      expect([text, input, both?.terms]).toEqual([text, input, both?.closure]);
      expect(both).toBeDefined();
    }
  };

  it.each([-2, -1, 0, 1, 2])('agree on remainders of whole numbers: %i', (rest) => {
    const all = [-5, -4, -3, -1, 0, 1, 2, 5].flatMap((n) => [0, 1, 2, 3].map((on) => ({ n, on })));
    agree(`n % on == ${rest}`, all);
    agree(`on % n == ${rest}`, all);
  });

  it.each([
    [0x1f601, 0x1f801],
    [0x1f400, 0x1f7ff],
    [0x1f400, 0x1f801],
    [0x1f601, 0x1fbff],
    [0x1f601, 0x1f602],
    [0xffff, 0x10000],
    [0x10000, 0x10ffff],
  ])('agree on sets of characters of two code units: from %i to %i', (first, last) => {
    const [from, to] = [first, last].map((code) => String.fromCodePoint(code));
    const blocks = [first, last].flatMap((code) => [code & ~0x3ff, code | 0x3ff]);
    const codes = [first, last, ...blocks].flatMap((code) => [code - 1, code, code + 1]);
    const texts = codes.filter((code) => code <= 0x10ffff).map((code) => ({ t: String.fromCodePoint(code) }));
    agree(`t.matches(${JSON.stringify(`^[${from}-${to}]$`)})`, texts);
  });

  it.each(['^[A-Z]$', '^[a-z]$', '^[!-a]$', '^[Z-a]$'])('agree on patterns after lowering: %s', (pattern) => {
    const texts = ['a', 'A', 'z', 'Z', '[', '0', ''].map((t) => ({ t }));
    agree(`lowerAscii(t).matches("${pattern}")`, texts);
    agree(`t.matches("${pattern}")`, texts);
  });
});
