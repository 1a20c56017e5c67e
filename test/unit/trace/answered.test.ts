import { describe, expect, it } from 'vitest';
import { readJsonLines } from '../../../bindings/observations/trace/index.js';
import { chunked, collect } from './bytes.js';

const read = (steps: unknown, more: object = {}) =>
  collect(readJsonLines(chunked(JSON.stringify({ id: 'a', ...more, steps })), { source: 'runs.jsonl' }));
const call = (name: string, more: object = {}) => ({ name, failed: false, ...more });

describe('the calls that answered, in JSON lines', () => {
  it('become the history of states, and stand in no step', async () => {
    const [{ steps }] = await read([
      { state: {}, answered: [] },
      { state: {} },
      { state: {}, answered: [call('a'), call('b', { arguments: { n: 1 }, time: 2 })] },
      { state: { history: 'own' }, answered: [call('c')] },
      { state: {}, answered: [call('d')] },
    ]);
    expect(steps).toEqual([
      { state: { history: [] } },
      { state: {} },
      { state: { history: [call('a'), call('b', { arguments: { n: 1 }, time: 2 })] } },
      { state: { history: 'own' } },
      {
        state: {
          history: [call('a'), call('b', { arguments: { n: 1 }, time: 2 }), call('c'), call('d')],
        },
      },
    ]);
  });

  it('lack nulls that were not recorded', async () => {
    const steps = [{ state: {}, answered: [call('a', { arguments: { n: null, m: null } })] }];
    const [trace] = await read(steps, { notRecorded: { 'history.arguments.n': 'no' } });
    expect(trace.steps[0].state.history).toEqual([call('a', { arguments: { m: null } })]);
  });

  it.each([
    [{ a: 1 }, 'steps[0].answered is an object with a; expected the calls that answered before it'],
    [[{ name: 'a' }], 'steps[0].answered[0] is an object with name; expected a call'],
    [[7], 'steps[0].answered[0] is 7; expected a call'],
  ])('are refused if they are none: %j', async (answered, message) => {
    await expect(read([{ state: {}, answered }])).rejects.toThrow(message);
  });
});
