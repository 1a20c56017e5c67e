import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { verifySpecification } from '../../../bindings/face/cli/policy/commands.js';
import { scriptHash } from '../../../bindings/solvers/smt/index.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = join(folder, 'pay.yaml');
writeFileSync(
  file,
  `version: 1
inputs:
  amount: { integer: [0, 1000000] }
  fee: { integer: [0, 1000000] }
  limit: { from: state.limit, integer: [0, 1000000] }
policies:
  pay:
    tools: [pay]
    permit: { small: 'amount + fee <= limit' }
    ensures: { within: 'permitted -> amount <= limit' }
`,
);

/** A program that answers each script alike. */
function program(name: string, answer: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\ncat > /dev/null\nprintf '%s\\n' '(:version "2")' '${answer}'\n`, {
    mode: 0o755,
  });
  return path;
}

describe('foreguard policy verify --solver', () => {
  it('says who decided, and writes the scripts', { timeout: 60_000 }, async () => {
    const scripts = join(folder, 'scripts');
    const solver = [`one=${program('one', 'unsat')}`];
    const { json, text } = await verifySpecification({ file, solver, emitSmt: scripts, timeout: 20_000 });
    const { obligations } = json as {
      obligations: { name: string; kind: string; verdict: string; script?: string }[];
    };
    const ensures = obligations.find(({ kind }) => kind === 'ensures')!;
    expect(ensures).toMatchObject({ verdict: 'proved', by: [{ name: 'one', version: '2' }] });
    expect(text).toContain(`for every input [one 2, script ${ensures.script!.slice(0, 12)}]`);
    for (const name of readdirSync(scripts))
      expect(`${scriptHash(readFileSync(join(scripts, name), 'utf8'))}.smt2`).toBe(name);
    expect(readdirSync(scripts)).toContain(`${ensures.script}.smt2`);
  });

  it('proves nothing with a program that fails', { timeout: 60_000 }, async () => {
    const { exitCode, text } = await verifySpecification({ file, solver: ['cvc5=/nowhere/cvc5'] });
    expect(exitCode).toBe(3);
    expect(text).toMatch(
      /unproved: pay ensures "within": .*cvc5: cvc5 \(\/nowhere\/cvc5\) cannot be started/,
    );
  });

  it.each([
    [{ solver: ['cvc4'] }, 'found --solver "cvc4", expected z3, or NAME=PATH'],
    [{ solver: ['a=/x', 'a=/y'] }, 'two solvers have the name a'],
    [
      { solver: ['a=/x'], agree: 2 },
      'found --agree 2, expected a whole number from 1 to the number of solvers, 1',
    ],
    [{ solver: ['a=/x'], timeout: 0 }, 'found --timeout 0'],
    [{ solver: ['a=/x'], timeout: Number.NaN }, 'found --timeout NaN'],
  ])('refuses %j', async (options, message) => {
    await expect(verifySpecification({ file, ...options })).rejects.toThrow(message);
  });
});
