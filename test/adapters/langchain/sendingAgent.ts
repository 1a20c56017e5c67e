import { Command, MemorySaver, type Interrupt as Pause } from '@langchain/langgraph';
import {
  Abstraction,
  compileGuard,
  createGuard,
  type GuardFile,
  learnMdp,
  parseSpecification,
} from 'foreguard';
import { createSession, type Inspection, type RunRecord, type SessionOptions } from 'foreguard/enforce';
import type { LangChainInspectionRequest } from 'foreguard/langchain';
import type { AgentMiddleware } from 'langchain';
import { mailbox, mailTools } from '../shared/mail.js';
import { asked, mailAgent, scripted } from './mailAgent.js';

const config = { configurable: { thread_id: 'one' } };
const [clean, tainted] = [
  { tainted: false, leaked: false },
  { tainted: true, leaked: false },
];

let compiled: Promise<GuardFile> | null = null;

/** A person is asked about what is sent abroad, and in a tainted world about all that is sent. */
async function learnt(): Promise<GuardFile> {
  const specification = parseSpecification(
    JSON.stringify({
      version: 1,
      learning: { model: 'mdp', smoothing: 0 },
      predicates: { tainted: 'tainted', leaked: 'leaked' },
      actions: { send: { abroad: '!to.endsWith("@home")' } },
      rules: {
        noLeak: { formula: 'G !leaked', threshold: 0.5, strategy: 'inspect', onFailure: 'block' },
      },
    }),
  );
  const outcomes = [
    [clean, 'send', { to: 'ada@home' }, clean],
    [clean, 'send', { to: 'x@abroad' }, { ...clean, leaked: true }],
    [clean, 'search', {}, clean],
    [tainted, 'send', { to: 'ada@home' }, { ...tainted, leaked: true }],
    [tainted, 'send', { to: 'x@abroad' }, { ...tainted, leaked: true }],
    [tainted, 'search', {}, tainted],
  ] as const;
  const traces = outcomes.map(([state, name, given, next], i) => ({
    id: `${i}`,
    steps: [{ state, action: { name, arguments: given } }, { state: next }],
  }));
  const { model } = await learnMdp(
    new Abstraction(specification.abstraction),
    traces,
    specification.learning,
  );
  return compileGuard(specification, model);
}

interface Options extends Partial<SessionOptions> {
  readonly before?: readonly AgentMiddleware[];
}

/** An agent that sends to these addresses, in one turn, over a checkpointer that outlives its processes. */
export async function sendingAgent(...to: readonly string[]) {
  compiled ??= learnt();
  const guard = createGuard(await compiled);
  const box = mailbox();
  const sent: string[] = [];
  box.tools.send = async ({ to }) => {
    sent.push(to);
    return `sent to ${to}`;
  };
  const records: RunRecord[] = [];
  const checkpointer = new MemorySaver();
  const model = scripted(
    to.map((one) => ['send', { to: one }] as const),
    'done',
  );
  /** A process: one that has records goes on with their run. */
  const start = ({ before = [], ...options }: Options = {}) => {
    const session = createSession({
      guard: guard.fork(),
      tools: [...mailTools],
      state: box.state,
      log: { append: (record) => void records.push(structuredClone(record)) },
      ...options,
    });
    const agent = mailAgent(session, box, model, { checkpointer, before, interrupts: true });
    return {
      session,
      ask: () => agent.invoke(asked, config),
      /** Goes on without an answer, as after a crash. */
      goOn: () => agent.invoke(null, config),
      answer: (resume: unknown) => agent.invoke(new Command({ resume }), config),
    };
  };
  return {
    world: box.world,
    tools: box.tools,
    sent,
    records,
    start,
    restart: (options: Options = {}) => start({ ...options, resume: structuredClone(records) }),
    /** Who answered what, by the log: `approved a@home`, … */
    answers: () =>
      records.flatMap((record) => {
        if (record.kind !== 'outcome' || !/approved|refused|no-answer/.test(record.outcome)) return [];
        const asking = records.find((one) => one.kind === 'decision' && one.number === record.number);
        const { to } = (asking as { call: { arguments: { to: string } } }).call.arguments;
        return [`${record.outcome} ${to}`];
      }),
  };
}

/** What a person is shown where the agent has paused; null where it has not. */
export function shownBy(result: object): Inspection | null {
  const { __interrupt__: [pause] = [] } = result as {
    readonly __interrupt__?: readonly Pause<LangChainInspectionRequest>[];
  };
  return pause?.value?.inspection ?? null;
}

/** To whom the call would send that a person is asked about; null where nobody is. */
export function askedAbout(result: object): unknown {
  return shownBy(result)?.call.arguments.to ?? null;
}
