import { describe, expect, it } from 'vitest';
import type { ValueType } from '../../../bindings/proofs/contract/index.js';
import {
  checkPlan,
  type PlanCheck,
  readPlan,
  type ToolType,
  type ToolTypes,
} from '../../../bindings/proofs/workflow/index.js';

const TEXT: ValueType = { kind: 'text' };
const EMAIL: ValueType = { kind: 'text', format: 'email' };
const must = (type: ValueType) => ({ type, optional: false });
const may = (type: ValueType) => ({ type, optional: true });
const record = (fields: Record<string, ReturnType<typeof must>>): ValueType => ({
  kind: 'record',
  fields,
  others: 'ignored',
});
const MAIL = record({
  from: must(EMAIL),
  subject: must(TEXT),
  size: must({ kind: 'integer' }),
  cc: may({ kind: 'list', of: EMAIL }),
});

function tool(given: Record<string, ReturnType<typeof must>>, result: ValueType = { kind: 'any' }): ToolType {
  return { arguments: new Map(Object.entries(given)), result: { type: result } };
}

const TOOLS: ToolTypes = {
  tools: new Map([
    [
      'fetchMail',
      tool(
        {
          folder: must({ kind: 'text', values: ['inbox', 'sent'] }),
          limit: may({ kind: 'integer', least: 1, most: 50 }),
        },
        { kind: 'list', of: MAIL },
      ),
    ],
    ['sendMail', tool({ to: must(EMAIL), body: must(TEXT) }, record({ status: must(TEXT) }))],
    ['deleteAll', tool({})],
    ['show', tool({ list: must({ kind: 'list', of: TEXT, most: 3 }) })],
  ]),
};

function check(steps: readonly object[], inputs: object = {}): PlanCheck {
  return checkPlan(readPlan({ goal: 'g', inputs, steps }), TOOLS);
}

const fetch = { id: 'fetch', call: 'fetchMail', with: { folder: 'inbox' }, as: 'mails' };
const to = (value: unknown, body: unknown = 'b') => ({
  id: 'send',
  call: 'sendMail',
  with: { to: value, body },
});

