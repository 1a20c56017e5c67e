import '../../../bindings/kernel/inline.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../../bindings/cli/run.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-check-'));
const path = (name: string): string => join(folder, name);

async function check(...words: string[]): Promise<{ out: string; err: string; code: number }> {
  let out = '';
  let err = '';
  const code = await run(['check', ...words], {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    interactive: false,
  });
  return { out, err, code };
}

/** The document that `--json` prints, and the exit code. */
// biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it
async function json(...words: string[]): Promise<{ document: any; code: number; err: string }> {
  const { out, code, err } = await check(...words, '--json');
  return { document: JSON.parse(out), code, err };
}

// From N coins of 2N: doubled or ruined, the odds of a step being p to 1 - p.
const gambler = `dtmc
const int N;
const double p = 1/2;
module gambler
  coins : [0..2*N] init N;
  [] coins > 0 & coins < 2*N -> p : (coins'=coins+1) + 1-p : (coins'=coins-1);
  [] coins = 0 | coins = 2*N -> true;
endmodule
label "ruin" = coins = 0;
rewards "bets" coins > 0 & coins < 2*N : 1; endrewards
`;

const properties = `const int k;
// How long?
"bets": R=? [ F coins = 0 | coins = 2*N ];
"broken": P=? [ F ];
"soon": P=? [ F<=k "ruin" ];
S=? [ "rich" ];
P>0.4 [ F "ruin" ]
`;

beforeAll(() => {
  writeFileSync(path('gambler.pm'), gambler);
  writeFileSync(path('gambler.props'), properties);
  writeFileSync(
    path('choice.nm'),
    "mdp module m x : [0..2]; [a] x=0 -> 0.5:(x'=1) + 0.5:(x'=2); [b] x=0 -> 0.1:(x'=1) + 0.9:(x'=0); endmodule",
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('foreguard check on source', () => {
  it('explores the states and brackets the answer', async () => {
    const { document, code, err } = await json(
      path('gambler.pm'),
      '-p',
      'P=? [ F "ruin" ]',
      '--const',
      'N=5,p=0.6',
    );
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const { model, results, seconds, peakMemoryBytes } = document;
    expect(model).toMatchObject({ type: 'dtmc', states: 11, choices: 11, transitions: 20, initial: [0] });
    // Odds of ruin to riches are (0.4 / 0.6)^5.
    const exact = 32 / (243 + 32);
    expect(results[0].lower).toBeLessThanOrEqual(exact);
    expect(results[0].upper).toBeGreaterThanOrEqual(exact);
    expect(results[0].upper - results[0].lower).toBeLessThanOrEqual(2e-6);
    expect(Object.keys(seconds)).toEqual(['parse', 'build', 'solve', 'total']);
    for (const part of Object.values(seconds)) expect(part).toBeGreaterThan(0);
    expect(peakMemoryBytes).toBeGreaterThan(1e6);
  });

  it('answers every property of a file that can be answered, in order', async () => {
    const { document, code } = await json(
      path('gambler.pm'),
      ...['--properties', path('gambler.props'), '--const', 'N=3', '--const', 'k=3'],
    );
    expect(code).toBe(2);
    const { results } = document;
    expect(results.map(({ name }: { name: string }) => name)).toEqual([
      'bets',
      'broken',
      'soon',
      `${path('gambler.props')}:6`,
      `${path('gambler.props')}:7`,
    ]);
    expect(results[0].lower).toBeLessThanOrEqual(9);
    expect(results[0].upper).toBeGreaterThanOrEqual(9);
    expect(results[1].error).toMatchObject({ code: 'parse-error', message: expect.stringContaining(':4:') });
    expect(results[2].value).toBeCloseTo(1 / 8, 6);
    expect(results[3].error).toMatchObject({
      code: 'parse-error',
      message: expect.stringContaining('"rich"'),
    });
    expect(results[4]).toMatchObject({ value: true });
  });

  it('computes with fractions where asked to', async () => {
    const { document } = await json(
      path('gambler.pm'),
      '-p',
      'P=? [ F "ruin" ]',
      '--const',
      'N=5,p=3/5',
      '--exact',
    );
    expect(document.results[0]).toMatchObject({ exact: '32/275', accuracy: 'exact' });
    expect(
      (await check(path('gambler.pm'), '-p', 'P=? [ F "ruin" ]', '-c', 'N=5,p=0.6', '--exact')).out,
    ).toContain('32/275 = 0.116364');
  });

  it('counts components where asked to', async () => {
    const words = [path('gambler.pm'), '-p', 'P=? [ F "ruin" ]', '-c', 'N=2'];
    expect((await json(...words)).document.model).not.toHaveProperty('components');
    // Both ends, and all between them.
    expect((await json(...words, '--components')).document.model.components).toBe(3);
    expect((await check(...words, '--components')).out).toContain('3 components');
  });

  it('says on standard error, and in the document, that deadlocks were mended', async () => {
    const { document, err } = await json(path('choice.nm'), '-p', 'Pmax=? [ F x=1 ]');
    expect(document.model).toMatchObject({ type: 'mdp', states: 3, choices: 4, transitions: 6 });
    expect(document.model.warnings).toEqual([expect.stringMatching(/^2 states without a choice/)]);
    expect(err).toMatch(/^warning: 2 states without a choice/);
    expect(document.results[0].upper).toBeGreaterThanOrEqual(1);
  });

  it('prints states that a filter asks for', async () => {
    const words = [path('gambler.pm'), '-p', 'filter(print, P>0.5 [ F "ruin" ])', '-c', 'N=2'];
    const { out, code } = await check(...words);
    expect(code).toBe(0);
    expect(out).toMatch(/2 states \(.*\)\n {2}\d+\n {2}\d+\n/);
    const { document } = await json(...words);
    expect(document.results[0]).toMatchObject({ value: 2, states: [expect.any(Number), expect.any(Number)] });
  });

  it.each([
    [['-c', 'N=2'], 'constant k of property 1 has no value'],
    [[], 'constant N of .*gambler\\.pm has no value'],
    [['-c', 'N=2,M=3'], 'no constant M is declared'],
    [['-c', 'N=x'], 'constant N is given as x'],
    [['-c', 'N=1:4'], 'N=1:4 is a range'],
    [['-c', 'N=50', '--max-states', '20'], 'more than 20 states'],
    [['-c', 'N=50', '--max-states', 'few'], '--max-states is "few"'],
  ])('with %j it names what is wrong', async (words, message) => {
    const { out, err, code } = await check(
      path('gambler.pm'),
      '-p',
      'const int k; P=? [ F<=k "ruin" ]',
      ...words,
    );
    expect(code).toBe(2);
    expect(out + err).toMatch(new RegExp(message));
  });
});
