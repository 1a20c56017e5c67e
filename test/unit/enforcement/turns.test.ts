import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import { Proposals } from '../../../bindings/runtime/adapters/aiSdk/proposals.js';
import { guardClaudeAgent, type HookInput } from '../../../bindings/runtime/adapters/claudeAgent.js';
import { GuardedRun } from '../../../bindings/runtime/adapters/langchain/guardedRun.js';
import { guardCalls } from '../../../bindings/runtime/adapters/plain.js';
import { bindAgentSpec, parseAgentSpec } from '../../../bindings/runtime/agentspec/index.js';
import { replayAudit } from '../../../bindings/runtime/enforcement/audit/index.js';
import {
  createSession,
  type RunRecord,
  type SessionOptions,
  type ToolCall,
} from '../../../bindings/runtime/enforcement/index.js';
import { createGuard, type GuardFile } from '../../../bindings/runtime/guard/index.js';

const specified = (escalate = 'stop', most = 1): GuardFile =>
  compileRules(
    parseSpecification(`version: 1
predicates: { bad: 'action.name == "bad"' }
rules: { notBad: { formula: 'G !bad', strategy: reflect, maxReflections: ${most}, escalate: [${escalate}] } }`),
  );
const { rules } = parseAgentSpec(
  'rule @notBad\ntrigger\n  bad\ncheck\n  true\nenforce\n  llm_self_reflect\nend\n',
);
const agentSpec = bindAgentSpec(rules);

/** The same rule, kept by a guard and by rules without history. */
const JUDGED: [string, Partial<SessionOptions>, GuardFile | null][] = [
  ['a guard', { guard: createGuard(specified()) }, specified()],
  ['reactive rules', { rules: [agentSpec], maxReflections: 1 }, null],
];

function sessionOf(options: Partial<SessionOptions>) {
  const records: RunRecord[] = [];
  const session = createSession({
    tools: ['bad', 'good'],
    id: 'run',
    log: { append: (record) => void records.push(JSON.parse(JSON.stringify(record))) },
    ...options,
  });
  return { session, records };
}
let calls = 0;
const call = (name: string): ToolCall => ({ id: `${calls++}`, name, arguments: {} });
const decisionsIn = (records: readonly RunRecord[]) =>
  records.flatMap((record) => (record.kind === 'decision' ? [record.decision] : []));

async function differenceOf(records: readonly RunRecord[], file: GuardFile | null) {
  async function* entries() {
    for (const [sequence, record] of records.entries()) yield { sequence, record, previous: '', hash: '' };
  }
  // Rules without history stand beside a guard that permits everything, whose file nobody has.
  if (file === null) return null;
  return (await replayAudit(entries() as never, file, { rules: [] })).difference;
}

describe.each(JUDGED)('several refused calls of one turn, by %s', (_, judged, file) => {
  it('are one reflection if they are proposed before the first refusal is told', async () => {
    const { session, records } = sessionOf(judged);
    const verdicts = await Promise.all(['bad', 'bad', 'bad'].map((name) => session.decide(call(name))));
    expect(verdicts.map(({ decision }) => decision)).toEqual(['reflect', 'reflect', 'reflect']);
    expect((await session.decide(call('bad'))).decision).toBe('stop');
    expect(await differenceOf(records, file)).toBeNull();
    await session.end();
  });

  it('are one reflection if whoever decides them one after another names the turn', async () => {
    const { session, records } = sessionOf(judged);
    const turn = 'one';
    for (let i = 0; i < 3; i++)
      expect((await session.decide(call('bad'), { turn })).decision).toBe('reflect');
    expect((await session.check(call('bad'), { turn: 'two' })).decision).toBe('stop');
    expect(await differenceOf(records, file)).toBeNull();
    await session.end();
  });

  it('are as many as there are if each is proposed once the one before was told', async () => {
    const { session } = sessionOf(judged);
    expect((await session.decide(call('bad'))).decision).toBe('reflect');
    expect((await session.decide(call('bad'))).decision).toBe('stop');
    await session.end();
  });

  it('count the same after a restart', async () => {
    const { session, records } = sessionOf(judged);
    for (let i = 0; i < 3; i++) await session.decide(call('bad'), { turn: 'one' });
    await session.end();
    const cut = records.filter(({ kind }) => kind !== 'end');
    const again = sessionOf({ ...judged, resume: cut, state: () => ({}) });
    expect((await again.session.decide(call('bad'))).decision).toBe('stop');
    await again.session.end();
  });
});

