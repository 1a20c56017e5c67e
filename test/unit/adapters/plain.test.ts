import { describe, expect, it } from 'vitest';
import { guardCalls, guardTools } from '../../../bindings/runtime/adapters/plain.js';
import {
  createSession,
  type SessionOptions,
  WithheldError,
} from '../../../bindings/runtime/enforcement/index.js';
import { createGuard, type Strategy } from '../../../bindings/runtime/guard/index.js';
import { guardFile, never, ruleOf } from '../guard/guardFiles.js';

/** A world of two switches: with `a` on the risk is 0.9, and every call meets the strategy. `arm` turns it on, `disarm` off. */
function armoury(strategy: Strategy, options: Partial<SessionOptions> = {}) {
  const world = { a: false, b: false };
  const ran: string[] = [];
  const tools = {
    arm: async (_: Readonly<Record<string, never>>) => {
      ran.push('arm');
      world.a = true;
      return 'armed';
    },
    disarm: (_: Readonly<Record<string, never>>) => {
      ran.push('disarm');
      world.a = false;
      return { safe: true };
    },
    shout: ({ word }: { word: string }) => {
      ran.push(word);
      return word.toUpperCase();
    },
    fail: async (_: Readonly<Record<string, never>>): Promise<number> => {
      throw new Error('it is stuck');
    },
  };
  const session = createSession({
    guard: createGuard(guardFile([ruleOf(never, [0.1, 0.9, 0.1, 1], { strategy })])),
    state: () => ({ ...world }),
    tools: Object.keys(tools),
    ...options,
  });
  return { world, ran, tools, session };
}

const replaced = {
  strategy: { kind: 'replace', action: 'calm' } as const,
  replacements: { calm: { name: 'disarm', arguments: {} } },
};

