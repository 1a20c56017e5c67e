import '../../../bindings/solvers/kernel/inline.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { modelStatistics } from '../../../bindings/face/cli/modelStatistics.js';
import { run } from '../../../bindings/face/cli/run.js';
import type { Model } from '../../../bindings/solvers/model/index.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-check-'));
const path = (name: string): string => join(folder, name);

async function check(...words: string[]): Promise<{ out: string; err: string; code: number }> {
  return checkUntil(() => false, ...words);
}

/** As `check`, with a person who stops it as soon as what was written satisfies a condition. */
async function checkUntil(
  enough: (out: string) => boolean,
  ...words: string[]
): Promise<{ out: string; err: string; code: number }> {
  let out = '';
  let err = '';
  const code = await run(['check', ...words], {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    interactive: false,
    interrupted: () => enough(out),
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
    expect(code).toBe(0);
    // The model says 1/2 itself.
    expect(err).toBe(
      'warning: constant p is declared as 1 / 2, and replaced by --const (which PRISM refuses)\n',
    );
    expect(document.warnings).toHaveLength(1);
    const { model, results, seconds, peakMemoryBytes } = document;
    expect(model).toMatchObject({ type: 'dtmc', states: 11, choices: 11, transitions: 20, initial: [0] });
    // Odds of ruin to riches are (0.4 / 0.6)^5.
    const exact = 32 / (243 + 32);
    expect(results[0].lower).toBeLessThanOrEqual(exact);
    expect(results[0].upper).toBeGreaterThanOrEqual(exact);
    expect(results[0].upper - results[0].lower).toBeLessThanOrEqual(2e-6);
    expect(Object.keys(seconds)).toEqual(['parse', 'build', 'solve', 'total']);
    for (const part of Object.values(seconds)) expect(part).toBeGreaterThan(0);
    expect(seconds.parse + seconds.build + seconds.solve).toBeLessThanOrEqual(seconds.total);
    expect(results[0].seconds).toBeLessThanOrEqual(seconds.solve);
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

  it('counts states, transitions and components, and names the initial state', async () => {
    const { out } = await check(path('gambler.pm'), '-p', 'P=? [ F "ruin" ]', '-c', 'N=2');
    // Both ends, and all between them.
    expect(out).toMatch(/^dtmc: 5 states, 5 choices, 8 transitions, 3 components, initial 0:\(coins=2\)\n/);
    expect(out).toMatch(/\nparse [\d.]+, build [\d.]+, solve [\d.]+, total [\d.]+ s; \d+ MiB\n$/);
  });

  it('counts components of more than a million transitions where asked to', () => {
    const states = 1_000_001;
    const chain: Model = {
      type: 'dtmc',
      states,
      initial: [0],
      labels: new Map(),
      rowStart: Uint32Array.from({ length: states + 1 }, (_, s) => s),
      columns: Uint32Array.from({ length: states }, (_, s) => Math.min(s + 1, states - 1)),
      values: new Float64Array(states).fill(1),
    };
    expect(modelStatistics(chain, false)).not.toHaveProperty('components');
    expect(modelStatistics(chain, true).components).toBe(states);
  });

  it('writes each answer as soon as it is found, and keeps what there is when stopped', async () => {
    const words = [path('gambler.pm'), '-c', 'N=2', '-p', 'P>0.4 [ F "ruin" ]', 'P=? [ F "ruin" ]'];
    const { out, code } = await checkUntil((seen) => seen.includes('\n  true ('), ...words);
    expect(code).toBe(3);
    expect(out).toMatch(/property 1: .*\n {2}true/);
    expect(out).toMatch(/property 2: .*\n {2}error: interrupted before it began\n/);
  });

  it('prints one document when stopped in the middle of a solve, with what was reached', async () => {
    let looks = 0;
    const { out, code } = await checkUntil(
      () => ++looks > 50,
      path('gambler.pm'),
      ...[
        '-c',
        'N=4000',
        '--method',
        'interval-iteration',
        '-p',
        'P=? [ F "ruin" ]',
        'P>0 [ F "ruin" ]',
        '--json',
      ],
    );
    expect(code).toBe(3);
    const { model, results } = JSON.parse(out);
    expect(model.states).toBe(8001);
    expect(results).toMatchObject([
      { error: { code: 'aborted', message: expect.stringMatching(/interrupted after .*sweeps, gap/) } },
      { error: { code: 'aborted' } },
    ]);
  });

  it('has a result for every property when stopped in exploration', async () => {
    let looks = 0;
    const { out, code } = await checkUntil(
      () => ++looks > 2,
      ...[path('gambler.pm'), '-c', 'N=100000', '-p', 'P=? [ F "ruin" ]', 'S=? [ "ruin" ]', '--json'],
    );
    expect(code).toBe(3);
    const { model, results, seconds } = JSON.parse(out);
    expect(model).toBeUndefined();
    expect(seconds.total).toBeGreaterThan(0);
    for (const { error } of results)
      expect(error.message).toMatch(/exploration of .* was interrupted after .* found/);
    expect(results).toHaveLength(2);
  });

  it('shows how far it is where a person watches', async () => {
    let err = '';
    let clock = 0;
    const now = vi.spyOn(Date, 'now').mockImplementation(() => (clock += 2000));
    try {
      await run(
        [
          'check',
          path('gambler.pm'),
          '-c',
          'N=4000',
          '--method',
          'interval-iteration',
          '-p',
          'P=? [ F<=9999 "ruin" ]',
          'P=? [ F "ruin" ]',
          '--max-iterations',
          '2000',
        ],
        {
          out: () => undefined,
          err: (text) => void (err += text),
          interactive: true,
        },
      );
    } finally {
      now.mockRestore();
    }
    expect(err).toMatch(/\d states found, .* explored, .* a second/);
    expect(err).toMatch(/property 2: \d+% of states solved, .* sweeps, gap/);
    expect(err.endsWith('\x1b[2K')).toBe(true);
  });

  it('runs an experiment for every value of a range', async () => {
    const words = [path('gambler.pm'), '-c', 'N=1:3,p=0.6', '-p', 'P=? [ F "ruin" ]', '--exact'];
    const { document, code } = await json(...words);
    expect(code).toBe(0);
    const { experiments, seconds } = document;
    expect(experiments.map(({ constants }: { constants: object }) => constants)).toEqual(
      ['1', '2', '3'].map((N) => ({ N, p: '0.6' })),
    );
    // Odds of 2 to 3, to the power of N.
    expect(experiments.map(({ results }: { results: [{ exact: string }] }) => results[0].exact)).toEqual([
      '2/5',
      '4/13',
      '8/35',
    ]);
    expect(experiments[2].model.states).toBe(7);
    expect(seconds.total).toBeGreaterThan(seconds.build);
    expect((await check(...words)).out).toMatch(
      /^N=1,p=0\.6\ndtmc: 3 states[\s\S]*\n\nN=2,p=0\.6\ndtmc: 5 states/,
    );
  });

  it('goes on with an experiment where one model of it cannot be built', async () => {
    const { document, code } = await json(
      ...[path('gambler.pm'), '-c', 'N=1:10:21', '--max-states', '20', '-p', 'P=? [ F "ruin" ]'],
    );
    expect(code).toBe(2);
    const [small, large] = document.experiments;
    expect(small.results[0].value).toBeCloseTo(1 / 2, 6);
    expect(large.results[0].error.message).toContain('more than 20 states');
  });

  it.each(['auto', 'elimination', 'interval-iteration'])(
    'keeps the precision asked for by method %s',
    async (method) => {
      const words = [path('gambler.pm'), '-c', 'N=10,p=0.7', '-p', 'P=? [ F "ruin" ]', '--method', method];
      const exact = 3 ** 10 / (3 ** 10 + 7 ** 10);
      const width = async (...more: string[]): Promise<number> => {
        const { lower, upper } = (await json(...words, ...more)).document.results[0];
        expect(lower).toBeLessThanOrEqual(exact);
        expect(upper).toBeGreaterThanOrEqual(exact);
        return upper - lower;
      };
      expect(await width('--precision', '1e-3')).toBeLessThanOrEqual(2e-3);
      expect(await width('--precision', '1e-10')).toBeLessThanOrEqual(2e-10);
      expect(await width('--precision', '1e-3', '--relative')).toBeLessThanOrEqual(2e-3 * exact);
      expect(await width('--precision', '1e-9', '--absolute')).toBeLessThanOrEqual(2e-9);
      // 100 bets are expected: the default allows 100 times as much as --absolute.
      const bets = [
        path('gambler.pm'),
        '-c',
        'N=10',
        '-p',
        'R=? [ F "ruin" | coins=2*N ]',
        '--precision',
        '1e-3',
      ];
      for (const [option, most] of [
        ['--relative', 0.2],
        ['--absolute', 0.002],
      ] as const) {
        const { lower, upper } = (await json(...bets, '--method', method, option)).document.results[0];
        expect(lower).toBeLessThanOrEqual(100);
        expect(upper).toBeGreaterThanOrEqual(100);
        expect(upper - lower).toBeLessThanOrEqual(most);
      }
    },
  );

  it('marks what value iteration gives as estimated', async () => {
    const words = ['-c', 'N=10', '-p', 'P=? [ F "ruin" ]', '--method', 'value-iteration'];
    const { document } = await json(path('gambler.pm'), ...words);
    expect(document.results[0]).toMatchObject({ accuracy: 'estimated', method: 'value-iteration' });
  });

  it('gives up after as many sweeps as allowed, with the bounds reached', async () => {
    const words = [
      '-c',
      'N=1000',
      '-p',
      'P=? [ F "ruin" ]',
      '--method',
      'interval-iteration',
      '--max-iterations',
      '5',
    ];
    const { document, code } = await json(path('gambler.pm'), ...words);
    expect(code).toBe(3);
    const { error } = document.results[0];
    expect(error).toMatchObject({
      code: 'not-converged',
      lower: expect.any(Number),
      upper: expect.any(Number),
    });
    expect(error.lower).toBeLessThanOrEqual(1 / 2);
    expect(error.upper).toBeGreaterThanOrEqual(1 / 2);
    expect(error.message).toContain('maxIterations');
  });

  it('says on standard error, and in the document, that deadlocks were mended', async () => {
    const { document, err } = await json(path('choice.nm'), '-p', 'Pmax=? [ F x=1 ]');
    expect(document.model).toMatchObject({ type: 'mdp', states: 3, choices: 4, transitions: 6 });
    expect(document.model.warnings).toEqual([expect.stringMatching(/^2 states without a choice/)]);
    expect(err).toMatch(/^warning: 2 states without a choice/);
    expect(document.results[0].upper).toBeGreaterThanOrEqual(1);
  });

  it('prints states that a filter asks for with the values of their variables', async () => {
    const words = [path('gambler.pm'), '-p', 'filter(print, P>0.5 [ F "ruin" ])', '-c', 'N=2'];
    const { out, code } = await check(...words);
    expect(code).toBe(0);
    expect(out).toMatch(/\n {2}2 states of 5 \(.*\)\n {2}\d:\(coins=0\)=true\n {2}\d:\(coins=1\)=true\n/);
    const { document } = await json(...words);
    expect(document.results[0]).toMatchObject({
      value: 2,
      states: [
        { state: expect.any(Number), valuation: { coins: 0 }, value: true },
        { state: expect.any(Number), valuation: { coins: 1 }, value: true },
      ],
      of: 5,
    });
  });

  it('leaves out zeros under print, and nothing under printall', async () => {
    const words = [path('gambler.pm'), '-c', 'N=1', '-p'];
    const { out } = await check(
      ...words,
      'filter(print, P=? [ F "ruin" ])',
      'filter(printall, P=? [ F "ruin" ])',
    );
    expect(out).toMatch(/2 states of 3 .*\n {2}\d:\(coins=0\)=1\n {2}0:\(coins=1\)=0\.5 {2}in \[.*\]\n/);
    expect(out).toMatch(/ {2}3 states \(.*\n[\s\S]*\(coins=2\)=0\n/);
    const all = await check(...words, 'filter(printall, coins>0)');
    expect(all.out).toMatch(/ {2}3 states \(.*\n[\s\S]*\(coins=0\)=false\n/);
    expect((await check(...words, 'filter(argmax, coins)')).out).toContain('(coins=2)=true');
  });

  it('numbers several properties of one text', async () => {
    const { document } = await json(path('gambler.pm'), '-c', 'N=2', '-p', 'true; false', '-p', 'true');
    const names = document.results.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['property 1', 'property 2', 'property 3']);
  });

  it('prints one document for errors of usage as well', async () => {
    for (const words of [['--jsn'], [path('gambler.pm'), '--method', 'magic', '-p', 'true'], []]) {
      const { document, code, err } = await json(...words);
      expect(code).toBe(2);
      expect(document.error.message).toMatch(/unknown option|magic|missing/);
      expect(err).not.toBe('');
    }
  });

  it.each([
    [['-c', 'N=2'], 'property 1:1:\\d+: constant k has no value'],
    [[], 'gambler\\.pm:\\d+:\\d+: constant N has no value'],
    [['-c', 'N=2,M=3'], 'no constant M is declared'],
    [['-c', 'N=x'], 'constant N is given as x'],
    [['-c', 'N=4:1'], 'N=4:1 is an empty range'],
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
