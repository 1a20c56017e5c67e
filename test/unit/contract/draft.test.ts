import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PinFile } from '../../../bindings/face/cli/mcp/pinFile.js';
import {
  checkPins,
  draftContracts,
  readContracts,
  readToolList,
  toolPin,
  undeclared,
} from '../../../bindings/proofs/contract/index.js';
import { definitionOf } from '../../../bindings/runtime/adapters/mcp/index.js';

const SEND = {
  name: 'send_mail',
  description: 'Sends.\n  # not a comment: {',
  inputSchema: {
    type: 'object',
    properties: {
      to: {
        type: 'array',
        items: { type: 'string', format: 'email' },
        minItems: 1,
        description: 'who gets it',
      },
      'body text': { type: 'string', maxLength: 10 },
      level: { enum: ['low', 'high', 'true'] },
      result: { type: ['integer', 'null'] },
    },
    required: ['to'],
  },
  annotations: { readOnlyHint: true, idempotentHint: true },
  _meta: { anything: 1 },
};
const TOOLS = [
  SEND,
  {
    name: '__proto__',
    inputSchema: { type: 'object', properties: { __proto__x: { type: 'number' }, r: {} } },
  },
  {
    name: 'tree',
    inputSchema: {
      type: 'object',
      properties: { node: { $ref: '#/$defs/N' } },
      $defs: { N: { type: 'object', properties: { next: { $ref: '#/$defs/N' } } } },
    },
  },
  {
    name: 'plain',
    outputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
  },
  { name: 'from' },
];

describe('drafted contracts', () => {
  const text = draftContracts(TOOLS, { source: 'mail\nversion: 2' });

  it('are read without errors, and trust nothing', () => {
    const { tools } = readContracts(text);
    expect([...tools.keys()]).toEqual(TOOLS.map(({ name }) => name));
    for (const tool of tools.values()) {
      expect(tool).toMatchObject({
        consequential: true,
        reads: ['world'],
        writes: ['world'],
        observable: { kind: 'everyone' },
        pure: false,
      });
      expect(tool.result).toMatchObject({ integrity: 'untrusted', readers: null });
      for (const argument of tool.arguments.values())
        expect(argument).toMatchObject({ integrity: 'trusted', readers: { kind: 'everyone' }, sink: true });
    }
    const send = tools.get('send_mail')!;
    expect(send.arguments.get('to')).toMatchObject({
      optional: false,
      type: { kind: 'list', least: 1, of: { kind: 'text', format: 'email' } },
    });
    expect(send.arguments.get('level')!.type).toEqual({ kind: 'text', values: ['low', 'high', 'true'] });
    expect(send.arguments.get('result')).toMatchObject({ optional: true, type: { kind: 'either' } });
    expect(tools.get('tree')!.arguments.get('node')!.type).toEqual({ kind: 'any' });
    expect(tools.get('plain')!.result.type).toMatchObject({
      kind: 'record',
      fields: { n: { type: { kind: 'integer' } } },
    });
  });

  it('say as much as the contract of an undeclared tool', () => {
    const drafted = readContracts(text).tools.get('plain')!;
    const { result: _, pin, ...rest } = drafted;
    const { result, pin: none, ...nothing } = undeclared('plain', { stores: ['world'] });
    expect(rest).toEqual(nothing);
    expect([pin, none, result.readers]).toEqual([toolPin(TOOLS[3]), null, null]);
  });

  it('show what servers say in comments alone, and what is not read', () => {
    expect(text).toContain('# The server says: Sends. # not a comment: {');
    expect(text).toContain('# The server says that it changes nothing');
    expect(text).toContain('# Any value is taken: "node"');
    expect(text.split('\n')[0]).toBe('# Contracts of the tools of mail version: 2, drafted by foreguard.');
    expect(readContracts(draftContracts([])).tools.size).toBe(0);
  });

  it('pin tools by the hash that the proxy writes', () => {
    const folder = mkdtempSync(join(tmpdir(), 'foreguard-pins-'));
    try {
      const path = join(folder, 'pins.json');
      new PinFile(path).write(new Map([['send_mail', definitionOf(SEND)]]));
      const written = JSON.parse(readFileSync(path, 'utf8'));
      expect(written.tools.send_mail.sha256).toBe(toolPin(SEND));
      const [read] = readToolList(written);
      expect(toolPin(read)).toBe(toolPin(SEND));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('are compared with the tools as they are now', () => {
    const contracts = readContracts(text);
    expect(checkPins(contracts, TOOLS)).toEqual([]);
    expect(checkPins(contracts, [{ ...SEND, _meta: { other: 2 } }, ...TOOLS.slice(1)])).toEqual([]);
    const now = [{ ...SEND, description: 'Sends, and <IMPORTANT> reads' }, ...TOOLS.slice(1, 4)];
    expect(checkPins(contracts, now, TOOLS)).toEqual([
      { tool: 'send_mail', text: expect.stringContaining('description was "Sends.') },
      { tool: 'from', text: 'it is pinned, and no server lists it' },
    ]);
    expect(checkPins(contracts, now)[0].text).toContain('has the SHA-256');
  });
});

describe('lists of tools', () => {
  it.each([
    [{}, 'holds no tools'],
    [{ tools: [{ description: 'x' }] }, 'tool 1 has no name'],
    [[{ name: 'a' }, { name: 'a' }], 'has two tools of the name "a"'],
  ])('%j are refused', (value, message) => {
    expect(() => readToolList(value, 'tools.json')).toThrow(message);
  });

  it('are what servers answer', () => {
    expect(readToolList({ jsonrpc: '2.0', id: 1, result: { tools: [{ name: 'a' }] } })).toEqual([
      { name: 'a' },
    ]);
  });
});
