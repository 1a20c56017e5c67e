import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { loadTextOperations, parseExpression } from '../../../bindings/languages/expression/index.js';
import { verifyPolicies } from '../../../bindings/proofs/policyProof/index.js';
import { parsePolicies } from '../../../bindings/rules/specification/index.js';
import { type Claim, Decider, holds } from '../../../bindings/solvers/decide/index.js';
import { Rechecker } from '../../../bindings/solvers/recheck/index.js';

beforeAll(loadTextOperations);

const INPUTS = {
  n: { type: { kind: 'integer', least: -1, most: 1_000_000 } },
  t: { type: { kind: 'text', most: 20 } },
} as const;
const NUMBERS = [-1, 0, 1, 3, 4, 5, 1_000_000];
const TEXTS = ['', 'a@b', 'a@c', 'x'];

const { formula } = fc.letrec<{ formula: string }>((tie) => ({
  formula: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('n > 0', 'n <= 4', 'domainOf(t) == "b"', 't == "x"', 'true'),
    fc
      .tuple(fc.constantFrom('==', '!=', '&&', '||'), tie('formula'), tie('formula'))
      .map(([operator, left, right]) => `(${left}) ${operator} (${right})`),
    tie('formula').map((part) => `!(${part})`),
  ),
}));

it('equality of truth values is followed, also where one side has no value', () => {
  const found = { none: 0, some: 0, unknown: 0 };
  fc.assert(
    fc.property(formula, fc.constantFrom('true', 'false', 'none'), (text, value) => {
      const claim: Claim = { kind: 'is', values: [value], of: parseExpression(text) };
      const decider = new Decider(INPUTS);
      const { kind } = decider.find(claim);
      found[kind]++;
      expect(kind).not.toBe('unknown');
      const isFulfilled = NUMBERS.some((n) => TEXTS.some((t) => holds(claim, { n, t })));
      if (isFulfilled) expect(kind).toBe('some');
      if (kind === 'none') expect(new Rechecker(INPUTS).check(claim, decider.certificate(claim))).toBeNull();
    }),
    { numRuns: 300 },
  );
  expect(Math.min(found.none, found.some)).toBeGreaterThan(20);
});

it('a property may say when exactly calls are permitted', async () => {
  const text = (ensures: string) => `version: 1
inputs: { n: { integer: [0, 1000000] } }
policies: { p: { tools: [f], permit: { small: 'n > 0 && n <= 4' }, ensures: { exactly: '${ensures}' } } }`;
  const right = await verifyPolicies(parsePolicies(text('permitted == (n > 0 && n <= 4)')), {
    recheck: true,
  });
  expect(right.verified).toBe(true);
  const wrong = await verifyPolicies(parsePolicies(text('permitted == (n <= 4)')));
  const refuted = wrong.obligations.find(({ kind }) => kind === 'ensures');
  expect(refuted).toMatchObject({ verdict: 'refuted', input: { n: 0 } });
});
