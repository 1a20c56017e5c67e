import { Command, interrupt, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import fc from 'fast-check';
import { createMiddleware } from 'langchain';
import { describe, expect, it } from 'vitest';
import { mailSession } from '../shared/mailSession.js';
import { MOVES, worseningWorld } from '../shared/worseningWorld.js';
import { asked, mailAgent, scripted, told } from './mailAgent.js';
import { askedAbout, sendingAgent, shownBy } from './sendingAgent.js';

const yes = { approved: true, by: 'Ann' };
const no = { approved: false, by: 'Ann', comment: 'not to them' };

/** An agent in a tainted world that has paused, and asks about the first of these. */
async function paused(...to: readonly string[]) {
  const run = await sendingAgent(...to);
  run.world.tainted = true;
  const process = run.start();
  const result = await process.ask();
  expect(askedAbout(result)).toBe(to[0]);
  return { ...run, process, result };
}

describe('an answer that comes after a restart', () => {
  it('is not that to another call, where the one that was asked about needs none any more', async () => {
    const { world, restart, sent, answers } = await paused('ada@home', 'mallory@abroad');
    world.tainted = false;
    const process = restart();
    expect(askedAbout(await process.answer(yes))).toBe('mallory@abroad');
    expect([sent, answers()]).toEqual([[], []]);
    const { messages } = await process.answer(no);
    expect(sent).toEqual(['ada@home']);
    expect(answers()).toEqual(['refused mallory@abroad']);
    expect(told(messages)['1.1'][1]).toContain('not to them');
  });

  it('is not that to a call before, which nobody was asked about', async () => {
    const { world, start, restart, sent, answers } = await sendingAgent('ada@home', 'mallory@abroad');
    expect(askedAbout(await start().ask())).toBe('mallory@abroad');
    world.tainted = true;
    const process = restart();
    expect(askedAbout(await process.answer(yes))).toBe('ada@home');
    expect(answers()).toEqual([]);
    await process.answer(no);
    expect(answers()).toEqual(['refused ada@home', 'approved mallory@abroad']);
    expect(sent).toEqual(['mallory@abroad']);
  });

  it.each(MOVES.flatMap((move) => [true, false].map((withId) => ({ ...move, withId }))))(
    'counts for what people were told: %o',
    async ({ before, after, covered, withId }) => {
      const { world, box, start } = await worseningWorld();
      const checkpointer = new MemorySaver();
      const model = scripted([['send', { to: 'ada' }]], 'done');
      const agent = () => mailAgent(start(), box, model, { checkpointer, interrupts: true });
      const config = { configurable: { thread_id: 'one' } };
      world.watched = before;
      const shown = shownBy(await agent().invoke(asked, config));
      expect(shown?.call.name).toBe('send');
      world.watched = after;
      const answer = { ...yes, ...(withId && { id: shown?.id }) };
      const second = agent();
      const next = shownBy(await second.invoke(new Command({ resume: answer }), config));
      expect(box.ran).toEqual(covered ? ['send'] : []);
      if (covered) return;
      // A person is asked anew, who is told more.
      expect(next?.question).toContain('noHarm');
      await second.invoke(new Command({ resume: { ...yes, id: next?.id } }), config);
      expect(box.ran).toEqual(['send']);
    },
  );

  it('is that to its own call, of several that were asked about', async () => {
    const { world, process, restart, sent, answers } = await paused(
      'a@home',
      'b@abroad',
      'c@home',
      'd@abroad',
    );
    expect(askedAbout(await process.answer(yes))).toBe('b@abroad');
    world.tainted = false;
    const second = restart();
    const last = await second.answer(no);
    expect(askedAbout(last)).toBe('d@abroad');
    world.tainted = true;
    const third = restart();
    expect(askedAbout(await third.answer({ ...yes, id: shownBy(last)?.id }))).toBe('c@home');
    await restart().answer(no);
    expect(sent.sort()).toEqual(['a@home', 'd@abroad']);
    expect(new Set(answers())).toEqual(
      new Set(['approved a@home', 'refused b@abroad', 'approved d@abroad', 'refused c@home']),
    );
  });

  it('withholds the call where it is no, though the guard allows it by now', async () => {
    const { world, restart, sent, records } = await paused('ada@home', 'bob@home');
    world.tainted = false;
    const { messages } = await restart().answer(no);
    expect(sent).toEqual(['bob@home']);
    expect(told(messages)['1.0']).toEqual(['error', 'send: A person refused the call: not to them']);
    expect(records).toContainEqual(expect.objectContaining({ kind: 'outcome', outcome: 'withheld' }));
  });

  it('counts in the same world, also where each answer has a process of its own', async () => {
    const { restart, sent, answers } = await paused('a@home', 'b@abroad', 'c@home');
    expect(askedAbout(await restart().answer({ approved: true, by: 'Ann' }))).toBe('b@abroad');
    expect(askedAbout(await restart().answer({ approved: false, by: 'Ann' }))).toBe('c@home');
    const { messages } = await restart().answer({ approved: true, by: 'Bob' });
    expect(sent.sort()).toEqual(['a@home', 'c@home']);
    expect(Object.values(told(messages)).map(([status]) => status)).toEqual(['success', 'error', 'success']);
    expect(new Set(answers())).toEqual(new Set(['approved a@home', 'refused b@abroad', 'approved c@home']));
  });

  it('is waited for where a crash came before it, for the person has been asked', async () => {
    const { world, restart, sent, result } = await paused('ada@home', 'mallory@abroad');
    world.tainted = false;
    const shown = shownBy(await restart().goOn());
    expect(shown).toMatchObject({
      id: shownBy(result)?.id,
      call: { id: '1.0', name: 'send', arguments: { to: 'ada@home' } },
      rule: 'noLeak',
    });
    expect(askedAbout(await restart().answer(yes))).toBe('mallory@abroad');
    expect(sent).toEqual([]);
  });

  it('does not revive an approval that came too late', async () => {
    let now = 0;
    const clock = { now: () => now, askTimeoutMs: 1000 };
    const { world, start, restart, sent, answers } = await sendingAgent('ada@home', 'bob@home');
    world.tainted = true;
    const process = start(clock);
    await process.ask();
    now = 2000;
    expect(askedAbout(await process.answer(yes))).toBe('bob@home');
    await restart(clock).answer({ approved: true, by: 'Bob' });
    expect(sent).toEqual(['bob@home']);
    expect(answers()).toEqual(['no-answer ada@home', 'refused ada@home', 'approved bob@home']);
  });

  it('is none without its id where the session was not resumed, for nobody knows what was asked', async () => {
    for (const resume of [yes, { decisions: [{ type: 'approve' }] }]) {
      const { start, sent } = await paused('ada@home', 'mallory@abroad');
      const process = start();
      const result = await process.answer(resume);
      expect(askedAbout(result)).toBe('mallory@abroad');
      const { messages } = await process.answer(no);
      expect(sent).toEqual([]);
      expect(told(messages)['1.0'][1]).toContain('not known to be about this call; propose it again');
    }
  });

  it('counts with the id of its question, and is none with that of another', async () => {
    const { process, restart, sent, result } = await paused('ada@home', 'mallory@abroad');
    const first = shownBy(result)?.id;
    const second = shownBy(await process.answer({ ...yes, id: first }));
    expect(second?.call.arguments.to).toBe('mallory@abroad');
    const { messages } = await restart().answer({ ...yes, id: first });
    expect(sent).toEqual(['ada@home']);
    expect(told(messages)['1.1'][1]).toContain('not known to be about this call');

    const other = await paused('ada@home', 'mallory@abroad');
    const shown = shownBy(await other.process.answer(yes));
    await other.restart().answer({ decisions: [{ type: 'approve' }], id: shown?.id });
    expect(other.sent.sort()).toEqual(['ada@home', 'mallory@abroad']);
  });

  it('is never taken for that to another call, whatever happens between', async () => {
    const someAddresses = fc.uniqueArray(
      fc.constantFrom('a@home', 'b@home', 'c@home', 'd@abroad', 'e@abroad'),
      {
        minLength: 1,
      },
    );
    const pauses = fc.array(
      fc.record({
        tainted: fc.boolean(),
        restarts: fc.boolean(),
        crashes: fc.boolean(),
        withId: fc.boolean(),
      }),
      { minLength: 12, maxLength: 12 },
    );
    const approvals = fc.uniqueArray(fc.nat(4));
    await fc.assert(
      fc.asyncProperty(someAddresses, approvals, pauses, async (addresses, approvals, pauses) => {
        const to: readonly string[] = addresses;
        const run = await sendingAgent(...to);
        const approved = to.filter((_, i) => approvals.includes(i));
        const answered = new Map<string, string>();
        run.world.tainted = pauses[0].tainted;
        let process = run.start();
        let result = await process.ask();
        for (const { tainted, restarts, crashes, withId } of pauses) {
          if (restarts) {
            run.world.tainted = tainted;
            process = run.restart();
          }
          if (crashes && askedAbout(result) !== null) result = await process.goOn();
          const shown = shownBy(result);
          if (shown === null) break;
          const about = shown.call.arguments.to as string;
          expect(answered.has(about), `${about} was answered already`).toBe(false);
          const isApproved = approved.includes(about);
          answered.set(about, isApproved ? 'approved' : 'refused');
          result = await process.answer({ ...(isApproved ? yes : no), ...(withId && { id: shown.id }) });
        }
        expect(askedAbout(result)).toBe(null);
        for (const answer of run.answers()) {
          const [what, about] = answer.split(' ');
          if (what === 'approved') expect(answered.get(about), about).toBe(what);
        }
        for (const one of run.sent) {
          const answer = answered.get(one);
          expect(one.endsWith('@home') ? answer !== 'refused' : answer === 'approved', one).toBe(true);
        }
        // Where every answer says what it is to, and none is repeated, each has its effect.
        if (pauses.some(({ crashes, withId }) => crashes || !withId)) return;
        const expected = to.filter(
          (one) => (answered.get(one) ?? (one.endsWith('@home') && 'approved')) === 'approved',
        );
        expect(run.sent.sort()).toEqual(expected.sort());
      }),
      { numRuns: 60 },
    );
  });
});

describe('an answer that LangGraph gives once more, for the graph went on without one', () => {
  it.each([true, false])('approves nothing of the same step, by its id: %s', async (withId) => {
    for (const restarts of [true, false]) {
      const { process, restart, sent, answers, result } = await paused('ada@home', 'bob@home', 'eve@home');
      const answer = withId ? { ...yes, id: shownBy(result)?.id } : yes;
      expect(askedAbout(await process.answer(answer))).toBe('bob@home');
      const next = restarts ? restart() : process;
      expect(askedAbout(await next.goOn())).toBe('eve@home');
      // A person still sees the question about bob.
      await next.answer({ ...yes, by: 'Bob' });
      expect(sent).toEqual(['ada@home']);
      expect(answers().filter((one) => one.startsWith('approved'))).not.toContain('approved eve@home');
    }
  });

  it('approves nothing of another step, where the agent is in another graph', async () => {
    const run = await mailSession({ strategy: 'inspect' });
    run.box.world.tainted = true;
    const sends = (to: string) => [['send', { to }]] as const;
    const agent = mailAgent(
      run.session,
      run.box,
      scripted(sends('ada'), sends('bob'), sends('eve'), 'done'),
      {
        interrupts: true,
      },
    );
    const within = new StateGraph(MessagesAnnotation)
      .addNode('agent', async (state) => agent.invoke(state))
      .addEdge(START, 'agent')
      .compile({ checkpointer: new MemorySaver() });
    const config = { configurable: { thread_id: 'one' } };
    const shown = shownBy(await within.invoke(asked, config));
    expect(shown?.call.arguments).toEqual({ to: 'ada' });
    const second = await within.invoke(new Command({ resume: { ...yes, id: shown?.id } }), config);
    expect(askedAbout(second)).toBe('bob');
    expect(askedAbout(await within.invoke(null, config))).toBe('eve');
    const { messages } = await within.invoke(new Command({ resume: yes }), config);
    expect(run.box.ran).toEqual(['send']);
    expect(told(messages)['3.0'][1]).toContain('not known to be about this call');
  });
});

describe('a question in the node of the tools, where others ask, too', () => {
  /** Middleware that has the call sent elsewhere, once it was decided. */
  const redirecting = (to: string) =>
    createMiddleware({
      name: 'redirecting',
      wrapToolCall: (request, handler) =>
        handler({ ...request, toolCall: { ...request.toolCall, args: { to } } }),
    });

  it('is answered with its id, also after a restart, and by nothing else', async () => {
    for (const withId of [true, false]) {
      for (const restarts of [true, false]) {
        const { start, restart, sent } = await sendingAgent('ada@home');
        const before = [redirecting('mallory@abroad')];
        let process = start({ before });
        const shown = shownBy(await process.ask());
        expect(shown?.call.arguments).toEqual({ to: 'mallory@abroad' });
        if (restarts) process = restart({ before });
        await process.answer(withId ? { ...yes, id: shown?.id } : yes);
        expect(sent).toEqual(withId ? ['mallory@abroad'] : []);
      }
    }
  });

  it('is asked anew where the call is tried again', async () => {
    const { tools, start } = await sendingAgent('ada@home');
    const tried: string[] = [];
    tools.send = async ({ to }) => {
      tried.push(to);
      if (tried.length === 1) throw new Error('no connection');
      return '';
    };
    const retrying = createMiddleware({
      name: 'retrying',
      wrapToolCall: async (request, handler) => {
        const told = await handler(request);
        return 'status' in told && told.status === 'error' ? handler(request) : told;
      },
    });
    const process = start({ before: [retrying, redirecting('mallory@abroad')] });
    const first = shownBy(await process.ask());
    const second = shownBy(await process.answer({ ...yes, id: first?.id }));
    expect(second?.call).toEqual(first?.call);
    expect(second?.id).not.toBe(first?.id);
    expect(tried).toEqual(['mallory@abroad']);
    await process.answer({ ...yes, id: second?.id });
    expect(tried).toEqual(['mallory@abroad', 'mallory@abroad']);
  });

  it('does not get the answer to a question of the tool itself', async () => {
    const { world, tools, start, restart, sent, answers } = await sendingAgent('ada@home');
    tools.send = async ({ to }) => {
      if ((interrupt('may I?') as typeof yes).approved) sent.push(to);
      return '';
    };
    const { __interrupt__: [pause] = [] } = await start().ask();
    expect(pause.value).toBe('may I?');
    world.tainted = true;
    await restart().answer(yes);
    expect([sent, answers()]).toEqual([[], ['refused ada@home']]);
  });

  it('keeps its place before a question of the tool itself, though the guard asks nobody any more', async () => {
    const { world, tools, start, restart, sent } = await sendingAgent('x@home');
    world.tainted = true;
    tools.send = async ({ to }) => {
      sent.push(`${to} ${interrupt('which text?')}`);
      return '';
    };
    const before = [redirecting('ada@home')];
    const first = start({ before });
    await first.ask();
    const shown = shownBy(await first.answer(yes));
    expect(shown?.call.arguments).toEqual({ to: 'ada@home' });
    const { __interrupt__: [pause] = [] } = await first.answer({ ...yes, id: shown?.id });
    expect(pause.value).toBe('which text?');
    world.tainted = false;
    await restart({ before }).answer('hello');
    expect(sent).toEqual(['ada@home hello']);
  });
});

it('nobody is asked where it cannot be recorded what they are asked', async () => {
  const { world, start, sent } = await sendingAgent('ada@home');
  world.tainted = true;
  const append = ({ kind }: { readonly kind: string }) => {
    if (kind === 'question') throw new Error('disk full');
  };
  await expect(start({ log: { append } }).ask()).rejects.toThrow('disk full');
  expect(sent).toEqual([]);
});
