import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import type { Action, Trace } from '../../../bindings/observations/trace/index.js';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-effects-'));
const path = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true }));

const spec = (actions: string) => `version: 1
predicates: { inKitchen: 'room == "kitchen"', inBath: 'room == "bath"', doorOpen: door.open, lit: lamp.on }
rules: { order: { formula: '!inBath W inKitchen', threshold: 0.5 } }
${actions}`;
const declared = `actions:
  walk: { arguments: { to: [kitchen, bath] }, requires: '!in[to]', sets: 'in[to]', clears: 'in[*]' }
  push: { arguments: { force: number }, sets: { doorOpen: force > 3 }, may: { doorOpen: force == 3 } }
`;
interface World {
  readonly room: string;
  readonly open?: boolean;
  readonly on?: boolean;
}
const step = ({ room, open = false, on }: World, action?: Action) => ({
  state: { room, door: { open }, ...(on !== undefined && { lamp: { on } }) },
  ...(action && { action }),
});
const walk = (to: string): Action => ({ name: 'walk', arguments: { to } });
const push = (force: number): Action => ({ name: 'push', arguments: { force } });
const traces: Trace[] = [
  {
    id: 'good',
    steps: [
      step({ room: 'kitchen', on: true }, walk('bath')),
      step({ room: 'bath', on: true }, push(5)),
      step({ room: 'bath', open: true, on: true }, push(3)),
      // What no action declares may change at any time.
      step({ room: 'bath', open: false, on: false }, push(9)),
    ],
  },
  {
    id: 'bad',
    steps: [
      step({ room: 'kitchen', on: true }, walk('kitchen')),
      step({ room: 'kitchen', on: true }, walk('bath')),
      step({ room: 'kitchen', open: true, on: true }, push(5)),
      step({ room: 'kitchen', open: false, on: true }, push(1)),
      step({ room: 'kitchen', open: true, on: true }, { name: 'fly' }),
      step({ room: 'kitchen', open: true, on: true }, walk('cellar')),
      step({ room: 'kitchen', open: true, on: true }),
    ],
  },
];

beforeAll(() => {
  writeFileSync(path('declared.yaml'), spec(declared));
  writeFileSync(path('plain.yaml'), spec(''));
  writeFileSync(path('traces.jsonl'), traces.map((trace) => JSON.stringify(trace)).join('\n'));
});
const validate = (name: string, ...more: string[]) =>
  foreguard('validate', '--spec', path(name), '--traces', path('traces.jsonl'), ...more);

describe('validate', () => {
  it('counts the calls that contradict what is declared, by action and predicate', async () => {
    const { out, err, code } = await validate('declared.yaml', '--json');
    expect(code, err).toBe(0);
    expect(JSON.parse(out).declaredActions).toEqual({
      steps: 7,
      undeclared: 2,
      contradictions: [
        { action: 'walk', predicate: null, declared: 'required', count: 1, first: 'trace "bad", step 0' },
        {
          action: 'walk',
          predicate: 'inKitchen',
          declared: 'cleared',
          count: 1,
          first: 'trace "bad", step 1',
        },
        { action: 'walk', predicate: 'inBath', declared: 'set', count: 1, first: 'trace "bad", step 1' },
        {
          action: 'walk',
          predicate: 'doorOpen',
          declared: 'unchanged',
          count: 1,
          first: 'trace "bad", step 1',
        },
        { action: 'push', predicate: 'doorOpen', declared: 'set', count: 1, first: 'trace "bad", step 2' },
        {
          action: 'push',
          predicate: 'doorOpen',
          declared: 'unchanged',
          count: 1,
          first: 'trace "bad", step 3',
        },
      ],
    });
  });

  it('says so in words, and nothing where nothing is declared', async () => {
    const { out } = await validate('declared.yaml');
    expect(out).toContain(
      '7 declared calls with a step after: 6 contradictions of what is declared; nothing is declared of 2 other calls',
    );
    expect(out).toContain(
      '  walk: called although what it requires did not hold, once, the first: trace "bad", step 0',
    );
    expect(out).toContain('  push: sets doorOpen, and it was false, once, the first: trace "bad", step 2');
    expect((await validate('plain.yaml')).out).not.toContain('declared');
    expect(JSON.parse((await validate('plain.yaml', '--json')).out)).not.toHaveProperty('declaredActions');
  });
});
