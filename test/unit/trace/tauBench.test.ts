import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../../../bindings/errors.js';
import { readTauBench, type SkippedTrace } from '../../../bindings/trace/index.js';
import { sharedData } from '../../shared.js';
import { chunked, collect } from './bytes.js';

const call = (name: string, args: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: '1', type: 'function', function: { name, arguments: args } }],
});
const conversation = (reward: number, traj: object[], task_id = 0) => ({ task_id, trial: 1, reward, traj });
const shop = [
  { role: 'system', content: 'You sell shoes.' },
  { role: 'user', content: 'One pair, please.' },
  call('find_shoes', '{"size":41}'),
  { role: 'tool', name: 'find_shoes', content: 'Error: none left' },
  { role: 'assistant', content: 'Sorry.' },
  { role: 'user', content: 'Bye.' },
];
const other = [
  { role: 'user', content: 'Refund!' },
  call('refund', 'all of it'),
  { role: 'tool', name: 'refund', content: 'OK' },
];

const read = (value: unknown, options = {}, sizes?: number[]) =>
  collect(
    readTauBench(chunked(typeof value === 'string' ? value : JSON.stringify(value, null, 1), sizes), {
      source: 'tau.json',
      ...options,
    }),
  );

describe('readTauBench', () => {
  it('gives a state after each message, with the action that the assistant chooses in it', async () => {
    const [trace] = await read([conversation(0, shop), conversation(1, other, 2)]);
    const none = { find_shoes: 0, refund: 0 };
    const one = { find_shoes: 1, refund: 0 };
    const before = { lastTool: '', lastToolFailed: false, calls: none, failed: false };
    const after = { lastTool: 'find_shoes', lastToolFailed: true, calls: one, failed: false };
    expect(trace).toEqual({
      id: 'task-0-trial-1',
      complete: true,
      steps: [
        { state: { role: 'system', turns: 0, ...before } },
        {
          state: { role: 'user', turns: 1, ...before },
          action: { name: 'find_shoes', arguments: { size: 41 } },
        },
        { state: { role: 'assistant', turns: 1, ...before } },
        { state: { role: 'tool', turns: 1, ...after }, action: { name: 'respond' } },
        { state: { role: 'assistant', turns: 1, ...after } },
        { state: { role: 'user', turns: 2, ...after, failed: true } },
      ],
    });
  });

  it('keeps arguments that are no JSON as text, and fails only where the reward is 0', async () => {
    const [, trace] = await read([conversation(0, shop), conversation(1, other, 2)], {}, [1, 3, 7]);
    expect(trace.steps[0].action).toEqual({ name: 'refund', arguments: { text: 'all of it' } });
    expect(trace.steps.map((step) => step.state.failed)).toEqual([false, false, false]);
    expect(trace.steps[2].state).toMatchObject({ lastTool: 'refund', lastToolFailed: false });
  });

  it.each([
    ['{"a": 1}', 'tau.json:1:1: the file is an object with a; expected an array'],
    ['[\n {"reward": 1,\n  "traj": }]', 'tau.json:3:11: not JSON: found "}]", expected a value'],
    ['[7]', 'conversation 0 is 7; expected an object'],
    ['[{"traj": []}]', 'conversation 0.reward is missing; expected a number'],
    ['[{"reward": 1}]', 'conversation 0.traj is missing; expected an array'],
    ['[{"reward": 1, "traj": []}]', 'conversation 0 has no messages'],
    ['[{"reward": 1, "traj": [7]}]', 'conversation 0.traj[0] is 7; expected a message'],
    ['[{"reward": 1, "traj": [{}]}]', 'conversation 0.traj[0].role is missing; expected a string'],
    [
      '[{"reward": 1, "traj": [{"role": "tool"}]}]',
      'conversation 0.traj[0].name is missing; expected the name of a tool',
    ],
  ])('refuses %s', async (text, message) => {
    const error = await read(text).catch((e) => e);
    expect(error).toBeInstanceOf(ParseError);
    expect(error.message).toContain(message);
  });

  it('skips conversations that are none and reads the rest', async () => {
    const skipped: SkippedTrace[] = [];
    const options = { skipInvalid: true, onSkipped: (s: SkippedTrace) => skipped.push(s) };
    expect(await read([7, conversation(1, []), conversation(1, other)], options)).toHaveLength(1);
    expect(skipped.map((s) => s.reason)).toEqual(['invalid', 'empty']);
    expect(await read('[', options)).toEqual([]);
    expect(skipped.at(-1)).toMatchObject({ reason: 'malformed' });
  });

  it('refuses a file above the limit and one that is not UTF-8', async () => {
    await expect(read([conversation(1, other)], { maxLineBytes: 20 })).rejects.toThrow('more than 20 bytes');
    const bytes = Uint8Array.of(0x5b, 0xff, 0x5d);
    await expect(collect(readTauBench(chunked(bytes), { source: 'tau.json' }))).rejects.toThrow('not UTF-8');
  });
});

sharedData('tau-bench/gpt-4o-airline.json', (path) => {
  it('reads all 150 conversations, 87 of them failed', async () => {
    const traces = await collect(readTauBench(chunked(readFileSync(path)), { source: 'airline' }));
    expect(traces).toHaveLength(150);
    expect(traces.filter((trace) => trace.steps.at(-1)!.state.failed)).toHaveLength(87);
    expect(traces.reduce((sum, trace) => sum + trace.steps.length, 0)).toBe(1096 + 946 + 862 + 862 + 150);
    const calls = traces.map((trace) => trace.steps.at(-1)!.state.calls as Record<string, number>);
    expect(Object.keys(calls[0])).toHaveLength(14);
    expect(calls.reduce((sum, count) => sum + count.book_reservation, 0)).toBe(38);
    const answers = traces.flatMap((trace) => trace.steps.filter((step) => step.state.role === 'tool'));
    const bookings = answers.filter(
      ({ state }) => state.lastTool === 'book_reservation' && state.lastToolFailed,
    );
    expect(bookings).toHaveLength(22);
    expect(new Set(traces.map((trace) => trace.id)).size).toBe(150);
  });
});
