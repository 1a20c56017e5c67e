import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { SolverError } from '../../../bindings/base/errors.js';
import { loadRegexEngine } from '../../../bindings/languages/expression/index.js';
import { comparePolicies, verifyPolicies } from '../../../bindings/proofs/policyProof/index.js';
import { parsePolicies } from '../../../bindings/rules/specification/index.js';
import {
  type Recording,
  readAnswer,
  recordedSolver,
  type Solver,
  scriptHash,
} from '../../../bindings/solvers/smt/index.js';
import { openOracle, withoutOracles } from '../../oracle/smt/solvers.js';

beforeAll(loadRegexEngine);

const PAY = `
version: 1
inputs:
  amount: { integer: [0, 100000000] }
  limit: { from: state.limit, integer: [0, 100000000] }
  fee: { type: number }
  to: { type: text, max: 200 }
  owner: { from: state.owner, type: text, max: 200 }
  cc: { list: text, max: 50 }
policies:
  pay:
    tools: [pay]
    permit: { small: 'amount + 10 <= limit && to == owner && cc.all(c, c != to)' }
    forbid: { fees: 'fee + 0.1 > 10.0' }
    ensures:
      within: 'permitted -> amount < limit'
      prefix: 'permitted -> to.startsWith(owner) && !(owner in cc)'
      same: 'permitted -> trim(to) == trim(owner)'
      fee: 'permitted -> fee <= 9.9'
      wrong: 'permitted -> amount < 100 || cc.exists(c, c == to + "x")'
      fee2: 'permitted -> fee < 9.9'
`;

/**
 * What cvc5 and z3 wrote for the scripts of these policies. After a change of the translation, write it anew:
 * FOREGUARD_SMT_PYTHON=PYTHON FOREGUARD_SMT_RECORD=1 npx vitest run test/unit/policy/solvers.test.ts
 */
const file = fileURLToPath(new URL('recordedSolvers.json', import.meta.url));
const isRecording = process.env.FOREGUARD_SMT_RECORD !== undefined && withoutOracles === undefined;

