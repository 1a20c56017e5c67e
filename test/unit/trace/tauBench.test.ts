import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../../../bindings/base/errors.js';
import {
  readTauBench,
  readTauBenchResults,
  type SkippedTrace,
  type ToolState,
} from '../../../bindings/observations/trace/index.js';
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
  { role: 'tool', tool_call_id: '1', name: 'find_shoes', content: 'Error: none left' },
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

/** A message of the assistant that calls several tools, and an answer. */
const callAll = (...names: string[]) => ({
  role: 'assistant',
  tool_calls: names.map((name, i) => ({ id: `${name}-${i}`, function: { name, arguments: '' } })),
});
const answer = (tool_call_id: string, content: unknown = 'OK') => ({ role: 'tool', tool_call_id, content });
const bye = { role: 'user', content: 'Bye.' };

const actionsOf = ({ steps }: { steps: readonly { action?: { name: string } }[] }) =>
  steps.map(({ action }) => action?.name);

describe('readTauBench', () => {
  it('gives the state before each call, with the call, and the state after the last, as sessions see them', async () => {
    const [trace, second] = await read([conversation(0, shop), conversation(1, other, 2)]);
    const none = { find_shoes: 0, refund: 0 };
    const one = { find_shoes: 1, refund: 0 };
    const first = { lastTool: '', lastToolFailed: false, lastArguments: {}, lastResult: null };
    expect(trace).toEqual({
      id: 'task-0-trial-1',
      complete: true,
      steps: [
        {
          state: { ...first, calls: none, failures: none, history: [] },
          action: { name: 'find_shoes', arguments: { size: 41 } },
        },
        {
          state: {
            lastTool: 'find_shoes',
            lastToolFailed: true,
            lastArguments: { size: 41 },
            lastResult: null,
            calls: one,
            failures: one,
            history: [{ name: 'find_shoes', arguments: { size: 41 }, failed: true }],
          },
        },
      ],
    });
    expect(second.steps[1].state).toMatchObject({ lastTool: 'refund', lastResult: 'OK', failures: none });
  });

  it('keeps arguments that are not JSON as text, and takes none for none', async () => {
    const [, trace] = await read([conversation(0, shop), conversation(1, other, 2)], {}, [1, 3, 7]);
    expect(trace.steps[0].action).toEqual({ name: 'refund', arguments: { text: 'all of it' } });
    const [bare] = await read([conversation(1, [callAll('refund'), answer('refund-0'), bye])]);
    expect(bare.steps[0].action).toEqual({ name: 'refund', arguments: {} });
  });

  it('reads results that are JSON as data', async () => {
    const [trace] = await read([conversation(1, [callAll('find'), answer('find-0', '{"hits": [4]}'), bye])]);
    expect(trace.steps[1].state.lastResult).toEqual({ hits: [4] });
  });

  it('takes several calls of a message one after the other, in the order of their answers', async () => {
    const traj = [callAll('a', 'b', 'a'), answer('b-1'), answer('a-0'), answer('a-2', 'Error: no'), bye];
    const [trace] = await read([conversation(1, traj)]);
    expect(actionsOf(trace)).toEqual(['b', 'a', 'a', undefined]);
    expect(trace.steps.map(({ state }) => (state as ToolState).calls)).toEqual([
      { a: 0, b: 0 },
      { a: 0, b: 1 },
      { a: 1, b: 1 },
      { a: 2, b: 1 },
    ]);
    expect(trace.steps[3].state.failures).toEqual({ a: 1, b: 0 });
  });

  it('has an entry for each tool that the file calls, and for those asked for', async () => {
    const [trace] = await read([conversation(1, other), conversation(1, shop)], { tools: ['pay', 'refund'] });
    expect(trace.steps[0].state.calls).toEqual({ find_shoes: 0, pay: 0, refund: 0 });
  });

  it('leaves out what was never answered, and ends with it where the conversation does', async () => {
    const notes: string[] = [];
    const options = { onNote: ({ message }: { message: string }) => notes.push(message) };
    const goesOn = [callAll('a', 'b'), answer('b-1'), { role: 'assistant', content: 'Done.' }, bye];
    const cut = [callAll('a'), answer('a-0'), callAll('b', 'a')];
    const [one, two] = await read([conversation(1, goesOn), conversation(1, cut)], options);
    expect(actionsOf(one)).toEqual(['b', undefined]);
    expect(one.complete).toBe(true);
    expect(actionsOf(two)).toEqual(['a', 'b']);
    expect(two.complete).toBe(false);
    expect(notes).toContain('2 tool calls have no answer: taken as never run, and left out');
  });

  it('is cut where the assistant never came to read an answer, unless that ends the conversation', async () => {
    const [cut, ended] = await read([
      conversation(1, [callAll('a'), answer('a-0')]),
      conversation(1, [callAll('transfer_to_human_agents'), answer('transfer_to_human_agents-0')]),
    ]);
    expect([cut.complete, ended.complete]).toEqual([false, true]);
    expect(cut.steps).toHaveLength(2);
  });

  it('says what of the recording no session sees, and what is taken for a failure', async () => {
    const notes: string[] = [];
    const onNote = ({ source, message }: { source: string; message: string }) =>
      notes.push(`${source}: ${message}`);
    await read([conversation(0, shop), conversation(1, other)], { onNote });
    expect(notes).toEqual([
      'tau.json: 4 messages of users and answers to them are not steps: a session decides on calls of tools alone',
      'tau.json: 1 of 2 tool calls failed, as their answers begin with "Error": a session knows that where the tool throws',
    ]);
  });

  it.each([
    ['{"a": 1}', 'tau.json:1:1: the file is an object with a; expected an array'],
    ['[\n {"reward": 1,\n  "traj": }]', 'tau.json:3:11: not JSON: found "}]", expected a value'],
    ['[7]', 'conversation 0 is 7; expected an object'],
    ['[{"reward": 1}]', 'conversation 0.traj is missing; expected an array'],
    ['[{"reward": 1, "traj": []}]', 'conversation 0 has no messages'],
    ['[{"reward": 1, "traj": [7]}]', 'conversation 0.traj[0] is 7; expected a message'],
    ['[{"reward": 1, "traj": [{}]}]', 'conversation 0.traj[0].role is missing; expected a string'],
    [
      '[{"reward": 1, "traj": [{"role": "tool"}]}]',
      'conversation 0.traj[0].name is missing; expected the name of a tool, or a tool_call_id',
    ],
    [
      '[{"traj": [{"role": "tool", "name": "pay"}]}]',
      'conversation 0.traj[0] answers "pay", which is not a call that waits for an answer (none)',
    ],
    [
      '[{"traj": [{"role": "assistant", "tool_calls": [{"id": "1", "function": {}}]}]}]',
      'conversation 0.traj[0].tool_calls[0].function.name is missing; expected the name of a tool',
    ],
    [
      '[{"traj": [{"role": "assistant", "tool_calls": {}}]}]',
      'conversation 0.traj[0].tool_calls is an object with no keys; expected an array of calls',
    ],
    [
      '[{"traj": [{"role": "assistant", "tool_calls": [3]}]}]',
      'conversation 0.traj[0].tool_calls[0] is 3; expected a call with a function',
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

describe('readTauBenchResults', () => {
  const results = (text: string, options = {}) =>
    collect(readTauBenchResults(chunked(text), { source: 'tau.json', ...options }));

  it('gives what the judge said, which no step has', async () => {
    const text = JSON.stringify([conversation(0, shop), conversation(1, other, 2)]);
    expect(await results(text)).toEqual([
      { id: 'task-0-trial-1', task: '0', trial: '1', reward: 0 },
      { id: 'task-2-trial-1', task: '2', trial: '1', reward: 1 },
    ]);
    expect(JSON.stringify(await read(text))).not.toContain('reward');
  });

  it('refuses a conversation without a reward, or leaves it out', async () => {
    await expect(results('[{"traj": []}]')).rejects.toThrow(
      'conversation 0.reward is missing; expected a number',
    );
    expect(await results('[{"traj": []}, {"reward": 1}]', { skipInvalid: true })).toHaveLength(1);
  });
});

sharedData('tau-bench/gpt-4o-airline.json', (path) => {
  const chunks = () => chunked(readFileSync(path));

  it('reads all 150 conversations, a step for each of 862 calls and one at the end', async () => {
    const traces = await collect(readTauBench(chunks(), { source: 'airline' }));
    expect(traces).toHaveLength(150);
    expect(traces.reduce((sum, trace) => sum + trace.steps.length, 0)).toBe(862 + 150);
    const last = traces.map((trace) => trace.steps.at(-1)!.state as ToolState);
    expect(Object.keys(last[0].calls)).toHaveLength(14);
    expect(last.reduce((sum, { calls }) => sum + calls.book_reservation, 0)).toBe(38);
    expect(last.reduce((sum, { failures }) => sum + failures.book_reservation, 0)).toBe(22);
    expect(new Set(traces.map((trace) => trace.id)).size).toBe(150);
    // tau-bench cuts a conversation after 30 messages of the assistant.
    expect(traces.filter(({ complete }) => complete === false)).toHaveLength(3);
  });

  it('gives the rewards of the same conversations, 87 of them 0', async () => {
    const found = await collect(readTauBenchResults(chunks(), { source: 'airline' }));
    const traces = await collect(readTauBench(chunks(), { source: 'airline' }));
    expect(found.map(({ id }) => id)).toEqual(traces.map(({ id }) => id));
    expect(found.filter(({ reward }) => reward === 0)).toHaveLength(87);
  });
});
