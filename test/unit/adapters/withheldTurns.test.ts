import { describe, expect, it } from 'vitest';
import {
  compileRules,
  parsePolicies,
  parseSpecification,
} from '../../../bindings/rules/specification/index.js';
import { guardClaudeAgent } from '../../../bindings/runtime/adapters/claudeAgent.js';
import { guardCalls, guardTools } from '../../../bindings/runtime/adapters/plain.js';
import {
  createSession,
  type RunRecord,
  type SessionOptions,
} from '../../../bindings/runtime/enforcement/index.js';
import { createGuard, policyJudge } from '../../../bindings/runtime/guard/index.js';

const POLICIES = (onDeny: string) => `version: 1
inputs: { to: { type: text, optional: true } }
policies:
  mail:
    tools: [send, look]
    permit: { home: 'to == null || domainOf(to) == "home.example"' }
    onDeny: { ${onDeny} }
`;
const RULE = `version: 1
predicates: { sends: 'has(action.name) && action.name == "send"' }
rules: { few: { formula: 'G count(sends) <= 9' } }
`;

async function turn(onDeny: string, options: Partial<SessionOptions> = {}) {
  const { set, hash } = parsePolicies(POLICIES(onDeny));
  const ran: string[] = [];
  const records: RunRecord[] = [];
  const tools = {
    send: async ({ to }: { to: string }) => void ran.push(to),
    look: async (_: object) => ran.push('look'),
  };
  const session = createSession({
    judges: [await policyJudge(set, hash)],
    tools: Object.keys(tools),
    log: { append: async (record) => void records.push(structuredClone(record)) },
    ...options,
  });
  const run = guardCalls(session, tools);
  const calls = async (...to: (string | null)[]) =>
    run(to.map((one, i) => (one === null ? call(i, 'look', {}) : call(i, 'send', { to: one }))));
  const call = (i: number, name: string, args: object) => ({ id: `${i}`, name, arguments: args as never });
  return { session, tools, ran, records, calls };
}

const [HOME, AWAY] = ['ann@home.example', 'eve@away.example'];

describe('the modes of enforcement', () => {
  it.each([
    ['strategy: stop', [], 'stop'],
    ['scope: turn', [], 'block'],
    ['strategy: block', ['look', HOME, 'look'], 'block'],
    ['strategy: reflect', ['look', HOME, 'look'], 'reflect'],
    ['strategy: reflect, scope: turn', [], 'reflect'],
  ] as const)('%s lets run of a turn with a denied call: %j', async (onDeny, left, decision) => {
    const { calls, ran, session } = await turn(onDeny);
    const answers = await calls(null, HOME, AWAY, null);
    expect(ran).toEqual(left);
    expect(answers[2].verdict).toMatchObject({ decision, rule: 'mail' });
    expect(session.stopped !== null).toBe(onDeny === 'strategy: stop');
    await calls(HOME);
    expect(ran.at(-1)).toBe(session.stopped === null ? HOME : undefined);
  });

  it('blocks once the agent was asked to plan again as often as it may be', async () => {
    const { calls, ran, session } = await turn('strategy: reflect, escalate: [block]', { maxReflections: 1 });
    const decisions: string[] = [];
    for (const to of [AWAY, AWAY, AWAY, HOME, AWAY]) decisions.push((await calls(to))[0].verdict.decision);
    expect(decisions).toEqual(['reflect', 'block', 'block', 'allow', 'reflect']);
    expect([ran, session.stopped]).toEqual([[HOME], null]);
  });
});

describe('a turn that is withheld', () => {
  it.each([
    ['strategy: block', 'scope: turn'],
    ['strategy: block', 'strategy: reflect, scope: turn'],
    ['scope: turn', 'strategy: block'],
    ['strategy: stop', 'scope: turn'],
  ])('is withheld for any of the policies against a call: %s, %s', async (first, second) => {
    const { set, hash } = parsePolicies(
      POLICIES(first) + POLICIES(second).split('policies:\n')[1].replace('mail', 'other'),
    );
    const { calls, ran } = await turn('', { judges: [await policyJudge(set, hash)] });
    await calls(null, AWAY, null);
    expect(ran).toEqual([]);
  });

  it('is withheld for any of the judges against a call', async () => {
    const rules = createGuard(
      compileRules(
        parseSpecification(`version: 1
predicates: { away: 'has(action.arguments.to) && action.arguments.to == "eve@away.example"' }
rules: { home: { formula: 'G !away', strategy: block } }`),
      ),
    );
    const { calls, ran } = await turn('scope: turn', { guard: rules, maxPending: 6 });
    await calls(null, AWAY, null);
    expect(ran).toEqual([]);
  });

  it('stays withheld where people say no', async () => {
    const { calls, ran } = await turn('strategy: inspect, scope: turn', {
      ask: async () => ({ approved: false }),
    });
    await calls(null, AWAY, null);
    expect(ran).toEqual([]);
  });

  it('tells the agent of each call why, and the log that it did not run', async () => {
    const { calls, records } = await turn('scope: turn');
    const [first, second] = await calls(HOME, AWAY);
    expect(first.content).toContain('another of the same turn (send) was refused');
    expect(first.verdict).toMatchObject({ decision: 'block', reason: 'turn-withheld', rule: 'mail' });
    expect(second.content).toContain('Policy "mail"');
    const outcomes = records.flatMap((record) => (record.kind === 'outcome' ? [record.outcome] : []));
    expect(outcomes).toEqual(['withheld']);
  });

  it('is one of more calls than can be judged together, because nobody knows of the others', async () => {
    const { calls, ran } = await turn('scope: turn');
    await calls(...Array.from({ length: 8 }, () => HOME));
    expect(ran).toEqual([]);
    await calls(...Array.from({ length: 7 }, () => HOME));
    expect(ran).toHaveLength(7);
    const alone = await turn('scope: turn', { guard: createGuard(compileRules(parseSpecification(RULE))) });
    await alone.calls(HOME, HOME);
    expect(alone.ran).toEqual([]);
    await alone.calls(HOME);
    expect(alone.ran).toEqual([HOME]);
  });

  it('runs in shadow mode', async () => {
    const { calls, ran, session, tools } = await turn('scope: turn', { shadow: true });
    await calls(HOME, AWAY);
    expect([ran, session.scope]).toEqual([[HOME, AWAY], 'call']);
    expect(() => guardTools(session, tools)).not.toThrow();
  });

  it('is refused when configured, where calls are seen one by one', async () => {
    const { session, tools } = await turn('scope: turn');
    expect(() => guardTools(session, tools)).toThrow('guardTools shows calls one by one');
    expect(() => guardClaudeAgent(session)).toThrow('the Claude Agent SDK shows calls one by one');
  });
});