describe('guarded functions', () => {
  it('give what the tools give, and take what they take', async () => {
    const { tools, session } = armoury({ kind: 'block' });
    const guarded = guardTools(session, tools);
    const word: string = await guarded.shout({ word: 'hey' });
    expect(word).toBe('HEY');
  });

  it('throw for a call that is withheld, with what the agent is to be told', async () => {
    const { tools, session, ran } = armoury({ kind: 'block' });
    const guarded = guardTools(session, tools);
    await guarded.arm({});
    const error = await guarded.shout({ word: 'hey' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(WithheldError);
    expect(error).toMatchObject({ code: 'withheld', verdict: { decision: 'block', rule: 'rule' } });
    expect(String(error)).toBe((error as WithheldError).verdict.message);
    expect(ran).toEqual(['arm']);
  });

  it('give the message instead, where asked to', async () => {
    const { tools, session } = armoury({ kind: 'reflect' });
    const guarded = guardTools(session, tools, { onWithheld: 'message' });
    await guarded.arm({});
    expect(await guarded.shout({ word: 'hey' })).toMatch(/rule/);
  });

  it('run the safe action instead, and say so', async () => {
    const { tools, session, ran } = armoury(replaced.strategy, { replacements: replaced.replacements });
    const throwing = guardTools(session, tools);
    const telling = guardTools(session, tools, { onWithheld: 'message' });
    await throwing.arm({});
    await expect(throwing.shout({ word: 'hey' })).rejects.toMatchObject({
      replacementResult: { safe: true },
    });
    await throwing.arm({});
    expect(await telling.shout({ word: 'hey' })).toMatch(/\n\{"safe":true\}$/);
    expect(ran).toEqual(['arm', 'disarm', 'arm', 'disarm']);
  });

  it('throw what the tool throws, of which the session is told', async () => {
    const outcomes: unknown[] = [];
    const { tools, session } = armoury(
      { kind: 'block' },
      { observers: [{ ran: (_, outcome) => void outcomes.push(outcome) }] },
    );
    await expect(guardTools(session, tools).fail({})).rejects.toThrow('it is stuck');
    expect(outcomes).toEqual([{ error: new Error('it is stuck') }]);
  });

  it('run no more once the guard has stopped the run', async () => {
    const { tools, session, ran, world } = armoury({ kind: 'stop' });
    const guarded = guardTools(session, tools);
    await guarded.arm({});
    await expect(guarded.shout({ word: 'hey' })).rejects.toMatchObject({ verdict: { ends: true } });
    world.a = false;
    await expect(guarded.shout({ word: 'hey' })).rejects.toMatchObject({ verdict: { reason: 'run-over' } });
    expect(ran).toEqual(['arm']);
  });

  it('ask a person and do as they say', async () => {
    const answers = [{ approved: false, comment: 'no noise' }, { approved: true }];
    const { tools, session, ran } = armoury({ kind: 'inspect' }, { ask: async () => answers.shift()! });
    const guarded = guardTools(session, tools);
    await guarded.arm({});
    await expect(guarded.shout({ word: 'hey' })).rejects.toMatchObject({ verdict: { reason: 'refused' } });
    expect(await guarded.shout({ word: 'ho' })).toBe('HO');
    expect(ran).toEqual(['arm', 'ho']);
  });
});

describe('the calls of a turn', () => {
  const call = (id: string, name: string, args: Record<string, unknown> = {}) => ({
    id,
    name,
    arguments: args,
  });

  it('are answered in their order: results, messages and errors', async () => {
    const { tools, session } = armoury({ kind: 'block' });
    const answers = await guardCalls(
      session,
      tools,
    )([call('1', 'shout', { word: 'hey' }), call('2', 'fail')]);
    expect(answers).toMatchObject([
      { call: { id: '1' }, content: 'HEY' },
      { call: { id: '2' }, content: undefined, error: new Error('it is stuck') },
    ]);
  });

  it('are all decided before the first runs', async () => {
    const events: string[] = [];
    const { tools, session } = armoury(
      { kind: 'block' },
      {
        maxPending: 6,
        observers: [
          {
            decided: ({ call: { id } }) => void events.push(`decided ${id}`),
            ran: ({ call: { id } }) => void events.push(`ran ${id}`),
          },
        ],
      },
    );
    await guardCalls(session, tools)([call('1', 'arm'), call('2', 'shout', { word: 'hey' })]);
    expect(events.slice(0, 2)).toEqual(['decided 1', 'decided 2']);
  });

  it('do not run, where a later one stops the run', async () => {
    const { tools, session, ran } = armoury({ kind: 'block' }, { maxPending: 6 });
    const answers = await guardCalls(
      session,
      tools,
    )([call('1', 'shout', { word: 'hey' }), call('2', 'constructor')]);
    expect(ran).toEqual([]);
    expect(answers.map(({ verdict }) => verdict.reason)).toEqual(['run-over', 'unknown-tool']);
  });

  it('tell of a replacement that is not among the tools', async () => {
    const { tools, session } = armoury(replaced.strategy, {
      replacements: { calm: { name: 'shout', arguments: { word: 'calm' } } },
    });
    const { shout: _, ...without } = tools;
    await guardCalls(session, without)([call('1', 'arm')]);
    const [answer] = await guardCalls(session, without)([call('2', 'disarm')]);
    expect(answer.error).toMatchObject({
      message: expect.stringContaining('tool "shout" is permitted, but not among'),
    });
  });
});

describe('what is wrong when tools are guarded is refused', () => {
  const { tools, session } = armoury({ kind: 'block' });
  const { arm } = tools;

  it.each([
    [
      'a tool that the session does not have',
      { ...tools, amr: arm },
      'tool "amr" is none of the session\'s, which are arm, disarm, shout, fail; did you mean arm?',
    ],
    ['one like none that it has', { detonate: arm }, 'declare it there'],
    ['a tool that is no function', { arm: 'arm' }, 'tool "arm" is the text "arm"; expected a function'],
    ['a list of tools', [arm], 'expected an object that has each function by its name'],
    ['no tools', null, 'the tools are null'],
  ])('%s', (_, given, message) => {
    expect(() => guardTools(session, given as never)).toThrow(message);
    expect(() => guardCalls(session, given as never)).toThrow(message);
  });

  it('an option with no such value', () => {
    expect(() => guardTools(session, tools, { onWithheld: 'mesage' as never })).toThrow(
      'onWithheld is the text "mesage"; expected throw or message',
    );
  });
});
