// The entries in this process: a session by itself, hand-written loops, the AI SDK and LangChain.
import { dynamicTool, generateText, isLoopFinished, jsonSchema } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { guardToolSet } from 'foreguard/ai-sdk';
import type { Session, ToolCall } from 'foreguard/enforce';
import { guardMiddleware } from 'foreguard/langchain';
import { guardCalls, guardTools } from 'foreguard/plain';
import { type AgentMiddleware, AIMessage, createAgent, fakeModel, ToolMessage, tool } from 'langchain';
import { argumentsOf, type Desk, type Entry, type KilledRun, nextId } from './desk.js';
import { Office, openRun, type Reply } from './office.js';
import type { Call, Turn } from './ways.js';

/** Makes the calls of a turn under a session. @returns how many were answered */
type Play = (session: Session, office: Office, turn: Turn) => Promise<number>;

/** The call as a program gives it to a session. */
const asCall = (call: Call): ToolCall =>
  ({
    ...call.beside,
    id: 'id' in call ? call.id : nextId(),
    name: call.name,
    arguments: argumentsOf(call),
  }) as ToolCall;

const playSession: Play = async (session, office, turn) => {
  const answers = await Promise.all(
    turn.map(async (one) => {
      const verdict = await session.decide(asCall(one));
      const { run } = verdict;
      if (run !== null) await session.ran(verdict, { result: await office.tools[run.name](run.arguments) });
      return verdict.decision;
    }),
  );
  return answers.length;
};

/** One call of a tool is made by its guarded function, others as calls of a turn. */
const playPlain: Play = async (session, office, turn) => {
  const [one] = turn;
  if (turn.length === 1 && typeof one.name === 'string' && Object.hasOwn(office.tools, one.name)) {
    const guarded = guardTools(session, office.tools as Record<string, (args: never) => unknown>, {
      onWithheld: 'message',
    });
    await guarded[one.name](argumentsOf(one) as never);
    return 1;
  }
  const answers = await guardCalls(session, office.tools)(turn.map(asCall));
  return answers.length;
};

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** The framework runs a turn, and then the model says that it is done; an error that the framework throws answers the turn. */
const playAiSdk: Play = async (session, office, turn) => {
  const calls = turn.map((one) => ({
    ...one.beside,
    type: 'tool-call' as const,
    toolCallId: ('id' in one ? one.id : nextId()) as string,
    toolName: one.name as string,
    input: typeof one.args === 'function' ? (one.args() ?? '{}') : '{}',
  }));
  let told = 0;
  const model = new MockLanguageModelV3({
    doGenerate: async () => {
      const said = told++ === 0;
      const reason = said ? ('tool-calls' as const) : ('stop' as const);
      return {
        content: said ? calls : [{ type: 'text' as const, text: 'done' }],
        finishReason: { unified: reason, raw: reason },
        usage,
        warnings: [],
      };
    },
  });
  const tools = Object.fromEntries(
    Object.entries(office.tools).map(([name, execute]) => [
      name,
      dynamicTool({ inputSchema: jsonSchema({}), execute: async (input) => execute(input) }),
    ]),
  );
  await generateText({
    model,
    prompt: 'go',
    tools: guardToolSet(session, tools),
    stopWhen: isLoopFinished(),
    maxRetries: 0,
  }).catch(() => undefined);
  return turn.length;
};

const playLangChain: Play = async (session, office, turn) => {
  const model = fakeModel();
  const said = new AIMessage({ content: '' });
  said.tool_calls = turn.map((one) => ({
    ...one.beside,
    type: 'tool_call' as const,
    id: ('id' in one ? one.id : nextId()) as string,
    name: one.name as string,
    args: argumentsOf(one) as Record<string, unknown>,
  }));
  model.respond(said);
  model.respond(new AIMessage('done'));
  const agent = createAgent({
    model,
    tools: Object.entries(office.tools).map(([name, run]) =>
      tool(async (args: unknown) => run(args), { name, description: name, schema: { type: 'object' } }),
    ),
    middleware: [guardMiddleware(session, { AIMessage, ToolMessage })] as AgentMiddleware[],
  });
  await agent.invoke({ messages: [{ role: 'user', content: 'go' }] }).catch(() => undefined);
  return turn.length;
};

function entry(name: string, objects: boolean, play: Play): Entry {
  const open = async (): Promise<Desk> => {
    const office = new Office();
    const { session, verified } = openRun(office);
    return {
      office,
      play: (turn) => play(session, office, turn),
      end: () => session.end(),
      close: async () => {
        await session.end();
        return verified();
      },
    };
  };
  /** The process ends just before each record is written: what it did until then is done. The next goes on with the records that were written. */
  const killed = async (_: string, turns: readonly Turn[], reply?: () => Reply): Promise<KilledRun[]> => {
    const office = new Office(reply?.());
    const first = openRun(office);
    const runs: KilledRun[] = [];
    for (const turn of turns) await play(first.session, office, turn);
    const { records } = first;
    for (let written = 1; written <= records.length; written++) {
      const done = records[written] ?? { received: office.received.length, approved: office.approved.length };
      const next = new Office(reply?.());
      next.received.push(...office.received.slice(0, done.received));
      next.approved.push(...office.approved.slice(0, done.approved));
      const resume = records.slice(0, written).map(({ record }) => record);
      const { session, verified } = openRun(next, { resume });
      let [asked, answered] = [0, 0];
      for (const turn of turns) {
        asked += turn.length;
        answered += await play(session, next, turn);
      }
      await session.end();
      runs.push({ forbidden: next.forbidden, asked, answered, verified: await verified() });
    }
    return runs;
  };
  return { name, objects, shares: false, open, killed };
}

export const IN_PROCESS: readonly Entry[] = [
  entry('session', true, playSession),
  entry('plain', true, playPlain),
  entry('AI SDK', false, playAiSdk),
  entry('LangChain', true, playLangChain),
];
