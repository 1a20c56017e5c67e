import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { oddTools, sessionSettings } from '../../../bindings/face/cli/mcp/settings.js';
import type { GuardFile } from '../../../bindings/runtime/guard/index.js';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-mcp-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('foreguard mcp-proxy', () => {
  const guard = file('none.json', '{}');

  it.each([
    [[], '--guard'],
    [['--guard', guard], 'a command, after --'],
    [['--guard', guard, '--upstream', 'http://a/mcp', '--', 'server'], 'a command, after --'],
    [['--guard', guard, '--servers', guard, '--', 'server'], 'or several, with --servers'],
    [['--guard', guard, '--servers', guard], 'names no servers'],
    [['--guard', guard, '--header', 'A: b', '--', 'server'], '--upstream'],
    [['--guard', guard, '--upstream', 'a', '--header', 'A: b'], '--upstream is "a"'],
    [['--guard', guard, '--listen', 'a', '--', 'server'], '--listen is "a"'],
    [['--guard', guard, '--max-message', 'many', '--', 'server'], '--max-message is "many"'],
    [['--guard', guard, '--on-fault', 'allow', '--', 'server'], '--on-fault'],
    [['--guard', join(folder, 'missing'), '--', 'server'], 'no such file'],
    [['--guard', guard, '--', 'server'], 'guard file'],
    [['--', 'server'], 'or --record FILE alone'],
    [['--record', join(folder, 'runs.jsonl'), '--log', 'log', '--', 'server'], '--log is about decisions'],
    [['--record', join(folder, 'runs.jsonl'), '--on-fault', 'block', '--', 'server'], '--on-fault is about'],
    [['--record', join(folder, 'a', 'runs.jsonl'), '--', 'server'], 'cannot record in'],
    [['--record', guard, '--', 'server'], 'does not end as a file of traces'],
  ])('%j is bad usage, and says so on standard error alone', async (words, message) => {
    const { out, err, code } = await foreguard('mcp-proxy', ...words);
    expect(err).toContain(message);
    expect(code).toBe(2);
    expect(out).toBe('');
  });
});

const stop = { kind: 'stop' } as const;
const brake = { kind: 'replace', action: 'brake' } as const;
const braking = {
  rules: [
    {
      levels: [{ threshold: 0.5, strategy: brake }],
      escalate: [stop],
      afterViolation: stop,
      onFailure: stop,
    },
  ],
} as unknown as GuardFile;

describe('what sessions have in common', () => {
  it('is that a fault blocks its call, where nothing is said, and safe actions by their own names', () => {
    expect(sessionSettings({}, [braking])).toEqual({
      onFault: 'block',
      replacements: { brake: { name: 'brake', arguments: {} } },
    });
  });

  it('is as the options say', () => {
    const replacements = file('safe.json', '{"brake": {"name": "stop_motor", "arguments": {"hard": true}}}');
    const words = {
      askTimeout: '60',
      onFault: 'stop',
      shadow: true,
      redact: ['card'],
      maxPending: '0',
      replacements,
    } as const;
    expect(sessionSettings(words, [braking])).toEqual({
      replacements: { brake: { name: 'stop_motor', arguments: { hard: true } } },
      askTimeoutMs: 60_000,
      onFault: 'stop',
      shadow: true,
      redact: ['card'],
      maxPending: 0,
    });
  });

  it.each(['7', '-1', '1.5', 'some'])('refuses --max-pending %s', (maxPending) => {
    expect(() => sessionSettings({ maxPending }, [braking])).toThrow(
      `--max-pending is "${maxPending}"; expected a whole number from 0 to 6`,
    );
  });

  it.each([
    '',
    '[]',
    '7',
    '{"brake": "stop"}',
    '{"brake": {"arguments": {}}}',
    '{"brake": {"name": "a", "arguments": 1}}',
  ])('refuses a file of replacements with %j', (content) => {
    const replacements = file('wrong.json', content);
    expect(() => sessionSettings({ replacements }, [braking])).toThrow('expected JSON such as');
  });
});

describe('what is odd about tools', () => {
  it('is that the guard calls what the server does not list, or that a shield has never seen one', () => {
    const shield = {
      ...braking,
      actions: { names: ['send[!large]', 'send[large]', 'look'] },
    } as unknown as GuardFile;
    const settings = sessionSettings({}, [shield]);
    expect(oddTools(['send', 'look', 'brake', 'sen'], 'look', settings, [shield])).toEqual([
      'the guard has never seen the tools brake, sen',
    ]);
    expect(oddTools(['send'], 'look', settings, [braking])).toEqual([
      'the server lists no tool "look", which the guard is to call',
      'the server lists no tool "brake", which the guard is to call',
    ]);
  });
});
