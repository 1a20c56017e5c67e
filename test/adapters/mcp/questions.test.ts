import { askToolDefinitions, askTools, parseSpecification } from 'foreguard/ask';
import { createSession, type RunRecord, type Session } from 'foreguard/enforce';
import { describe, expect, it } from 'vitest';
import { compileRules } from '../../../bindings/rules/specification/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';
import { guardedClient, textOf } from './guardedClient.js';

const SPECIFICATION = parseSpecification(`
version: 1
predicates: { sends: 'action.name == "send"', fetches: 'action.name == "fetch"' }
rules: { noLeak: { formula: 'G (sends -> !O fetches)', strategy: block } }
`);

async function askingClient(prefix?: string) {
  const records: RunRecord[] = [];
  const tools = new WeakMap<object, ReturnType<typeof askTools>>();
  const asked = await guardedClient({
    session: {},
    proxy: {
      stateTool: undefined as never,
      session: (world) => {
        const session: Session = createSession({
          guard: createGuard(compileRules(SPECIFICATION)),
          ...world,
          log: { append: (record) => void records.push(record) },
        });
        tools.set(
          session,
          askTools({ specification: SPECIFICATION, session, ...(prefix !== undefined && { prefix }) }),
        );
        return session;
      },
      questions: {
        definitions: askToolDefinitions(prefix),
        answer: async (session, name, args) =>
          tools
            .get(session)
            ?.find((one) => one.name === name)
            ?.answer(args) ?? 'nothing',
      },
    },
  });
  return { ...asked, records };
}

describe('a client that asks about the rules', () => {
  it('finds read-only tools at the end of the list, and gets answers that change nothing', async () => {
    const { client, call, mail, records } = await askingClient();
    const { tools } = await client.listTools();
    const asking = tools.filter(({ name }) => name.startsWith('foreguard_'));
    expect(asking.map(({ name }) => name)).toEqual(askToolDefinitions().map(({ name }) => name));
    for (const { annotations } of asking) expect(annotations?.readOnlyHint).toBe(true);
    const may = { tool: 'send', arguments: { to: 'ann' } };
    expect(textOf(await call('foreguard_may', may))).toContain('Yes');
    await call('fetch', { url: 'u' });
    expect(textOf(await call('foreguard_may', may))).toContain('No: rule "noLeak"');
    expect(textOf(await call('foreguard_ask', { question: 'what are the rules?' }))).toContain('noLeak');
    expect(mail.ran).toEqual(['fetch']);
    expect(records.map(({ kind }) => kind)).toEqual([
      'asked',
      'begin',
      'decision',
      'outcome',
      'asked',
      'asked',
      'asked',
    ]);
  });

  it('may send anything, and is answered in words', async () => {
    const { client, call } = await askingClient();
    const anything = [
      {},
      { tool: '' },
      { tool: 7, arguments: [] },
      { tool: 'send', arguments: { to: 'x'.repeat(50_000) } },
      { rule: 'G !send' },
    ];
    for (const args of anything) {
      const result = await call('foreguard_may', args);
      expect(textOf(result)).toMatch(/^I cannot answer/);
    }
    expect(textOf(await call('foreguard_may', { tool: 'drop' }))).toContain('unknown-tool');
    expect((await client.listTools()).tools.length).toBeGreaterThan(6);
  });

  it('is refused where the server has a tool of the same name', async () => {
    const { proxy, notes } = await guardedClient({
      proxy: {
        questions: {
          definitions: [{ ...askToolDefinitions('')[0], name: 'send' }],
          answer: async () => 'never',
        },
      },
    }).catch((error) => ({ proxy: { closed: Promise.resolve('name clash') }, notes: [String(error)] }));
    expect(await proxy.closed).toBe('name clash');
    expect(notes.join()).toMatch(/send|closed/i);
  });
});
