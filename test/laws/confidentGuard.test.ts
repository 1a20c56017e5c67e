import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../bindings/solvers/kernel/inline.js';
import { learn } from '../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../bindings/observations/abstraction/index.js';
import { compileGuard } from '../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../bindings/rules/specification/index.js';
import { createGuard, severity } from '../../bindings/runtime/guard/index.js';

const probability = fc.integer({ min: 0, max: 20 }).map((twentieths) => twentieths / 20);
const rule = fc
  .tuple(
    fc.constantFrom('threshold', 'minimumSafe'),
    probability,
    fc.constantFrom('stop', 'block', 'inspect'),
  )
  .chain(([key, value, strategy]) =>
    fc.constantFrom(
      `{ formula: 'G !c', ${key}: ${value}, strategy: ${strategy} }`,
      `{ formula: 'G !c', ${key}: ${value}, horizonSteps: 2 }`,
      `{ formula: 'G (a -> F[0,1] b)', ${key}: ${value}, strategy: ${strategy} }`,
      `{ formula: 'F b', ${key}: ${value}, strategy: ${strategy} }`,
      `{ formula: 'G !c', levels: [{ threshold: ${value / 2}, strategy: report }, { threshold: ${value}, strategy: ${strategy} }] }`,
      `{ formula: 'P<${value || 0.1} [ F c ]', strategy: ${strategy} }`,
      `{ formula: 'P>=${value} [ G !c ]', strategy: ${strategy} }`,
    ),
  );
const runOf = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 6 });
const cases = fc.record({
  rule,
  learning: fc.constantFrom(
    '{ smoothing: 0 }',
    '{ smoothing: 2 }',
    '{ smoothing: 0, states: valid }',
    '{ smoothing: 1, states: valid }',
  ),
  // Of each run there is a part that ends, without which rules may have no risk.
  runs: fc.array(fc.tuple(runOf, fc.boolean()), { minLength: 1, maxLength: 6 }),
  times: fc.constantFrom(1, 20, 200),
  delta: fc.constantFrom(0.9, 0.05, 1e-6),
  // `d` is no state of the data, null is one that cannot be read.
  live: fc.array(fc.constantFrom('a', 'b', 'c', 'd', null), { minLength: 1, maxLength: 8 }),
});

describe('a guard that decides on confidence bounds', () => {
  it('allows only what the guard on the solver’s bounds allows, and decides nothing milder', async () => {
    let [stricter, compared] = [0, 0];
    await fc.assert(
      fc.asyncProperty(cases, async ({ rule, learning, runs, times, delta, live }) => {
        const specificationOf = (decideOn: string) =>
          parseSpecification(`version: 1
predicates: { a: 'x == "a"', b: 'x == "b"', c: 'x == "c"' }
constraints: { state: '!(a && b) && !(b && c) && !(a && c)' }
rules: { r: ${rule} }
learning: ${learning}
decideOn: ${decideOn}
confidence: { delta: ${delta} }
`);
        const plain = specificationOf('upper');
        const traces = Array.from({ length: times }, (_, i) =>
          runs.map(([letters, complete], k) => ({
            id: `${i} ${k}`,
            complete: complete || i % 4 === 0,
            steps: letters.map((x) => ({ state: { x } })),
          })),
        ).flat();
        const { model } = await learn(new Abstraction(plain.abstraction), traces, plain.learning);
        const [usual, careful] = [plain, specificationOf('confidenceUpper')].map((specification) =>
          createGuard(compileGuard(specification, model)),
        );
        for (const x of live) {
          const state = x === null ? {} : { x };
          const [one, other] = [usual.step(state), careful.step(state)];
          expect(other.risk).toBe(Math.max(one.upper, other.confidenceUpper));
          expect([other.lower, other.upper]).toEqual([one.lower, one.upper]);
          expect(severity[other.decision]).toBeGreaterThanOrEqual(severity[one.decision]);
          if (other.decision === 'allow') expect(one.decision).toBe('allow');
          if (other.decision !== one.decision) stricter++;
          compared++;
        }
      }),
      { numRuns: 40 },
    );
    expect(stricter).toBeGreaterThan(0);
    expect(stricter).toBeLessThan(compared);
  });
});
