import { createSession, type RunRecord } from 'foreguard/enforce';
import { mailbox, mailGuard, mailTools } from './mail.js';

/** A run of the assistant for mail under the guard, its world, and what its log holds. */
export async function mailSession(
  rule?: Readonly<Record<string, unknown>>,
  options: Partial<Parameters<typeof createSession>[0]> = {},
) {
  const box = mailbox();
  const records: RunRecord[] = [];
  const session = createSession({
    guard: await mailGuard(rule),
    state: box.state,
    tools: [...mailTools],
    // The calls of these tests do not bear on each other.
    maxPending: 6,
    log: { append: (record) => void records.push(record) },
    ...options,
  });
  /** What happened, in order: `decide send`, `ran 0`, … */
  const happened = () =>
    records.flatMap((record) => {
      if (record.kind === 'decision') return [`decide ${record.call.name}`];
      return record.kind === 'outcome' ? [`${record.outcome} ${record.number}`] : [];
    });
  return { session, box, records, happened };
}
