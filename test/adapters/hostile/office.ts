import {
  type Answer,
  createAuditLog,
  createSession,
  type Inspection,
  type RunRecord,
  type Session,
  verifyAudit,
} from 'foreguard/enforce';
import { loadGuard } from 'foreguard/guard';
import { compileRules, parseSpecification } from 'foreguard/rules';
import { PRETENCE, TOOLS } from './officeServer.mjs';
import { forbidden, type Received } from './oracle.js';
import { SPECIFICATION } from './specification.js';

const guard = await loadGuard(compileRules(parseSpecification(SPECIFICATION)));

/** What the person says when asked about a call. */
export type Reply = (question: string) => unknown;

/** Milliseconds that people have in these tests. */
export const ASK_MS = 300;

/** The world of a run: what its tools were really called with, and what a person has really approved. */
export class Office {
  readonly received: Received[] = [];
  readonly approved: string[] = [];
  /** The person who is asked; says no by default. */
  person: Reply = () => ({ approved: false });
  readonly tools: Readonly<Record<string, (args: unknown) => unknown>>;

  constructor(person?: Reply) {
    if (person !== undefined) this.person = person;
    this.tools = Object.fromEntries(
      TOOLS.map((tool) => [
        tool,
        (args: unknown) => {
          this.received.push({ tool, args });
          if (tool === 'slow') return new Promise((resolve) => setTimeout(resolve, 150, PRETENCE));
          return PRETENCE;
        },
      ]),
    );
  }

  /** Everything forbidden that has run, in words. */
  get forbidden(): string[] {
    return forbidden(this.received, this.approved);
  }

  /** What the person says to a question; only what says yes in so many words is one. */
  reply(question: string): unknown {
    const said = this.person(question);
    if (typeof said === 'object' && said !== null && Object.hasOwn(said, 'approved')) {
      const field = Object.getOwnPropertyDescriptor(said, 'approved');
      if (field?.value === true) this.approved.push(question);
    }
    return said;
  }
}

/** A run under the rules in this process, with its records, and its audit log in memory. */
export function openRun(office: Office, { resume }: { resume?: readonly RunRecord[] } = {}) {
  const bytes: Uint8Array[] = [];
  const log = createAuditLog({
    durability: 'none',
    sink: {
      append: (more) => void bytes.push(more.slice()),
      sync: async () => undefined,
      close: async () => undefined,
    },
  });
  const records: { record: RunRecord; received: number; approved: number }[] = [];
  const session: Session = createSession({
    guard: guard.fork(),
    tools: [...TOOLS],
    onFault: 'block',
    askTimeoutMs: ASK_MS,
    log: {
      append: (record) => {
        records.push({
          record: structuredClone(record),
          received: office.received.length,
          approved: office.approved.length,
        });
        return log.append(record);
      },
    },
    ask: async ({ question, call }: Inspection) =>
      (await office.reply(`${question} ${JSON.stringify(call.arguments)}`)) as Answer,
    ...(resume && { resume }),
  });
  const verified = async () => {
    await log.close();
    const { fault } = await verifyAudit(
      (async function* () {
        yield* bytes;
      })(),
    );
    return fault === null;
  };
  return { session, records, verified };
}
