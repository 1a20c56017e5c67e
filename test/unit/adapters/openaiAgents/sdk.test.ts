import { describe, expect, it } from 'vitest';
import { readCall, readInterruption } from '../../../../bindings/runtime/adapters/openaiAgents/sdk.js';

describe('calls of the OpenAI Agents SDK', () => {
  it('have their arguments as text of JSON', () => {
    expect(readCall('send', { callId: '1', arguments: '{"to":"a"}' })).toEqual({
      id: '1',
      name: 'send',
      arguments: { to: 'a' },
    });
    const rawItem = { type: 'function_call', name: 'send', callId: '1', arguments: '{"to":"a"}' };
    expect(readInterruption({ rawItem })).toEqual(readCall('send', rawItem));
  });

  it('are left for the session to refuse where that is not JSON', () => {
    expect(readCall('send', { callId: '1', arguments: '{"to"' }).arguments).toBe('{"to"');
    expect(readInterruption({ rawItem: {} })).toEqual({ id: '', name: '', arguments: '' });
  });
});
