import { describe, expect, it } from 'vitest';
import { faultInWords } from '../../../bindings/runtime/enforcement/messages.js';
import { setting } from './setting.js';

describe('options of another kind than they are', () => {
  const wrong: [option: string, value: unknown, expected: string][] = [
    ['shadow', 'false', 'shadow is the text "false"; expected true or false'],
    ['redact', 'password', 'redact is the text "password"; expected a list of fields'],
    ['redact', [/password/], 'expected a list of fields'],
    ['tools', 'move', 'tools is the text "move"; expected a list of names'],
    ['tools', undefined, 'tools is undefined; expected a list of names'],
    ['tools', [{ name: 'move' }], 'expected a list of names'],
    ['state', {}, 'expected a function'],
    ['time', 3, 'time is 3; expected a function'],
    ['now', 3, 'expected a function'],
    ['ask', true, 'ask is true; expected a function'],
    ['log', 'audit.jsonl', 'log is the text "audit.jsonl"; expected what has append'],
    ['rules', ['G !a'], 'expected a list of what bindAgentSpec gives'],
    ['observers', {}, 'expected a list of observers'],
    ['replacements', null, 'replacements is null'],
    ['principal', 'ada', 'principal is the text "ada"; expected plain data'],
    ['id', 12, 'id is 12; expected text'],
    ['maxReflections', -1, 'maxReflections is -1; expected an integer from 0'],
    ['maxReflections', '2', 'expected an integer from 0'],
    ['maxArguments', Number.NaN, 'maxArguments is NaN; expected an integer from 1'],
    ['hashKey', 'short', 'hashKey has 5 characters; expected 16 or more'],
    ['resume', 'audit.jsonl', 'expected a list of records'],
  ];

  it.each(wrong)('are refused when the session is made: %s %j', (option, value, expected) => {
    let message = '';
    try {
      setting({ [option]: value });
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toContain(expected);
  });

  it('are not those that are left out', () => {
    const nothing = Object.fromEntries(wrong.map(([option]) => [option, undefined]));
    expect(() => setting({ ...nothing, tools: [] })).not.toThrow();
  });
});

it('a fault in words has one full stop', () => {
  expect(faultInWords('refused', 'Not on a Sunday.')).toBe('A person refused the call: Not on a Sunday.');
  expect(faultInWords('refused', 'why?')).toBe('A person refused the call: why?');
  expect(faultInWords('run-over', '')).toBe('The run is over.');
});
