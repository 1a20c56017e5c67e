import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildBoth } from '../unit/exploration/sameModel.js';

/** Numbers and conditions over x, y, z, b and c. */
const { number, condition } = fc.letrec<{ number: string; condition: string }>((tie) => {
  const binary = (operators: readonly string[], operand: fc.Arbitrary<string>) =>
    fc.tuple(operand, fc.constantFrom(...operators), operand).map(([a, o, b]) => `(${a}${o}${b})`);
  const call = (names: readonly string[], ...operands: fc.Arbitrary<string>[]) =>
    fc.tuple(fc.constantFrom(...names), ...operands).map(([name, ...given]) => `${name}(${given.join(',')})`);
  return {
    number: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'e' },
      fc.constantFrom('x', 'y', 'z', 'n', 'f', '0', '1', '3', '2147483647', '0.5', '1e-3', 'pow(x,y)', 'z^2'),
      binary(['+', '-', '*', '/'], tie('number')),
      call(['min', 'max', 'log'], tie('number'), tie('number')),
      fc.tuple(tie('number'), tie('number')).map(([a, b]) => `pow(1.0*${a},${b})`),
      call(['pow'], fc.constantFrom('x', 'y', '2'), fc.constantFrom('z', 'max(0,x)', 'y-1', 'x+1')),
      call(['floor', 'ceil', 'round'], tie('number')),
      call(
        ['mod'],
        fc.constantFrom('x', 'y-3', 'z*7', '-x'),
        fc.constantFrom('3', 'y', 'max(1,x)', 'z+1', 'x+2'),
      ),
      tie('number').map((operand) => `(-${operand})`),
      fc.tuple(tie('condition'), tie('number'), tie('number')).map(([i, a, b]) => `(${i}?${a}:${b})`),
    ),
    condition: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'e' },
      fc.constantFrom('b', 'c', 'yes', 'g', 'true', 'x=1', 'y>2', 'z!=4'),
      binary(['&', '|', '=>', '<=>', '=', '!='], tie('condition')),
      binary(['=', '!=', '<', '<=', '>', '>='], tie('number')),
      tie('condition').map((operand) => `(!${operand})`),
      fc.tuple(tie('condition'), tie('condition'), tie('condition')).map(([i, a, b]) => `(${i}?${a}:${b})`),
    ),
  };
});

const ranges = { x: [-2, 3], y: [1, 4], z: [0, 5] } as const;
const assignments = (names: readonly ('x' | 'y' | 'z' | 'b' | 'c')[]): fc.Arbitrary<string> =>
  fc
    .subarray([...names], { minLength: 1 })
    .chain((chosen) =>
      fc.tuple(
        ...chosen.map((name) => {
          if (name === 'b' || name === 'c') return condition.map((value) => `(${name}'=${value})`);
          const [low, high] = ranges[name];
          const whole = number.map((value) => `max(${low},min(${high},floor(${value})))`);
          return fc
            .oneof({ weight: 8, arbitrary: whole }, { weight: 1, arbitrary: fc.constant(`${name}+1`) })
            .map((value) => `(${name}'=${value})`);
        }),
      ),
    )
    .map((parts) => parts.join(' & '));

const probabilities = fc.constantFrom(
  ['1'],
  ['0.5', '0.5'],
  ['1/3', '0', '2/3'],
  ['x/7+2/7', '1-(x/7+2/7)'],
  ['b?1:0.25', 'b?0:0.75'],
  ['1/y', '1-1/y'],
  ['0.5', '0.4'],
);

const commands = (names: readonly ('x' | 'y' | 'z' | 'b' | 'c')[]): fc.Arbitrary<string> =>
  fc
    .array(
      fc
        .tuple(fc.constantFrom('', 'go', 'stop'), condition, probabilities)
        .chain(([action, guard, weights]) =>
          fc
            .tuple(...weights.map((weight) => assignments(names).map((update) => `${weight} : ${update}`)))
            .map((updates) => `[${action}] ${guard} -> ${updates.join(' + ')};`),
        ),
      { minLength: 1, maxLength: 4 },
    )
    .map((lines) => lines.join('\n'));

const models = fc
  .record({
    type: fc.constantFrom('dtmc', 'mdp'),
    first: commands(['x', 'b']),
    second: commands(['y', 'z', 'c']),
    formulas: fc.tuple(condition, number),
    label: condition,
    reward: fc.tuple(condition, number),
    choiceReward: fc.tuple(fc.constantFrom('', 'go', 'stop'), condition, number),
  })
  .map(({ type, first, second, formulas, label, reward, choiceReward }) => {
    const [g, f] = formulas.map((text) =>
      text.replaceAll(/\b[gf]\b/g, (name) => (name === 'g' ? 'yes' : 'n')),
    );
    const [action, guard, value] = choiceReward;
    const taken = `${first}${second}`.includes(`[${action}]`) ? action : '';
    return `${type}
const int n = 2;
const bool yes = true;
formula g = ${g};
formula f = ${f};
module one
  x : [-2..3]; b : bool;
  ${first}
endmodule
module two
  y : [1..4]; z : [0..5] init 2; c : bool;
  ${second}
endmodule
label "l" = ${label};
rewards ${reward.join(' : ')}; [${taken}] ${guard} : ${value}; endrewards`;
  });

it('generated code and closures explore the same model, or report the same error', () => {
  let built = 0;
  fc.assert(
    fc.property(models, (source) => {
      const model = buildBoth(source);
      if (!(model instanceof Error) && model.backend === 'wasm') built++;
    }),
    { numRuns: 150 },
  );
  // Few of the models are valid: some 20 of 150, as the seed has it.
  expect(built).toBeGreaterThan(0);
});
