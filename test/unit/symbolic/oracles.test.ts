import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadRegexEngine, parseExpression } from '../../../bindings/languages/expression/index.js';
import { Decider } from '../../../bindings/solvers/decide/index.js';
import { seek } from '../../../bindings/solvers/symbolic/index.js';
import { oracles, withoutOracles } from '../../oracle/smt/solvers.js';
import { claimed, claimInputs } from './claims.js';

beforeAll(loadRegexEngine);

const runs = Number(process.env.FOREGUARD_SMT_CLAIMS ?? 10);
const report = process.env.FOREGUARD_SMT_REPORT;

describe.skipIf(withoutOracles !== undefined)(
  `the decider against cvc5 and z3 ${withoutOracles ?? ''}`,
  () => {
    it('is contradicted by none', { timeout: 7_200_000 }, async () => {
      const { cvc5, z3 } = oracles();
      const counts = new Map<string, number>();
      const contradictions: unknown[] = [];
      const claims = fc.sample(claimed, {
        numRuns: runs,
        seed: Number(process.env.FAST_CHECK_SEED ?? 20260101),
      });
      for (const { text, value } of claims) {
        const claim = { kind: 'is', values: [value], of: parseExpression(text) } as const;
        const own = new Decider(claimInputs).find(claim).kind;
        for (const solver of [cvc5, z3]) {
          const { answer } = await seek(claim, claimInputs, { solvers: [solver], timeoutMs: 2000 });
          const what = `${solver.name}: built-in ${own}, ${answer.kind}`;
          counts.set(what, (counts.get(what) ?? 0) + 1);
          const isContradiction = own !== 'unknown' && answer.kind !== 'unknown' && own !== answer.kind;
          if (isContradiction) contradictions.push({ text, value, own, solver: solver.name, answer });
        }
        if (report) writeFileSync(report, JSON.stringify({ counts: [...counts], contradictions }, null, 1));
      }
      expect(contradictions).toEqual([]);
      expect(claims.length).toBe(runs);
    });
  },
);
