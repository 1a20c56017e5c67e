import {
  type Carried,
  createSession,
  guardedCall,
  type RunRecord,
  type SessionOptions,
} from '../../../bindings/runtime/enforcement/index.js';
import { createGuard, type GuardFile, type GuardRule } from '../../../bindings/runtime/guard/index.js';
import { guardFile, never, ruleOf } from '../guard/guardFiles.js';

/** Risks 0.1, 0.6 where `a` holds, 0.1 where `b` does; no data where both do. */
export const risks = [0.1, 0.6, 0.1, 1];

/** A guard whose rule does as told where `a` holds, and permits anything where it does not. */
export function guardThat(rule: Parameters<typeof ruleOf>[2] = {}, more: Partial<GuardFile> = {}) {
  const rules: GuardRule[] = [ruleOf(never, risks, rule)];
  return createGuard(guardFile(rules, more));
}

export const SAFE = { a: false, b: false };
export const RISKY = { a: true, b: false };

/** A session over the tools `move` and `brake`, what it logs, and which calls run. */
export function setting(options: Partial<SessionOptions> = {}) {
  const records: RunRecord[] = [];
  const ran: string[] = [];
  const session = createSession({
    guard: guardThat(),
    tools: ['move', 'brake'],
    state: () => SAFE,
    log: { append: (record) => void records.push(structuredClone(record)) },
    id: 'run',
    ...options,
  });
  let calls = 0;
  return {
    session,
    records,
    ran,
    /** Proposes a call, and runs what may run. */
    propose(name: string, args: unknown = {}): Promise<Carried<string>> {
      const call = { id: `call-${calls++}`, name, arguments: args as Readonly<Record<string, unknown>> };
      return guardedCall(session, call, (permitted) => {
        ran.push(permitted.name);
        return `${permitted.name} done`;
      });
    },
    /** Decisions in the log, in a word each, with their reasons. */
    decisions(): string[] {
      return records.flatMap((record) =>
        record.kind === 'decision' ? [`${record.decision}: ${record.reason}`] : [],
      );
    },
    /** What became of the calls, as the log has it. */
    outcomes(): string[] {
      return records.flatMap((record) => (record.kind === 'outcome' ? [record.outcome] : []));
    },
  };
}
