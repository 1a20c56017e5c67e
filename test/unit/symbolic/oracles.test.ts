import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadRegexEngine, parseExpression } from '../../../bindings/languages/expression/index.js';
import { Decider, holds } from '../../../bindings/solvers/decide/index.js';
import { evaluateTerm } from '../../../bindings/solvers/smt/index.js';
import { questionOf } from '../../../bindings/solvers/symbolic/index.js';
import { openOracle, withoutOracles } from '../../oracle/smt/solvers.js';
import { claimed, claimInputs } from './claims.js';

beforeAll(loadRegexEngine);

const runs = Number(process.env.FOREGUARD_SMT_CLAIMS ?? 100);
const timeoutMs = Number(process.env.FOREGUARD_SMT_TIMEOUT ?? 300);
const report = process.env.FOREGUARD_SMT_REPORT;

describe.skipIf(withoutOracles !== undefined)(`claims, by cvc5 and z3 ${withoutOracles ?? ''}`, () => {
  it('are decided as the built-in decider does', { timeout: 7_200_000 }, async () => {
    const solvers = (['cvc5', 'z3'] as const).map(openOracle);
    const counts: Record<string, number> = {};
    const times: Record<string, number[]> = { 'built-in': [], cvc5: [], z3: [] };
    const contradictions: unknown[] = [];
    const wrongModels: unknown[] = [];
    const claims = fc.sample(claimed, {
      numRuns: runs,
      seed: Number(process.env.FAST_CHECK_SEED ?? 20260101),
    });
    for (const [i, { text, value }] of claims.entries()) {
      const claim = { kind: 'is', values: [value], of: parseExpression(text) } as const;
      const began = performance.now();
      const own = new Decider(claimInputs).find(claim).kind;
      times['built-in'].push(performance.now() - began);
      const question = questionOf(claim, claimInputs);
      const script = question.script();
      const answers = await Promise.all(
        solvers.map(async (solver) => {
          const asked = performance.now();
          const answer = await solver.check(script, { timeoutMs });
          times[solver.name].push(performance.now() - asked);
          if (answer.kind !== 'sat')
            return answer.kind === 'unsat' && question.shortened.length === 0 ? 'none' : 'unknown';
          // What the solver takes for true must be so by the terms' own values.
          // A character beyond U+FFFF is none of a text of code units: such a model is not confirmed.
          const isOfUnits = [...answer.model.values()].every(
            (one) => typeof one !== 'string' || !/[\u{10000}-\u{10ffff}]/u.test(one),
          );
          if (isOfUnits && !question.assertions.every((one) => evaluateTerm(one, answer.model) === true))
            wrongModels.push({ text, value, solver: solver.name, model: [...answer.model].map(String) });
          return holds(claim, question.read(answer.model)) ? 'some' : 'unconfirmed';
        }),
      );
      for (const [k, { name }] of solvers.entries()) {
        const what = `${name}: built-in ${own}, ${answers[k]}`;
        counts[what] = (counts[what] ?? 0) + 1;
      }
      const decided = new Set([own, ...answers].filter((one) => one === 'none' || one === 'some'));
      if (decided.size > 1) contradictions.push({ text, value, own, answers });
      if (report && i % 20 === 0) save();
    }
    for (const { close } of solvers) close();
    save();
    expect(contradictions).toEqual([]);
    expect(wrongModels).toEqual([]);
    expect(claims.length).toBe(runs);

    function save(): void {
      if (!report) return;
      const milliseconds = Object.fromEntries(
        Object.entries(times).map(([name, all]) => {
          const sorted = all.toSorted((a, b) => a - b);
          return [name, [0.5, 0.9, 0.99].map((q) => sorted[Math.floor(q * sorted.length)])];
        }),
      );
      writeFileSync(report, JSON.stringify({ counts, milliseconds, contradictions, wrongModels }, null, 1));
    }
  });
});
