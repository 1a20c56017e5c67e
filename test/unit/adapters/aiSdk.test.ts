import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { approvalsIn } from '../../../bindings/adapters/aiSdk/approvals.js';

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
      { id: 'a', toolCallId: '1', approved: true, comment: undefined, current: false },
      { id: 'b', toolCallId: '2', approved: false, comment: 'no', current: true },
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
