import { describe, expect, it } from 'vitest';
import { readContracts, toolPin } from '../../../bindings/proofs/contract/index.js';
import { SpecificationError } from '../../../bindings/rules/specification/index.js';

const MAIL = `version: 1
types:
  Mail: { fields: { from: email, to: list of email, body: text, subject: text? } }
readers: { company: '*@company.com', me: [michelle@valleysharks.com] }
stores: { mailbox: {}, files: { key: path }, web: { public: true } }
tools:
  fetchMail:
    arguments: { folder: { enum: [inbox, sent], integrity: trusted } }
    result: { type: list of Mail, labels: [mail], readers: '[r.from] + r.to + me' }
    reads: [mailbox]
  sendMail:
    arguments: { to: { format: email, integrity: trusted }, body: { type: text, readers: to } }
    requires: 'domainOf(to) in ["company.com", "valleysharks.com"]'
    result: { fields: { status: { enum: [sent, queued] } } }
    ensures: 'result.status == "sent"'
    writes: [mailbox]
    consequential: true
    observable: to
  deleteFile: { arguments: { pattern: { format: glob } }, effects: { removes: { files: 'glob(key, pattern)' } } }
  redact: { arguments: { text: text }, result: text, endorses: [noExfiltration], pure: true }
  approve: {}
flows:
  noExfiltration: { from: mail, to: sendMail.body, unless: 'domainOf(to) == "valleysharks.com"', through: [redact] }
events: { external: { tool: sendMail, when: 'domainOf(to) != "company.com"' } }
rules:
  askFirst: { formula: 'G (external -> O approve)', message: ask before mail leaves the company }
  once:
    automaton:
      states: [fresh, sent, twice]
      errors: [twice]
      transitions:
        - { from: fresh, to: sent, tool: sendMail }
        - { from: sent, to: twice, event: external }
`;

