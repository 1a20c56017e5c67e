import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Rational } from '../../bindings/base/rational.js';
import { evaluateExactly, parsePrismExpression } from '../../bindings/languages/logic/index.js';
import { buildBoth } from '../unit/exploration/sameModel.js';

/** Numbers, of which all terms are doubles without rounding, and conditions, over x, y, z, b and c. */
const { number, condition } = fc.letrec<{ number: string; condition: string }>((tie) => ({
  number: fc.oneof(
    { maxDepth: 2, depthIdentifier: 'e' },
    fc.constantFrom('x', 'y', 'z', '0', '1', '3', '0.5', '0.25', 'pow(2,x+2)', 'x^2', 'f'),
    fc
      .tuple(tie('number'), fc.constantFrom('+', '-', '*'), tie('number'))
      .map(([a, o, b]) => `(${a}${o}${b})`),
    fc
      .tuple(fc.constantFrom('min', 'max'), tie('number'), tie('number'))
      .map(([f, a, b]) => `${f}(${a},${b})`),
    fc.tuple(fc.constantFrom('floor', 'ceil', 'round'), tie('number')).map(([f, a]) => `${f}(${a})`),
    tie('number').map((a) => `(${a}/4)`),
    tie('number').map((a) => `(-${a})`),
    fc.tuple(tie('number'), fc.constantFrom('3', 'y', 'z+1', 'x')).map(([a, b]) => `mod(floor(${a}),${b})`),
    fc.tuple(fc.constantFrom('x', 'y', '2'), fc.constantFrom('z', 'x')).map(([a, b]) => `pow(${a},${b})`),
    fc.tuple(tie('condition'), tie('number'), tie('number')).map(([i, a, b]) => `(${i}?${a}:${b})`),
  ),
  condition: fc.oneof(
    { maxDepth: 2, depthIdentifier: 'e' },
    fc.constantFrom('b', 'c', 'true', '(x=1)', '(x>0)', '(z!=3)', '(x>=0)'),
    fc
      .tuple(tie('condition'), fc.constantFrom('&', '|', '=>', '<=>', '!='), tie('condition'))
      .map(([a, o, b]) => `(${a}${o}${b})`),
    fc
      .tuple(tie('number'), fc.constantFrom('=', '!=', '<', '<=', '>', '>='), tie('number'))
      .map(([a, o, b]) => `(${a}${o}${b})`),
    tie('condition').map((a) => `(!${a})`),
  ),
}));

it('guards, updates, probabilities, labels and rewards are in both backends what exact arithmetic says', () => {
  const [withValues, without] = [{ count: 0 }, { count: 0 }];
  fc.assert(
    fc.property(condition, number, number, condition, number, (guard, weight, update, label, reward) => {
      const texts = {
        guard,
        weight: `max(0,min(1,${weight}))`,
        update: `max(-1,min(2,floor(${update})))`,
        label,
        reward,
      };
      const built = buildBoth(`mdp
formula f = (x+y)/2;
module m
  x : [-1..2]; y : [1..3]; z : [0..3]; b : bool; c : bool;
  [] ${texts.guard} -> ${texts.weight} : (x'=${texts.update}) + 1-${texts.weight} : (y'=1) & (c'=b);
endmodule
init true endinit
label "l" = ${texts.label};
rewards true : ${texts.reward}; endrewards`);
      const variables = new Map(
        (['x', 'y', 'z', 'b', 'c'] as const).map((name, index) => [
          name as string,
          { index, type: name === 'b' || name === 'c' ? ('bool' as const) : ('int' as const) },
        ]),
      );
      const source = '(x+y)/2';
      const formulas = new Map([['f', parsePrismExpression(source)]]);
      const scope = { constants: new Map(), formulas, variables, text: { source, name: 'law' } };
      const parsed = Object.fromEntries(
        Object.entries(texts).map(([name, text]) => [name, parsePrismExpression(text)]),
      ) as Record<keyof typeof texts, ReturnType<typeof parsePrismExpression>>;
      const exactly = (name: keyof typeof texts, values: readonly number[]) =>
        evaluateExactly(parsed[name], scope, values);

      const states: number[][] = [];
      for (const x of [-1, 0, 1, 2])
        for (const y of [1, 2, 3])
          for (const z of [0, 1, 2, 3])
            for (const b of [0, 1]) for (const c of [0, 1]) states.push([x, y, z, b, c]);
      const numberOf = (values: readonly number[]): number => states.findIndex((s) => `${s}` === `${values}`);

      // What happens in a state, or undefined where something has no value there.
      const happens = (values: readonly number[]) => {
        const row = new Map<number, Rational>();
        const add = (target: readonly number[], p: Rational): void => {
          if (p.compare(Rational.ZERO) === 0) return;
          row.set(numberOf(target), (row.get(numberOf(target)) ?? Rational.ZERO).plus(p));
        };
        const [x, y, z, b, c] = values;
        try {
          const isLabelled = exactly('label', values);
          const earned = exactly('reward', values) as Rational;
          if (exactly('guard', values) !== true) add(values, Rational.ONE);
          else {
            const p = exactly('weight', values) as Rational;
            if (p.compare(Rational.ZERO) !== 0) {
              const next = exactly('update', values) as Rational;
              add([next.toNumber(), y, z, b, c], p);
            }
            add([x, 1, z, b, b], Rational.ONE.minus(p));
          }
          return { isLabelled, earned, row };
        } catch {
          return undefined;
        }
      };
      const expected = states.map(happens);
      if (expected.includes(undefined)) {
        without.count++;
        expect(String(built)).toMatch(/not positive|negative/);
        return;
      }
      withValues.count++;
      if (built instanceof Error) throw built;
      const { model } = built;
      expect(built.backend).toBe('wasm');
      expect(model.states).toBe(states.length);
      expected.forEach((state, s) => {
        expect(model.labels.get('l')?.has(s)).toBe(state?.isLabelled);
        expect(
          Rational.fromDouble(model.rewards?.[0].states?.[s] as number).compare(state?.earned as Rational),
        ).toBe(0);
        const row = new Map<number, string>();
        for (let t = model.rowStart[s]; t < model.rowStart[s + 1]; t++) {
          row.set(model.columns[t], `${Rational.fromDouble(('values' in model ? model.values : [])[t])}`);
        }
        expect([...row].sort()).toEqual([...(state?.row ?? [])].map(([t, p]) => [t, `${p}`]).sort());
      });
    }),
    { numRuns: 60 },
  );
  expect(withValues.count).toBeGreaterThan(5);
  expect(without.count).toBeGreaterThan(5);
});
