import { describe, expect, it } from 'vitest';
import { parseRun } from '../../../../bindings/face/cli/mcp/runs.js';

describe('what a run lasts as long as', () => {
  it.each([
    [undefined, { kind: 'connection' }],
    ['connection', { kind: 'connection' }],
    ['session', { kind: 'session' }],
    ['header:X-Agent', { kind: 'header', name: 'x-agent' }],
    ['idle:30m', { kind: 'idle', ms: 1_800_000 }],
    ['idle:2d', { kind: 'idle', ms: 172_800_000 }],
  ])('is %s', (text, bound) => {
    expect(parseRun(text, true)).toEqual(bound);
  });

  it.each(['', 'ever', 'idle', 'idle:0s', 'idle:-1s', 'idle:5', 'header', 'header:', 'header:a b'])(
    'is not "%s"',
    (text) => {
      expect(() => parseRun(text, true)).toThrow('expected connection, session, header:NAME');
    },
  );

  it('is no header where there are none', () => {
    expect(() => parseRun('header:X-Agent', false)).toThrow('give --listen');
  });
});
