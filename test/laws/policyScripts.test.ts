import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadRegexEngine, loadTextOperations } from '../../bindings/languages/expression/index.js';
import { parsePolicies, SpecificationError } from '../../bindings/rules/specification/index.js';
import { call, POLICIES, randomScript } from './randomScripts.js';
import { comparison } from './scriptDecisions.js';

beforeAll(async () => {
  await loadRegexEngine();
  await loadTextOperations();
});

/** 2000 take some minutes. */
const RUNS = Number(process.env.SCRIPT_RUNS ?? 40);

describe('scripts', () => {
  it('decide as policies what an engine decides that runs them', () => {
    const seen = { permit: 0, deny: 0, none: 0, refused: 0 };
    fc.assert(
      fc.property(fc.nat(), fc.array(call, { minLength: 40, maxLength: 40 }), (seed, calls) => {
        const source = randomScript(seed);
        let compare: ReturnType<typeof comparison>;
        try {
          compare = comparison(source, parsePolicies(POLICIES, { read: () => source }));
        } catch (error) {
          // A script at random may be too large, permit nothing, or compare what is never equal; all else is accepted.
          if (!(error instanceof SpecificationError)) throw error;
          const others = error.problems.filter(
            ({ message }) => !/too large|permits nothing|none of its values/.test(message),
          );
          expect(others, source).toEqual([]);
          seen.refused++;
          return;
        }
        for (const inputs of calls) {
          const { policy, unordered, ordered } = compare(inputs);
          if (policy !== unordered) expect(`${policy}\n${JSON.stringify(inputs)}\n${source}`).toBe(unordered);
          // Run as it stands, it throws where an element that decides stands behind one that throws.
          if (ordered !== 'none') expect(ordered).toBe(policy);
          seen[policy === 'none' || policy === 'permit' ? policy : 'deny']++;
        }
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    for (const kind of ['permit', 'deny', 'none'] as const) expect(seen[kind]).toBeGreaterThan(RUNS);
    expect(seen.refused).toBeLessThan(RUNS / 2);
  });
});