describe('readContracts', () => {
  it('reads readers, stores, tools, flows, events and rules', () => {
    const contracts = readContracts(MAIL);
    const { readers, stores, tools, flows, events, rules } = contracts;
    expect(readers.get('company')!.has('ann@company.com')).toBe(true);
    expect(readers.get('company')!.has('ann@evil.com,me@company.com')).toBe(false);
    expect(readers.get('me')!.has('michelle@valleysharks.com')).toBe(true);
    expect(stores.get('files')!.key).toEqual({ kind: 'text', format: 'path' });
    expect(stores.get('web')!.public).toBe(true);
    const fetchMail = tools.get('fetchMail')!;
    expect(fetchMail.result).toMatchObject({ integrity: 'untrusted', labels: ['mail'] });
    expect(fetchMail.result.readers).toEqual({
      kind: 'union',
      of: [
        { kind: 'value', path: ['result', '*', 'from'] },
        { kind: 'value', path: ['result', '*', 'to'] },
        { kind: 'group', name: 'me' },
      ],
    });
    expect(fetchMail.result.type).toMatchObject({ kind: 'list', of: { kind: 'record' } });
    expect(fetchMail.consequential).toBe(false);
    const sendMail = tools.get('sendMail')!;
    expect(sendMail.arguments.get('body')).toEqual({
      type: { kind: 'text' },
      optional: false,
      integrity: 'any',
      readers: { kind: 'value', path: ['to'] },
      sink: true,
    });
    expect(sendMail.requires).toMatchObject([{ name: 'requires', atRunTime: false }]);
    expect(tools.get('deleteFile')).toMatchObject({
      writes: ['files'],
      consequential: true,
      effects: [{ kind: 'removes', store: 'files' }],
    });
    expect(tools.get('redact')).toMatchObject({
      pure: true,
      result: { integrity: 'trusted', readers: { kind: 'everyone' } },
    });
    expect(flows.get('noExfiltration')).toMatchObject({
      from: ['mail'],
      to: [{ tool: 'sendMail', argument: 'body' }],
      through: ['redact'],
    });
    expect([...events.keys()]).toEqual(['external', 'approve']);
    expect(rules.get('once')).toMatchObject({ kind: 'automaton', automaton: { initial: 'fresh' } });
    expect(contracts.implicit).toBe('full');
    expect(contracts.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('assumes the worst of a tool of which nothing is said', () => {
    const approve = readContracts(MAIL).tools.get('approve')!;
    expect(approve).toMatchObject({
      consequential: true,
      observable: { kind: 'everyone' },
      reads: ['mailbox', 'files', 'web'],
      writes: ['mailbox', 'files', 'web'],
      result: { integrity: 'untrusted', readers: null },
    });
  });

  it('has one hash whatever the layout', () => {
    const json = `{"version":1,"tools":{"a":{"pure":true},"b":{}}}`;
    const yaml = 'tools:\n  b: {}\n  a:\n    pure: true # comment\nversion: 1\n';
    expect(readContracts(yaml).hash).toBe(readContracts(json).hash);
    expect(readContracts(JSON.parse(json)).hash).toBe(readContracts(json).hash);
    expect(readContracts(json.replace('true', 'false')).hash).not.toBe(readContracts(json).hash);
  });

  it('takes types of arguments from a list of tools, and compares pins', () => {
    const tool = {
      name: 'send',
      description: 'Sends.',
      inputSchema: {
        type: 'object',
        properties: {
          to: { type: 'string', format: 'email' },
          cc: { type: 'array', items: { type: 'string' } },
        },
        required: ['to'],
      },
    };
    const readFile = (): string => JSON.stringify({ tools: [tool, { name: 'look' }] });
    const read = (text: string) => readContracts(text, { readFile });
    const contracts = read(
      `version: 1\ntools: { from: tools.json, send: { pin: 'sha256:${toolPin(tool)}', arguments: { to: { integrity: any } } } }`,
    );
    const send = contracts.tools.get('send')!;
    expect([...contracts.tools.keys()]).toEqual(['send']);
    expect(send.arguments.get('to')).toMatchObject({
      type: { kind: 'text', format: 'email' },
      optional: false,
      integrity: 'any',
    });
    expect(send.arguments.get('cc')).toMatchObject({
      optional: true,
      integrity: 'trusted',
      readers: { kind: 'everyone' },
    });
    expect(() => read(`version: 1\ntools: { from: tools.json, sned: {} }`)).toThrow('did you mean "send"?');
    expect(() => read(`version: 1\ntools: { from: tools.json, send: { arguments: { too: text } } }`)).toThrow(
      'did you mean "to"?',
    );
    expect(() =>
      read(`version: 1\ntools: { from: tools.json, send: { pin: 'sha256:${'0'.repeat(64)}' } }`),
    ).toThrow('is not what was pinned');
    expect(() => readContracts('version: 1\ntools: { from: tools.json }')).toThrow('give readFile');
  });
});

/** What stands in place of a part of the file, and the beginnings of the problems, with their lines and columns. */
const WRONG: readonly (readonly [string, string, readonly string[]])[] = [
  ['version: 1', 'version: 2', ['1:10: version must be 1']],
  [
    'folder: { enum',
    'folder: { enums',
    ['8:28: unknown key "enums" in tool "fetchMail": argument "folder"; did you mean "enum"?'],
  ],
  [
    'type: list of Mail',
    'type: list of Mial',
    ['9:21: tool "fetchMail": result has the type "list of Mial"; did you mean "Mail"?'],
  ],
  ['r.from]', 'r.form]', ['9:64: found the field "form", which r has not; did you mean "from"?']],
  ['+ me', '+ mee', ['found "mee", which is neither a group of readers nor an argument; did you mean "me"?']],
  [
    'reads: [mailbox]',
    'reads: [mailbax]',
    [
      '10:13: tool "fetchMail": reads: found the store "mailbax", which stores does not list; did you mean "mailbox"?',
    ],
  ],
  ['domainOf(to) in', 'domainOf(too) in', ['13:25: found unknown field "too" (did you mean "to"?)']],
  ['domainOf(to) in', 'domainOf(folder) in', ['unknown field "folder"']],
  ['in ["company.com", "valleysharks.com"]', '== 3', ['13:29: found a string == a number']],
  [
    'in ["company.com", "valleysharks.com"]',
    '== "Company.com"',
    ['tool "sendMail": no values fulfil requires, so no call could be made'],
  ],
  [
    'result.status == "sent"',
    'result.status == "gone"',
    ['tool "sendMail": no values fulfil ensures, so every call would break it'],
  ],
  ['result.status == "sent"', 'result.state == "sent"', ['unknown field "state"']],
  ['glob(key, pattern)', 'glob(keys, pattern)', ['19:94: found unknown field "keys" (did you mean "key"?)']],
  ['glob(key, pattern)', 'glob(key, other)', ['found a pattern that is not a literal']],
  [
    'endorses: [noExfiltration]',
    'endorses: [noExfil]',
    ['tool "redact" endorses "noExfil", which is no flow'],
  ],
  [
    '{ from: mail,',
    '{ from: mial,',
    [
      'flow "noExfiltration" is from "mial", which is no tool and no label of a result, so it forbids nothing; did you mean "mail"?',
    ],
  ],
  [
    'to: sendMail.body',
    'to: sendMail.boby',
    [
      'flow "noExfiltration" is to the argument "boby", which "sendMail" has not, so it forbids nothing; did you mean "body"?',
    ],
  ],
  [
    'to: sendMail.body',
    'to: sendMial.body',
    ['found the tool "sendMial", which tools does not list; did you mean "sendMail"?'],
  ],
  ['unless: \'domainOf(to) == "valleysharks.com"\'', "unless: 'to == to'", []],
  [
    'unless: \'domainOf(to) == "valleysharks.com"\'',
    "unless: 'size(to) >= 0'",
    ['forbids nothing: what stands under unless holds of every call'],
  ],
  [
    'through: [redact]',
    'through: [redct]',
    [
      'flow "noExfiltration": through: found the tool "redct", which tools does not list; did you mean "redact"?',
    ],
  ],
  [
    'when: \'domainOf(to) != "company.com"\'',
    "when: 'size(body) < 0'",
    ['event "external" never happens: no arguments fulfil when'],
  ],
  [
    'G (external -> O approve)',
    'G (externl -> O approve)',
    ['rule "askFirst" reads "externl", which is neither an event nor a tool; did you mean "external"?'],
  ],
  ['G (external -> O approve)', 'G (external -> ', ['26:40: unexpected end of the formula']],
  ['G (external -> O approve)', 'G (external | !external)', ['rule "askFirst" forbids nothing']],
  [
    'G (external -> O approve)',
    'G !(external & approve)',
    ['rule "askFirst" forbids nothing: it holds of every sequence of calls'],
  ],
  ['G (external -> O approve)', 'F (external & approve)', ['rule "askFirst" holds of no sequence of calls']],
  ['G (external -> O approve)', 'F[0,3s] external', ['plans have no clock']],
  ['G (external -> O approve)', 'F amount > 3', ['formulas here read events alone']],
  [
    'errors: [twice]',
    'errors: [thrice]',
    ['a state of error must be one of fresh, sent, twice, found "thrice"'],
  ],
  [
    'to: twice, event',
    'to: fresh, event',
    ['rule "once" forbids nothing: no transitions lead from "fresh" to twice'],
  ],
  ['event: external }', 'tool: sendMial }', ['did you mean "sendMail"?']],
  [
    'tool: sendMail }\n',
    'tool: sendMail }\n        - { from: fresh, to: twice, event: external }\n',
    ['transition 2 is never taken'],
  ],
  ['*@company.com', '*@company..com', ['is no domain']],
  ['approve: {}', 'approve: { consequental: true }', ['did you mean "consequential"?']],
  ['pure: true', 'pure: true, reads: [web]', ['is pure']],
];

describe('readContracts of what is wrong', () => {
  it.each(WRONG)('%s → %s', (part, other, expected) => {
    expect(MAIL).toContain(part);
    const text = MAIL.replace(part, other);
    if (expected.length === 0) {
      readContracts(text);
      return;
    }
    let found: unknown;
    try {
      readContracts(text, { source: 'mail.yaml' });
    } catch (error) {
      found = error;
    }
    expect(found).toBeInstanceOf(SpecificationError);
    const { problems } = found as SpecificationError;
    const texts = problems.map(({ line, column, message }) => `${line}:${column}: ${message}`);
    for (const text of expected) expect(texts.join('\n')).toContain(text);
  });

  it('reports everything at once', () => {
    const text = MAIL.replace('reads: [mailbox]', 'reads: [mailbax]')
      .replace('from: mail,', 'from: mial,')
      .replace('O approve', 'O aprove');
    expect(() => readContracts(text)).toThrow(/mailbax[\s\S]*mial[\s\S]*aprove/);
  });

  it('refuses names that objects have by themselves', () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect(() => readContracts(MAIL.replace('{ from: mail,', `{ from: ${name},`))).toThrow('is no tool');
      expect(() => readContracts(MAIL.replace('O approve', `O ${name}`))).toThrow(
        'neither an event nor a tool',
      );
      expect(() => readContracts(MAIL.replace('list of Mail', `list of ${name}`))).toThrow('has the type');
    }
  });
});
