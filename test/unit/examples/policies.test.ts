import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parsePolicies } from '../../../bindings/rules/specification/index.js';
import { sharedData } from '../../shared.js';
import { example } from './example.js';

const { MODES, recordedModes } = await example('policies/modes.mjs');
const { accessRules, columnPolicy } = await example('policies/access.mjs');
const { policiesOf, tally } = await example('policies/decide.mjs');
const { writtenRequests, summary } = await example('policies/requests.mjs');
const { airlinePolicies } = await example('policies/airline.mjs');
const { dojoSuites } = await example('policies/dojo.mjs');
const folder = new URL('../../../examples/policies/', import.meta.url);
const files = (readdirSync(folder, { recursive: true }) as string[]).filter((name) => name.endsWith('.yaml'));

describe('policies of the experiment', () => {
  it('are well formed, and each asks for something to be proved', () => {
    expect(files.length).toBeGreaterThan(70);
    for (const name of files) {
      const { ensures, set } = parsePolicies(readFileSync(new URL(name, folder), 'utf8'), { source: name });
      expect(set.policies.length, name).toBeGreaterThan(0);
      expect(ensures.length, name).toBeGreaterThan(0);
    }
  });
});

describe('modes of enforcement on recorded steps', () => {
  const steps = [['a'], ['b', 'bad', 'c'], [], ['d'], ['bad']];
  const left = (mode: string, of = steps) => MODES[mode](of, (call: string) => call === 'bad').join('');

  it('end the run, drop the step, or withhold the call', () => {
    expect(left('unguarded')).toBe('abbadcdbad');
    expect(left('task termination')).toBe('ab');
    expect(left('action blocking')).toBe('ad');
    expect(left('tool execution halt')).toBe('abcd');
    const clean = [['a'], ['b', 'c']];
    for (const mode of Object.keys(MODES)) expect(left(mode, clean)).toBe('abc');
  });
});

describe('a policy from a table of columns', () => {
  const table = {
    databases: { ward: ['name', 'bed'], bill: ['name', 'cents'] },
    roles: { nurse: { ward: ['name', 'bed'] }, 'front desk': { bill: ['name'], ward: ['name'] } },
  };

  it('permits what the table says, proved', async () => {
    const policies = await policiesOf(columnPolicy(table), 'table');
    expect(tally(await policies.report())).toMatchObject({ refuted: 0, unproved: 0 });
    const asks = (role: string, ...columns: string[]) => policies.permits('read', { columns }, { role });
    expect(asks('nurse', 'ward.name', 'ward.bed')).toBe(true);
    expect(asks('nurse', 'ward.name', 'bill.name')).toBe(false);
    expect(asks('front desk', 'bill.name', 'ward.name')).toBe(true);
    expect(asks('front desk', 'bill.cents')).toBe(false);
    expect(asks('nurse')).toBe(false);
    expect(asks('visitor', 'ward.name')).toBe(false);
  });

  it('is refuted where a column slips in', async () => {
    const loose = columnPolicy(table).replace('"ward.bed"]', '"ward.bed", "bill.cents"]');
    const { wrong } = tally(await (await policiesOf(loose, 'table')).report());
    expect(wrong.join()).toContain('bill.cents');
  });
});

sharedData('policies', (path) => {
  it('example calls of requests are decided as expected', async () => {
    const requests = await writtenRequests(`${path}/requests.json`, { proofs: false });
    for (const { id, wrong = [] } of requests) expect(wrong, id).toEqual([]);
    const { policies, decidable } = summary(requests);
    expect(policies).toMatchObject({ requests: 56, written: 56, examples: 226, right: 226 });
    expect(decidable).toMatchObject({ requests: 67, written: 66, examples: 260, right: 260 });
  });

  it('published rules are proved, and agree with an enumeration', async () => {
    const found = await accessRules(path);
    expect(found).toHaveLength(2);
    for (const { proofs, cases, falseAccepts, falseRejects } of found) {
      expect(proofs).toMatchObject({ refuted: 0, unproved: 0 });
      expect(cases).toBeGreaterThan(15_000);
      expect([falseAccepts, falseRejects]).toEqual([0, 0]);
    }
  });
});

sharedData('asb', (path) => {
  it('a list of own tools stops every attack, and tool execution halt loses no task', async () => {
    const found = await recordedModes(path, { draws: 20, seed: 1 });
    expect(found).toMatchObject({ runs: 28_000, mislabelled: 0, lost: 0, cleanDenied: 0 });
    for (const { mode, attacked, done, kind } of found.rows) {
      if (mode !== 'unguarded') expect(attacked.rate).toBe(0);
      const free = found.rows.find(
        (one: { kind: string; mode: string }) => one.kind === kind && one.mode === 'unguarded',
      );
      expect(done.rate).toBeLessThanOrEqual(free.done.rate);
      if (mode === 'tool execution halt' || kind === 'clean') expect(done.rate).toBe(free.done.rate);
      if (kind !== 'clean') expect(free.attacked.confidenceLower).toBeGreaterThan(0.02);
    }
  });
});

sharedData('tau-bench/gpt-4o-airline.json', (path) => {
  it('calls that solve tasks are denied only where flights were cancelled, or facts are not recorded', async () => {
    const { right, unsolved } = await airlinePolicies(path);
    expect(right.calls).toBe(56);
    expect(right.count).toBe(right.unknown + right.rest);
    for (const why of Object.keys(right.why)) expect(why).toMatch(/cancel/);
    expect(unsolved.why).toMatchObject({ 'book: certificates': 1 });
  });
});

sharedData('agentdojo', (path) => {
  it('calls of tasks run, and most injected ones do not', async () => {
    const found = await dojoSuites(path);
    expect(found.map(({ hinderedCount }: { hinderedCount: number }) => hinderedCount)).toEqual([1, 1, 0]);
    expect(found.map(({ stopped, pairs }: { stopped: number; pairs: number }) => [stopped, pairs])).toEqual([
      [144, 144],
      [63, 105],
      [238, 240],
    ]);
  });
});