describe('a plan against the types of tools', () => {
  it('has the type of each name', () => {
    const { problems, narrowings, types } = check(
      [
        fetch,
        {
          forEach: { ref: 'mails' },
          item: 'mail',
          do: [{ ask: { question: 'q', about: [], schema: 'text' }, as: 'line' }],
          collect: { lines: { ref: 'line' } },
        },
        {
          fold: { ref: 'mails' },
          item: 'm',
          from: 0,
          accumulator: 'so',
          do: [],
          next: { expr: 'so + m.size' },
          as: 'total',
        },
        {
          if: 'total > 3',
          then: [to({ ref: 'mails', path: [0, 'from'] })],
          yields: { word: ['many', 'few'] },
        },
        { let: 'senders', be: { expr: 'mails.filter(x, x.size > 1).map(x, x.from)' } },
        { let: 'first', be: { expr: 'size(mails) > 0 ? mails[0].subject : "none"' } },
      ],
      { me: 'email' },
    );
    expect(problems).toEqual([]);
    expect(narrowings).toEqual([]);
    expect(Object.fromEntries(types)).toEqual({
      me: EMAIL,
      mails: { kind: 'list', of: MAIL },
      mail: MAIL,
      line: TEXT,
      lines: { kind: 'list', of: TEXT },
      m: MAIL,
      so: { kind: 'number' },
      total: { kind: 'number' },
      word: { kind: 'text', values: ['many', 'few'] },
      senders: { kind: 'list', of: EMAIL },
      first: TEXT,
    });
  });

  it.each<[string, object[], string, string, string, string | null]>([
    [
      'an unknown tool',
      [{ id: 's', call: 'sendmail', with: {} }],
      '/steps/0/call',
      'the unknown tool "sendmail"',
      'one of fetchMail',
      '"sendMail"',
    ],
    [
      'an unknown argument',
      [{ ...fetch, with: { folder: 'inbox', limits: 3 } }],
      '/steps/0/with/limits',
      'the unknown argument "limits" of fetchMail',
      'one of folder, limit',
      '"limit"',
    ],
    [
      'a missing argument',
      [{ ...fetch, with: {} }],
      '/steps/0/with',
      'no argument "folder" of fetchMail',
      'one of "inbox", "sent"',
      null,
    ],
    [
      'an argument of no tool of that name',
      [{ id: 's', call: 'deleteAll', with: { a: 1 } }],
      '/steps/0/with/a',
      'the unknown argument "a"',
      'no arguments',
      null,
    ],
    [
      'a text that is not listed',
      [{ ...fetch, with: { folder: 'spam' } }],
      '/steps/0/with/folder',
      '"spam" as "folder"',
      'one of "inbox", "sent"',
      null,
    ],
    ['a text that is no address', [to('me')], '/steps/0/with/to', '"me" as "to"', 'an e-mail address', null],
    ['a number for a text', [to('a@b.example', 3)], '/steps/0/with/body', '3 as "body"', 'a text', null],
    [
      'a number out of bounds',
      [{ ...fetch, with: { folder: 'inbox', limit: 51 } }],
      '/steps/0/with/limit',
      '51 as "limit"',
      'a whole number from 1 to 50',
      null,
    ],
    [
      'a list for a text',
      [fetch, to('a@b.example', { ref: 'mails' })],
      '/steps/1/with/body',
      'mails, a list',
      'a text',
      null,
    ],
    [
      'too long a list',
      [{ id: 's', call: 'show', with: { list: { literal: ['a', 'b', 'c', 'd'] } } }],
      '/steps/0/with/list',
      '["a","b","c","d"]',
      'a list of at most 3',
      null,
    ],
    [
      'an unknown name',
      [fetch, to({ ref: 'mail', path: [0, 'from'] })],
      '/steps/1/with/to',
      'the unknown name "mail"',
      'one of me, mails',
      '"mails"',
    ],
    [
      'a name before it is given',
      [to({ ref: 'mails', path: [0, 'from'] }), fetch],
      '/steps/0/with/to',
      'the unknown name "mails"',
      'one of me',
      null,
    ],
    [
      'a name of a loop outside',
      [fetch, { forEach: { ref: 'mails' }, item: 'mail', do: [] }, to({ ref: 'mail', path: ['from'] })],
      '/steps/2/with/to',
      'the name "mail", which is not known here',
      'one of me, mails',
      '"mails"',
    ],
    [
      'a name of a branch outside',
      [{ if: 'true', then: [fetch] }, { return: { ref: 'mails' } }],
      '/steps/1/return',
      'the name "mails", which is not known here',
      'one of me',
      null,
    ],
    [
      'a name twice',
      [fetch, { ...fetch, id: 'again' }],
      '/steps/1/as',
      'the name "mails" a second time, which step fetch gives',
      'not given yet',
      null,
    ],
    [
      'a name of an input',
      [{ let: 'me', be: 1 }],
      '/steps/0/let',
      'the name "me" a second time',
      'not given yet',
      null,
    ],
    [
      'an item that hides a name',
      [fetch, { forEach: { ref: 'mails' }, item: 'mails', do: [] }],
      '/steps/1',
      'the name "mails" a second time',
      'not given yet',
      null,
    ],
    [
      'a variable that hides a name',
      [fetch, { let: 'x', be: { expr: 'mails.map(me, me.from)' } }],
      '/steps/1/be',
      'the variable "me"',
      'another variable',
      null,
    ],
    [
      'an unknown field',
      [fetch, to({ ref: 'mails', path: [0, 'form'] })],
      '/steps/1/with/to/path/1',
      'the field "form" of mails[0]',
      'one of from, subject',
      '"from"',
    ],
    [
      'a field of a list',
      [fetch, { let: 'x', be: { ref: 'mails', path: ['from'] } }],
      '/steps/1/be/path/0',
      'the field "from" of mails',
      'a loop over the list',
      null,
    ],
    [
      'a field of a text',
      [{ let: 'x', be: { ref: 'me', path: ['from'] } }],
      '/steps/0/be/path/0',
      'the field "from" of me',
      'without a path',
      null,
    ],
    [
      'a loop over a text',
      [{ forEach: { ref: 'me' }, item: 'x', do: [] }],
      '/steps/0/forEach',
      'me, an e-mail address,',
      'a list',
      null,
    ],
    ['a loop over a number', [{ forEach: 3, item: 'x', do: [] }], '/steps/0/forEach', '3', 'a list', null],
    [
      'a condition that is a text',
      [{ if: 'me', then: [] }],
      '/steps/0/if',
      '"me", which is an e-mail address',
      'a condition',
      null,
    ],
    [
      'an expression that cannot be typed',
      [fetch, { if: 'mails > 3', then: [] }],
      '/steps/1/if',
      'a list',
      'a number, a string or a Boolean',
      null,
    ],
    [
      'an unknown field in an expression',
      [fetch, { let: 'x', be: { expr: 'mails[0].form == "a"' } }],
      '/steps/1/be',
      'unknown field "form" (did you mean "from"?)',
      'one of from',
      null,
    ],
    [
      'an unknown name in an expression',
      [fetch, { if: 'size(mail) > 0', then: [] }],
      '/steps/1/if',
      'the unknown name "mail"',
      'one of me, mails',
      '"mails"',
    ],
    [
      'a list within a text',
      [fetch, { let: 'x', be: { text: ['all: ', { ref: 'mails' }] } }],
      '/steps/1/be/1',
      'a list',
      'a part that is one',
      null,
    ],
    [
      'a sum that ends as a text',
      [{ fold: { literal: [1] }, item: 'x', from: 0, accumulator: 'so', do: [], next: 'a', as: 'y' }],
      '/steps/0/next',
      '"a"',
      'a number',
      null,
    ],
    [
      'what never runs',
      [{ id: 'end', return: 1 }, fetch],
      '/steps/1',
      'a step after "return"',
      'the last step',
      null,
    ],
    [
      'the time, which plans do not have',
      [{ let: 'x', be: { expr: 'time + 1' } }],
      '/steps/0/be',
      'the unknown name "time"',
      'one of me',
      null,
    ],
  ])('%s is a problem', (_, steps, pointer, found, expected, hint) => {
    const { problems } = check(steps, { me: 'email' });
    expect(problems).toHaveLength(1);
    const [problem] = problems;
    expect([problem.pointer, problem.hint]).toEqual([pointer, hint]);
    expect(problem.found).toContain(found);
    expect(problem.expected).toContain(expected);
  });

  it('is not refused for values that may be of the type: they are told apart', () => {
    const { problems, narrowings } = check([
      { id: 'ask', ask: { question: 'who?', about: [], schema: 'text' }, as: 'who' },
      to({ ref: 'who' }),
      { id: 'any', call: 'deleteAll', with: {}, as: 'gone' },
      {
        id: 'each',
        forEach: { ref: 'gone', path: ['files'] },
        item: 'file',
        do: [{ id: 'show', call: 'show', with: { list: { ref: 'file' } } }],
      },
    ]);
    expect(problems).toEqual([]);
    expect(narrowings.map(({ step, pointer, argument }) => [step, pointer, argument])).toEqual([
      ['send', '/steps/1/with/to', 'to'],
      ['each', '/steps/3/forEach', null],
      ['show', '/steps/3/do/0/with/list', 'list'],
    ]);
    expect(narrowings[0].text).toBe('step send: who, a text, as "to" may be other than an e-mail address');
  });

  it('has all of its problems named at once, with their steps', () => {
    const { problems } = check([{ ...fetch, with: { folder: 'x', limit: 'y' } }, to({ ref: 'nobody' }, 4)]);
    expect(problems.map(({ step, kind, pointer }) => [step, kind, pointer])).toEqual([
      ['fetch', 'type', '/steps/0/with/folder'],
      ['fetch', 'type', '/steps/0/with/limit'],
      ['send', 'shape', '/steps/1/with/to'],
      ['send', 'type', '/steps/1/with/body'],
    ]);
    expect(problems[0].text).toBe(
      'step fetch (/steps/0/with/folder): found "x" as "folder"; expected one of "inbox", "sent"',
    );
  });

  it('is looked through in one pass', () => {
    const steps = Array.from({ length: 3000 }, (_, i) => ({ ...fetch, id: `s${i}`, as: `m${i}` }));
    expect(check(steps).problems).toEqual([]);
    const names = steps.map((_, i) => ({ ref: `m${i}` }));
    const list = { literal: Array.from({ length: 20_000 }, (_, i) => (i % 2 ? i : `${i}`)) };
    expect(
      check([...steps, { let: 'all', be: { list: names } }, { let: 'long', be: list }]).problems,
    ).toEqual([]);
  });
});
