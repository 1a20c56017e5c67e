import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { approvalsIn } from '../../../bindings/runtime/adapters/aiSdk/approvals.js';
import { Proposals } from '../../../bindings/runtime/adapters/aiSdk/proposals.js';
import type { RunRecord, SessionOptions } from '../../../bindings/runtime/enforcement/index.js';
import { guardThat, RISKY, setting } from '../enforcement/setting.js';

const assistant = (...content: unknown[]) => ({ role: 'assistant', content });
const tool = (...content: unknown[]) => ({ role: 'tool', content });
const request = (approvalId: string, toolCallId: string) => ({
  type: 'tool-approval-request',
  approvalId,
  toolCallId,
});
const response = (approvalId: string, approved: unknown, reason?: string) => ({
  type: 'tool-approval-response',
  approvalId,
  approved,
  reason,
});

describe('answers in the messages of the Vercel AI SDK', () => {
  it('belong to the call that was asked about, and are current in the last message', () => {
    const messages = [
      assistant(request('a', '1')),
      tool(response('a', true)),
      assistant(request('b', '2')),
      tool(response('b', false, 'no')),
    ];
    expect(approvalsIn(messages)).toEqual([
      { id: 'a', toolCallId: '1', call: null, approved: true, comment: undefined, current: false },
      { id: 'b', toolCallId: '2', call: null, approved: false, comment: 'no', current: true },
    ]);
  });

  it('are over where the call has a result beside them', () => {
    const messages = [
      assistant(request('a', '1')),
      tool(response('a', true), { type: 'tool-result', toolCallId: '1' }),
    ];
    expect(approvalsIn(messages)).toMatchObject([{ current: false }]);
  });

  it('are none without a request, and approve by true alone', () => {
    expect(approvalsIn([tool(response('a', true))])).toEqual([]);
    expect(approvalsIn([assistant(request('a', '1')), tool(response('a', 'yes'))])).toMatchObject([
      { approved: false },
    ]);
  });

  it('are read from whatever a client sends', () => {
    const part = fc.oneof(
      fc.anything(),
      fc.record({
        type: fc.constantFrom('tool-approval-request', 'tool-approval-response', 'tool-result'),
        approvalId: fc.oneof(fc.constantFrom('a', '__proto__'), fc.anything()),
        toolCallId: fc.oneof(fc.constantFrom('1', 'constructor'), fc.anything()),
        approved: fc.anything(),
      }),
    );
    const message = fc.oneof(fc.anything(), fc.record({ content: fc.array(part) }));
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.array(message)), (messages) => {
        for (const { id, toolCallId } of approvalsIn(messages))
          expect([typeof id, typeof toolCallId]).toEqual(['string', 'string']);
      }),
    );
  });
});

describe('an answer in the messages that a client sends again', () => {
  const call = { id: '1', name: 'move', arguments: { amount: 100 } };
  const asks = (approvalId: string) =>
    assistant(
      { type: 'tool-call', toolCallId: '1', toolName: call.name, input: call.arguments },
      request(approvalId, '1'),
    );
  const sent = [asks('a'), tool(response('a', true, 'yes'))];

  /** One process that is sent messages: whether the call may run, and what it logs after `records`. */
  async function sentTo(
    records: readonly RunRecord[],
    messages: unknown,
    options: Partial<SessionOptions> = {},
  ) {
    const run = setting({
      guard: guardThat({ strategy: { kind: 'inspect' } }),
      state: () => RISKY,
      id: 'chat',
      ...(records.length > 0 && { resume: [...records] }),
      ...options,
    });
    const proposals = new Proposals(run.session);
    await proposals.propose(call, messages, () => false);
    // Without an answer `ai` asks, and does not come to the call.
    if (approvalsIn(messages).length === 0) return { ran: false, records: [...records, ...run.records] };
    const verdict = proposals.take(call) ?? (await proposals.takeUnasked(call, messages));
    if (verdict.run !== null) await run.session.ran(verdict, { result: 'moved' });
    return { ran: verdict.run !== null, records: [...records, ...run.records] };
  }

  it('counts once, in whatever process', async () => {
    const asked = await sentTo([], [asks('a')]);
    expect(asked.ran).toBe(false);
    const first = await sentTo(asked.records, sent);
    expect(first.ran).toBe(true);
    let { records } = first;
    for (let i = 0; i < 3; i++) {
      const again = await sentTo(records, sent);
      expect(again.ran).toBe(false);
      records = again.records;
    }
    const approved = records.filter((record) => record.kind === 'outcome' && record.outcome === 'approved');
    expect(approved).toHaveLength(1);
    // Another answer, to another request, counts.
    ({ records } = await sentTo(records, [asks('b')]));
    expect((await sentTo(records, [asks('b'), tool(response('b', true))])).ran).toBe(true);
  });

  it('does not count for a call that the messages do not show', async () => {
    const asked = await sentTo([], [asks('a')]);
    const [, answer] = sent;
    expect((await sentTo(asked.records, [assistant(request('a', '1')), answer])).ran).toBe(false);
  });

  it('does not count in a run that has not asked', async () => {
    expect((await sentTo([], sent)).ran).toBe(false);
  });

  it('does not count where it cannot be recorded', async () => {
    const kept: RunRecord[] = [];
    const log = {
      append: (record: RunRecord) => {
        if (record.kind === 'question') throw new Error('disk full');
        kept.push(record);
      },
    };
    expect((await sentTo([], sent, { log })).ran).toBe(false);
    expect(kept.some((record) => record.kind === 'outcome' && record.outcome === 'approved')).toBe(false);
  });
});