describe('reflections', () => {
  it('are the turns with a refusal since a call was permitted, whatever agents propose', async () => {
    const turns = fc.array(fc.array(fc.constantFrom('bad', 'bad', 'good'), { minLength: 1, maxLength: 4 }), {
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(turns, fc.integer({ min: 0, max: 3 }), fc.nat(20), async (proposed, most, cutAt) => {
        const file = specified('block', most);
        let { session, records } = sessionOf({ guard: createGuard(file) });
        const all: RunRecord[] = [];
        let refused = new Set<number>();
        let decided = 0;
        for (const [turn, names] of proposed.entries()) {
          for (const name of names) {
            const verdict = await session.decide(call(name), { turn: `${turn}` });
            if (verdict.run !== null) await session.ran(verdict, { result: null });
            if (name === 'good') {
              refused = new Set();
              expect(verdict.decision).toBe('allow');
            } else {
              const earlier = [...refused].filter((one) => one !== turn).length;
              expect(verdict.decision).toBe(earlier >= most ? 'block' : 'reflect');
              refused.add(turn);
            }
            decided++;
          }
          // Between two turns the run may be interrupted.
          if (decided === cutAt) {
            all.push(...records);
            await session.end();
            ({ session, records } = sessionOf({ guard: createGuard(file), resume: all, state: () => ({}) }));
          }
        }
        await session.end();
        expect(await differenceOf([...all, ...records], file)).toBeNull();
      }),
    );
  });
});

describe('adapters that decide all calls of a turn', () => {
  const judged = () => sessionOf({ guard: createGuard(specified()) });
  const turn = () => [call('bad'), call('bad')];

  it('name it in a loop of one’s own', async () => {
    const { session, records } = judged();
    const run = guardCalls(session, { bad: () => 'ran', good: () => 'ran' });
    await run(turn());
    await run(turn());
    expect(decisionsIn(records)).toEqual(['reflect', 'reflect', 'stop', 'stop']);
  });

  it('name it for LangChain', async () => {
    const { session, records } = judged();
    const run = new GuardedRun(session);
    await run.decideAll(turn(), {} as never);
    expect(session.stopped).toBeNull();
    await run.decideAll(turn(), {} as never);
    expect(decisionsIn(records)).toEqual(['reflect', 'reflect', 'stop']);
  });

  it('name it for the AI SDK, by the messages of a step', async () => {
    const { session, records } = judged();
    const proposals = new Proposals(session);
    for (const messages of [[], []])
      for (const one of turn()) await proposals.propose(one, messages, () => false);
    expect(decisionsIn(records)).toEqual(['reflect', 'reflect', 'stop', 'stop']);
  });

  it('name it for the Claude Agent SDK, once that has reported the end of a turn', async () => {
    const { session, records } = sessionOf({ guard: createGuard(specified('stop', 2)) });
    const { hooks } = guardClaudeAgent(session);
    const hook = (input: HookInput) =>
      hooks[input.hook_event_name as 'PreToolUse'][0].hooks[0](input, undefined, {
        signal: new AbortController().signal,
      });
    const propose = ({ id, name }: ToolCall) =>
      hook({ hook_event_name: 'PreToolUse', tool_name: name, tool_use_id: id, tool_input: {} });
    const ends = () => hook({ hook_event_name: 'PostToolBatch', tool_calls: [] });
    await propose(call('bad'));
    await ends();
    for (const one of turn()) await propose(one);
    await ends();
    await propose(call('bad'));
    expect(decisionsIn(records)).toEqual(['reflect', 'reflect', 'reflect', 'stop']);
  });
});