async function recorded<T>(use: (solvers: Solver[]) => Promise<T>): Promise<T> {
  const known: Recording[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  if (!isRecording) return use(known.map(recordedSolver));
  const oracles = (['cvc5', 'z3'] as const).map(openOracle);
  const recordings = oracles.map(({ name }) => ({
    name,
    version: name === 'cvc5' ? '1.4.2' : '5.4.1',
    outputs: { ...known.find((one) => one.name === name)?.outputs },
  }));
  const solvers = oracles.map(
    (oracle, i): Solver => ({
      name: oracle.name,
      check: async (script, { timeoutMs }) => {
        const output = await oracle.written(script, timeoutMs);
        recordings[i].outputs[scriptHash(script)] = output;
        return { ...readAnswer(output), version: recordings[i].version };
      },
    }),
  );
  const result = await use(solvers);
  for (const { close } of oracles) close();
  writeFileSync(file, `${JSON.stringify(recordings, null, 1)}\n`);
  return result;
}

describe('policies that compare inputs with each other', () => {
  it('are decided by outside solvers that agree', async () => {
    const scripts = new Map<string, string>();
    const policies = parsePolicies(PAY);
    const onScript = (script: string, hash: string) => scripts.set(hash, script);
    const { obligations } = await recorded((solvers) =>
      verifyPolicies(policies, { solvers, agree: 2, timeoutMs: 20_000, onScript }),
    );
    expect(
      obligations.map(
        ({ kind, name, verdict, by }) =>
          `${kind} ${name}: ${verdict} by ${by.map((one) => one.name).join('+')}`,
      ),
    ).toMatchInlineSnapshot(`
      [
        "permitsSomething permit: proved by built-in",
        "ensures within: proved by cvc5+z3",
        "bites within: proved by built-in",
        "ensures prefix: proved by cvc5+z3",
        "bites prefix: proved by built-in",
        "ensures same: proved by cvc5+z3",
        "bites same: proved by built-in",
        "ensures fee: proved by cvc5+z3",
        "bites fee: proved by built-in",
        "ensures wrong: refuted by built-in",
        "bites wrong: proved by built-in",
        "ensures fee2: refuted by built-in",
        "bites fee2: proved by built-in",
        "reachable small: proved by built-in",
        "readable small: proved by cvc5+z3",
        "reachable fees: proved by built-in",
        "needed fees: proved by built-in",
        "readable fees: proved by cvc5+z3",
      ]
    `);
    for (const { script } of obligations)
      if (script !== undefined) expect(scriptHash(scripts.get(script)!)).toBe(script);
    expect(obligations.filter(({ verdict, input }) => verdict === 'refuted' && input === undefined)).toEqual(
      [],
    );
  });

  it('are unproved without them', async () => {
    const { obligations } = await verifyPolicies(parsePolicies(PAY));
    expect(
      obligations.filter(({ kind, verdict }) => kind === 'ensures' && verdict === 'unproved'),
    ).toHaveLength(4);
    expect(obligations.every(({ by }) => by.length === 1 && by[0].name === 'built-in')).toBe(true);
  });

  it('are compared', async () => {
    const stricter = PAY.replace('amount + 10', 'amount + 11');
    const compared = (before: string, after: string) =>
      recorded((solvers) =>
        comparePolicies(parsePolicies(before), parsePolicies(after), { solvers, timeoutMs: 20_000 }),
      );
    expect(await compared(PAY, stricter)).toMatchObject([
      { kind: 'stricter', newlyDenied: { amount: 0, limit: 10 } },
    ]);
    expect(await compared(stricter, PAY)).toMatchObject([{ kind: 'looser' }]);
    expect(await compared(PAY, PAY.replace('amount + 10', '10 + amount'))).toMatchObject([
      { kind: 'equivalent' },
    ]);
  });
});

describe('outside solvers that are wrong', () => {
  const says = (name: string, output: string): Solver => ({
    name,
    check: async () => ({ ...readAnswer(output), version: '1' }),
  });
  const ensures = async (solvers: Solver[], agree = 1) => {
    const { obligations } = await verifyPolicies(parsePolicies(PAY), { solvers, agree });
    return obligations.find(({ kind, name }) => kind === 'ensures' && name === 'within')!;
  };

  it('refute nothing by an input that refutes nothing', async () => {
    const found = await ensures([says('liar', 'sat ((amount 5) (limit 5) (fee (_ +zero 11 53)))')]);
    expect(found).toMatchObject({ verdict: 'unproved', by: [] });
    expect(found.says).toContain('liar gives an input of which the claim does not hold when it is run');
    const outside = await ensures([says('liar', 'sat ((amount 999999999999) (limit (- 1)))')]);
    expect(outside.verdict).toBe('unproved');
  });

  it('prove nothing by a failure, or alone where two must agree', async () => {
    const fails: Solver = { name: 'broken', check: () => Promise.reject(new Error('out of paper')) };
    expect(await ensures([fails])).toMatchObject({
      verdict: 'unproved',
      says: expect.stringContaining('broken: out of paper'),
    });
    expect((await ensures([says('one', 'unsat'), fails], 2)).verdict).toBe('unproved');
    expect((await ensures([says('one', 'unsat'), says('two', 'unknown')], 2)).verdict).toBe('unproved');
    expect(await ensures([says('one', 'unsat'), fails])).toMatchObject({
      verdict: 'proved',
      by: [{ name: 'one', version: '1' }],
    });
  });

  it('are an error where they contradict each other', async () => {
    const asked = verifyPolicies(parsePolicies(PAY), {
      solvers: [says('one', 'unsat'), says('two', 'sat')],
      agree: 2,
    });
    await expect(asked).rejects.toThrow(SolverError);
    await expect(asked).rejects.toMatchObject({
      solver: 'two, one',
      script: expect.stringContaining('(check-sat)'),
    });
  });

  it('say nothing where lists are too long to be written out', async () => {
    const text = PAY.replace('cc.all(c, c != to)', 'size(cc) * amount <= limit');
    const { obligations } = await verifyPolicies(parsePolicies(text), { solvers: [says('one', 'unsat')] });
    const found = obligations.find(({ kind, name }) => kind === 'ensures' && name === 'within')!;
    expect(found).toMatchObject({
      verdict: 'unproved',
      says: expect.stringContaining('there is none with short lists (cc)'),
    });
  });
});
