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

describe('terms', () => {
  it('have the values that the closures compute', { timeout: 3_600_000 }, () => {
    let compared = 0;
    fc.assert(
      fc.property(conditions, fc.array(values, { minLength: 5, maxLength: 5 }), (text, some) => {
        const { context, all, condition } = translated(text, false);
        for (const input of some) {
          const model = modelOf(inputs, input, context.areDoubles);
          const expected = closure(text, input);
          withStandIns(context, model, () => false);
          const at = (term: Parameters<typeof evaluateTerm>[0]) => evaluateTerm(term, model);
          for (const [name, { constraints }] of all)
            expect([name, constraints.map(at)]).toEqual([name, constraints.map(() => true)]);
          const isOpen = context.reasons.size > 0 || context.standIns.some(({ what }) => what === 'matches');
          if (isOpen) continue;
          expect(context.definitions.map(at)).toEqual(context.definitions.map(() => true));
          const [isTrue, isFalse] = [at(condition.isTrue), at(condition.isFalse)];
          expect(isTrue && isFalse).toBe(false);
          expect(isTrue ? 'true' : isFalse ? 'false' : 'none').toBe(expected);
          compared++;
        }
      }),
      { numRuns: Math.ceil(runs / 5) },
    );
    expect(compared).toBeGreaterThan(runs / 4);
    if (process.env.FOREGUARD_SMT_PAIRS) console.log(`${compared} pairs compared`);
  });
});
