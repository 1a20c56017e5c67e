import { describe, expect, it } from 'vitest';
import { printScript, Terms } from '../../../bindings/solvers/smt/index.js';
import { z3 } from '../../../bindings/solvers/z3/index.js';

const terms = new Terms();
const t = terms.variable('Text', 'a text');
const n = terms.variable('Int', 'n');

describe('z3 as WebAssembly', () => {
  it('answers with values, one question after another, and is started anew', async () => {
    const solver = z3({ idleMs: 0 });
    const longer = terms.of('<', terms.int(2), terms.of('str.len', t));
    const sat = printScript([terms.equal(t, terms.text('\u00e4"\\')), longer]);
    const unsat = printScript([terms.equal(t, terms.text('ab')), longer]);
    const answers = await Promise.all(
      [sat, unsat].map((script) => solver.check(script, { timeoutMs: 300_000 })),
    );
    expect(answers).toEqual([
      { kind: 'sat', model: new Map([['a text', '\u00e4"\\']]), version: expect.stringMatching(/^\d+\.\d+/) },
      { kind: 'unsat', version: expect.stringMatching(/^\d+\.\d+/) },
    ]);
    expect(await solver.check(unsat, { timeoutMs: 300_000 })).toMatchObject({ kind: 'unsat' });
    await expect(solver.check('(assert nonsense)', { timeoutMs: 300_000 })).rejects.toThrow(
      /z3 gave no answer: .*nonsense/s,
    );
    const stopped = await solver.check(unsat, { timeoutMs: 1000, signal: AbortSignal.abort() });
    expect(stopped).toMatchObject({ kind: 'unknown' });
  });

  it('keeps to its time', async () => {
    const [x, y, z] = ['x', 'y', 'z'].map((name) => terms.variable('Int', name));
    const cube = (of: typeof n) => terms.of('*', of, terms.of('*', of, of));
    const hard = printScript([
      terms.equal(terms.of('+', terms.of('+', cube(x), cube(y)), cube(z)), terms.int(114)),
      terms.of('<', terms.int(1_000_000), x),
    ]);
    expect(await z3({ idleMs: 0 }).check(hard, { timeoutMs: 500 })).toMatchObject({ kind: 'unknown' });
  });

  it('refuses options that it does not have', () => {
    expect(() => z3({ idle: 3 } as never)).toThrow('idle');
    expect(() => z3({ idleMs: -1 })).toThrow('expected milliseconds from 0');
  });
});
