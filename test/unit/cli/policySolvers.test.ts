import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { compareSpecifications, verifySpecification } from '../../../bindings/face/cli/policy/commands.js';
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
  it('says who decided, and writes the scripts', async () => {
    const scripts = join(folder, 'scripts');
    const solver = [`one=${program('one', 'unsat')}`];
    const { json, text } = await verifySpecification({ file, solver, emitSmt: scripts, timeout: 300_000 });
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

  it('proves nothing with a program that fails', async () => {
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

describe('foreguard policy compare', () => {
  const as = (name: string, permit: string): string => {
    const path = join(folder, name);
    writeFileSync(path, readFileSync(file, 'utf8').replace('amount + fee <= limit', permit));
    return path;
  };
  const swapped = as('swapped.yaml', 'fee + amount <= limit');
  const solver = [`one=${program('compared', 'unsat')}`];
  const compared = async (before: string, after: string, options: object = {}) => {
    const { json, text, exitCode = 0 } = await compareSpecifications({ before, after, ...options });
    const { policies } = json as { policies: Record<string, unknown>[] };
    return { ...policies.find(({ policy }) => policy === 'pay'), text, exitCode };
  };

  it('asks outside solvers what is left open, says who decided, and writes the scripts', async () => {
    expect(await compared(file, swapped)).toMatchObject({ kind: 'unproved', exitCode: 3 });
    const scripts = join(folder, 'compared-scripts');
    const found = await compared(file, swapped, { solver, emitSmt: scripts, timeout: 300_000 });
    expect(found).toMatchObject({ kind: 'equivalent', exitCode: 0, by: [{ name: 'one', version: '2' }] });
    expect(found.text).toBe('pay: equivalent; by one 2');
    expect(readdirSync(scripts)).toHaveLength(2);
    await expect(compared(file, swapped, { solver, agree: 2 })).rejects.toThrow('found --agree 2');
  });

  it('looks through what holds for every input, and takes as many steps as it may', async () => {
    const small = ['cents.yaml', 'amount <= 5'] as const;
    const [before, after] = [as(...small), as('same.yaml', '!(amount > 5)')];
    expect(await compared(before, after, { recheck: true })).toMatchObject({
      kind: 'equivalent',
      exitCode: 0,
    });
    expect(await compared(before, before, { steps: 1 })).toMatchObject({
      kind: 'unproved',
      reason: expect.stringContaining('more than 1 steps are needed'),
      exitCode: 3,
    });
    await expect(compared(before, after, { steps: 0 })).rejects.toThrow(
      'steps must be a whole number from 1',
    );
    // A solver's word is no proof that can be looked through.
    expect(await compared(file, swapped, { solver, recheck: true, timeout: 300_000 })).toMatchObject({
      kind: 'unproved',
      reason: expect.stringContaining('outside solvers give no certificate'),
      exitCode: 3,
    });
  });
});
