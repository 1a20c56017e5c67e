import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadRegexEngine, loadTextOperations } from '../../bindings/languages/expression/index.js';
import { emails } from '../../bindings/languages/policyScript/index.js';
import { parsePolicies, SpecificationError } from '../../bindings/rules/specification/index.js';
import { PolicyDecider } from '../../bindings/runtime/policy/index.js';
import { call, POLICIES, randomScript, runnable, Unordered } from './randomScripts.js';

beforeAll(async () => {
  await loadRegexEngine();
  await loadTextOperations();
});

const RUNS = Number(process.env.SCRIPT_RUNS ?? 150);

/** What a function decides: `permit`, the reason of `deny`, or that it throws. */
function decided(
  decide: (inputs: object) => { permitted: boolean; reason?: string },
  inputs: object,
): string {
  try {
    const { permitted, reason } = decide(inputs);
    return permitted ? 'permit' : `deny ${reason}`;
  } catch (error) {
    return (error as Error).name === 'EvaluationError' ? 'none' : `none ${(error as Error).stack}`;
  }
}

describe('scripts', () => {
  it('decide as policies what an engine decides that runs them', () => {
    const seen = { permit: 0, deny: 0, none: 0, ordered: 0, large: 0, read: 0 };
    fc.assert(
      fc.property(fc.nat(), fc.array(call, { minLength: 40, maxLength: 40 }), (seed, calls) => {
        const source = randomScript(seed);
        let specification: ReturnType<typeof parsePolicies>;
        try {
          specification = parsePolicies(POLICIES, { read: () => source });
        } catch (error) {
          // A script at random may be too large, or permit nothing; all else is accepted.
          if (!(error instanceof SpecificationError)) throw error;
          const others = error.problems.filter(({ message }) => !/too large|permits nothing/.test(message));
          expect(others, source).toEqual([]);
          seen.large++;
          return;
        }
        seen.read++;
        const { set } = specification;
        const [policy] = set.policies;
        const decider = new PolicyDecider(set);
        const run = runnable(source);
        const unordered = runnable(source, {
          emails: (text) => Unordered.from(emails(text)) as string[],
        });
        for (const { subject, flag, ...rest } of calls) {
          const optional = { ...(subject !== null && { subject }), ...(flag !== null && { flag }) };
          const denied = decider.denial({ name: 't', arguments: { ...rest, ...optional } }, {});
          const rule = denied?.denial.kind === 'forbidden' ? denied.denial.rule : null;
          const found =
            denied === null
              ? 'permit'
              : rule === null
                ? 'none'
                : `deny ${policy.forbid.find(({ name }) => name === rule)?.reason}`;
          if (denied !== null && rule === null) expect(denied.denial.kind).toBe('unreadable');
          const inputs = { ...rest, subject, flag };
          const expected = decided(unordered, {
            ...inputs,
            to: Unordered.from(inputs.to),
            modes: Unordered.from(inputs.modes),
            nums: Unordered.from(inputs.nums),
          });
          if (found !== expected) expect(`${found}\n${JSON.stringify(inputs)}\n${source}`).toBe(expected);
          const ordered = decided(run, inputs);
          if (ordered !== 'none') expect(ordered).toBe(found);
          else if (found !== 'none') seen.ordered++;
          seen[found === 'none' || found === 'permit' ? found : 'deny']++;
        }
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    expect(seen.permit).toBeGreaterThan(RUNS);
    expect(seen.deny).toBeGreaterThan(RUNS);
    expect(seen.none).toBeGreaterThan(RUNS);
    expect(seen.large).toBeLessThan(RUNS / 2);
    console.log(seen);
  });
});
