import '../../../bindings/solvers/kernel/inline.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-decisions-'));
const path = (name: string): string => join(folder, name);

const spec = (model: string): string => `version: 1
predicates: { hot: 'temperature > 80', burnt: 'temperature > 100' }
rules:
  neverBurnt: { formula: 'G !burnt', threshold: 0.3 }
learning: { model: ${model}, smoothing: 0 }
`;

/** Of 400 runs that get hot half turn the oven off, after which none burns, and half wait, after which half do. */
const lines = Array.from({ length: 400 }, (_, i) => {
  const [name, then] = i % 2 === 0 ? ['off', 40] : ['wait', i % 4 === 1 ? 120 : 40];
  return JSON.stringify({
    id: `${i}`,
    steps: [
      { state: { temperature: 20 }, action: { name: 'on' } },
      { state: { temperature: 90 }, action: { name } },
      { state: { temperature: then } },
    ],
  });
});

beforeAll(() => {
  for (const model of ['mdp', 'dtmc']) writeFileSync(path(`${model}.yaml`), spec(model));
  writeFileSync(path('traces.jsonl'), lines.join('\n'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('foreguard with decision processes', () => {
  it('learns one, checks it, and compiles a guard from the agent’s own chain', async () => {
    const learnt = await foreguard(
      'learn',
      '-s',
      path('mdp.yaml'),
      '-t',
      path('traces.jsonl'),
      '-o',
      path('mdp.umb'),
    );
    expect([learnt.code, learnt.err]).toEqual([0, '']);
    expect(learnt.out).toContain(
      '3 actions (on, off, wait), 5 pairs of state and action; 400 steps without an action',
    );
    const checked = await foreguard('check', path('mdp.umb'), '--property', 'Pmin=? [F burnt]', '--json');
    expect(JSON.parse(checked.out)).toMatchObject({
      model: { type: 'mdp', choices: 7 },
      results: [{ value: 0 }],
    });
    const greatest = await foreguard('check', path('mdp.umb'), '--property', 'Pmax=? [F burnt]', '--json');
    // Who turns it on and waits, again and again, burns almost surely.
    expect(JSON.parse(greatest.out).results[0].value).toBe(1);

    await foreguard('learn', '-s', path('dtmc.yaml'), '-t', path('traces.jsonl'), '-o', path('dtmc.umb'));
    const risks = await Promise.all(
      ['mdp', 'dtmc'].map((model) =>
        foreguard('risk', '-s', path(`${model}.yaml`), '-m', path(`${model}.umb`)),
      ),
    );
    expect(risks[0]).toEqual(risks[1]);
    expect(risks[0].out).toContain('0.2500');
    const compiled = await foreguard(
      'compile',
      '-s',
      path('mdp.yaml'),
      '-m',
      path('mdp.umb'),
      '-o',
      path('guard.json'),
    );
    expect([compiled.code, compiled.err]).toEqual([0, '']);
  });

  it('certifies the least and the greatest risk and the agent’s, and the support of each action', async () => {
    const { out, code } = await foreguard('certify', '-s', path('mdp.yaml'), '-t', path('traces.jsonl'));
    expect(code).toBe(0);
    expect(out).toMatch(
      /before the first step: as the agent 0\.1\d+ to 0\.3\d+, least 0\.0000 to 0\.0\d+, greatest 0\.[6-9]\d+ to 1\.0000/,
    );
    expect(out).toMatch(/200 +\d+ +2 +0\.\d+ +0\.\d+ +wait +hot; not burnt/);
    expect(out).toMatch(
      /To know every risk to within 0\.05 before the first step.*more runs as the agent begins them/,
    );
    expect(out).toMatch(/taken +should be +error +once more +action +state/);
    expect(out).toMatch(/^ *200 +[\d,]+ +0\.\d{4} +\S+ +wait +hot; not burnt$/m);
    const { out: json } = await foreguard(
      'certify',
      '-s',
      path('mdp.yaml'),
      '-t',
      path('traces.jsonl'),
      '--json',
    );
    const { actions, rules } = JSON.parse(json);
    expect(actions.map(({ action }: { action: string | null }) => action)).toEqual([
      null,
      null,
      'on',
      'off',
      'wait',
      null,
    ]);
    expect(rules[0].criteria.first).toHaveLength(7);
  });

  it('replays what the guard decides on each action, as the guard that it compiles does', async () => {
    writeFileSync(path('actions.yaml'), spec('mdp').replace('0.3', '0.6'));
    await foreguard(
      'learn',
      ...['-s', path('actions.yaml'), '-t', path('traces.jsonl'), '-o', path('replayed.umb')],
    );
    const { code, out } = await foreguard(
      'replay',
      ...['-s', path('actions.yaml'), '-m', path('replayed.umb'), '-t', path('traces.jsonl'), '--json'],
    );
    expect(code).toBe(0);
    const { totals, traces } = JSON.parse(out);
    // Those who wait are seen to, half of whom burn; those who turn it off are not.
    expect(totals.neverBurnt).toMatchObject({ violations: 100, predicted: 100, missed: 0, falseAlarms: 100 });
    expect(traces[0].rules.neverBurnt.firstIntervention).toBeNull();
    expect(traces[1].rules.neverBurnt).toMatchObject({ firstIntervention: 1, violatedAt: 2 });
  });

  it('warns of predicates on actions that no trace takes', async () => {
    writeFileSync(path('odd.yaml'), `${spec('mdp')}actions: { wiat: { long: minutes > 5 } }\n`);
    const misspelt = await foreguard(
      'learn',
      ...['-s', path('odd.yaml'), '-t', path('traces.jsonl'), '-o', path('odd.umb')],
    );
    expect(misspelt.code).toBe(0);
    expect(misspelt.out).toContain(
      'warning: `actions` tells calls of wiat apart, and no trace calls it; did you mean wait?\n',
    );
    writeFileSync(path('told.yaml'), `${spec('mdp')}actions: { wait: { long: 'true' } }\n`);
    const told = await foreguard(
      'learn',
      ...['-s', path('told.yaml'), '-t', path('traces.jsonl'), '-o', path('told.umb')],
    );
    expect(told.out).toContain('(on, off, wait[long])');
    expect(told.out).not.toContain('warning');
  });

  it('validates traces against its predicates', async () => {
    const { out, code } = await foreguard('validate', '-s', path('mdp.yaml'), '-t', path('traces.jsonl'));
    expect([code, out]).toEqual([0, expect.stringContaining('burnt')]);
  });

  it('refuses what is of chains alone, and a model of the other kind', async () => {
    await foreguard('learn', '-s', path('mdp.yaml'), '-t', path('traces.jsonl'), '-o', path('mdp.umb'));
    await foreguard('learn', '-s', path('dtmc.yaml'), '-t', path('traces.jsonl'), '-o', path('dtmc.umb'));
    const wrong: [string[], RegExp][] = [
      [['learn', '-s', path('mdp.yaml'), '--emit-sql', 'duckdb'], /--emit-sql applies only to chains/],
      [
        [
          'learn',
          '-s',
          path('mdp.yaml'),
          '-t',
          path('traces.jsonl'),
          '-o',
          path('x.umb'),
          '--engine',
          'duckdb',
        ],
        /--engine applies only to chains/,
      ],
      [
        ['certify', '-s', path('mdp.yaml'), '-m', path('mdp.umb'), '--posterior'],
        /--posterior samples chains/,
      ],
      [['certify', '-s', path('mdp.yaml'), '-m', path('dtmc.umb')], /the model is not a decision process/],
      [
        ['certify', '-s', path('dtmc.yaml'), '-m', path('mdp.umb')],
        /Markov decision process \(mdp\); a Markov chain/,
      ],
      [
        ['risk', '-s', path('dtmc.yaml'), '-m', path('mdp.umb')],
        /learning\.model is dtmc in the specification, mdp in the model/,
      ],
    ];
    for (const [arguments_, message] of wrong) {
      const { err, code } = await foreguard(...arguments_);
      expect([arguments_, code]).toEqual([arguments_, 2]);
      expect(err).toMatch(message);
    }
  });
});
