import { describe, expect, it } from 'vitest';
import {
  isPause,
  type LangChainMessage,
  plainOutcome,
  proposedCalls,
  unanswered,
} from '../../../../bindings/runtime/adapters/langchain/messages.js';

const call = (name: string, id?: string) => ({ name, args: { a: 1 }, ...(id !== undefined && { id }) });
const said = (...calls: ReturnType<typeof call>[]): LangChainMessage => ({ type: 'ai', tool_calls: calls });
const told = (id: string): LangChainMessage => ({ type: 'tool', tool_call_id: id, content: 'x' });

describe('calls in messages of LangChain', () => {
  it('are those of the model, without its structured output', () => {
    expect(proposedCalls(said(call('search', '1'), call('extract-2', '2')))).toEqual([
      { id: '1', name: 'search', arguments: { a: 1 } },
    ]);
    expect(proposedCalls({ type: 'ai', content: 'hello' })).toEqual([]);
  });

  it('are open until a message after them answers them', () => {
    const ids = (messages: LangChainMessage[]) => unanswered(messages).map(({ id }) => id);
    expect(ids([said(call('a', '1')), told('1'), said(call('a', '1'), call('b', '2'))])).toEqual(['1', '2']);
    expect(ids([said(call('a', '1'), call('b', '2')), told('2')])).toEqual(['1']);
    expect(ids([told('1')])).toEqual([]);
    expect(ids([])).toEqual([]);
  });

  it('have an empty id where they have none, which no message answers', () => {
    expect(unanswered([said(call('a')), told('1')])).toEqual([{ id: '', name: 'a', arguments: { a: 1 } }]);
  });
});

describe('what tools of LangChain give', () => {
  it('is a message, whose content counts, or a command, of which nothing is observed', () => {
    const message = { type: 'tool', content: '{"hits":3}', status: 'success' };
    expect(plainOutcome({ result: message })).toEqual({ result: '{"hits":3}' });
    expect(plainOutcome({ result: { ...message, status: 'error' } })).toEqual({ error: '{"hits":3}' });
    const command = { lg_name: 'Command', update: {} };
    expect(plainOutcome({ result: command })).toEqual({ result: null, shown: command });
    const error = new Error('no');
    expect(plainOutcome({ error })).toEqual({ error });
  });

  it('is no failure where LangGraph pauses the tool', () => {
    expect(isPause({ is_bubble_up: true })).toBe(true);
    for (const other of [new Error('no'), null, undefined, 'text', { is_bubble_up: 1 }]) {
      expect(isPause(other)).toBe(false);
    }
  });
});
