import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import {
  OWN_FIELDS,
  readJsonLines,
  readOpenTelemetry,
  readTauBench,
  type Trace,
} from '../bindings/observations/trace/index.js';
import { createSession } from '../bindings/runtime/enforcement/index.js';
import { memoryTraces } from './unit/enforcement/memoryTraces.js';
import { chunked, collect } from './unit/trace/bytes.js';
import { agent, call, exportRequest } from './unit/trace/otlp.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The table of docs/traces.md, by field: what it says of conversations, spans and sessions. */
const rows = new Map(
  readFileSync(`${root}docs/traces.md`, 'utf8')
    .split('\n## Fields\n')[1]
    .split('\n## ')[0]
    .split('\n')
    .flatMap((line) => {
      const [, field, , ...told] = line.split('|').map((cell) => cell.trim());
      const name = /^`([\w.]+)`$/.exec(field ?? '')?.[1];
      return name === undefined ? [] : [[name, told.slice(0, 3)] as const];
    }),
);

/** The names that an interface, or a type of an object, declares itself. */
function declared(path: string, type: string): string[] {
  const file = ts.createSourceFile(path, readFileSync(root + path, 'utf8'), ts.ScriptTarget.Latest);
  for (const statement of file.statements) {
    const isInterface = ts.isInterfaceDeclaration(statement);
    if (!(isInterface || ts.isTypeAliasDeclaration(statement)) || statement.name.text !== type) continue;
    const { members } = isInterface ? statement : (statement.type as ts.TypeLiteralNode);
    return members.flatMap(({ name }) => (name === undefined ? [] : [(name as ts.Identifier).text]));
  }
  throw new Error(`${path} declares no ${type}`);
}

const below = (place: string, names: readonly string[]) => names.map((name) => `${place}.${name}`);

/** The fields of the page that traces have; a list counts as its elements. */
function present(traces: readonly Trace[]): Set<string> {
  const found = new Set<string>();
  const walk = (value: unknown, place: string): void => {
    if (Array.isArray(value)) for (const element of value) walk(element, place);
    else if (typeof value === 'object' && value !== null)
      for (const [name, field] of Object.entries(value)) {
        const path = place === '' ? name : `${place}.${name}`;
        if (rows.has(path)) found.add(path);
        walk(field, path);
      }
  };
  walk(traces, '');
  return found;
}

const conversations = JSON.stringify([
  {
    task_id: 0,
    trial: 0,
    reward: 1,
    traj: [
      { role: 'user', content: 'please' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: '1', type: 'function', function: { name: 'look', arguments: '{"n":1}' } }],
      },
      { role: 'tool', tool_call_id: '1', name: 'look', content: 'ok' },
      { role: 'user', content: '###STOP###' },
    ],
  },
]);
const spans = (attributes: Readonly<Record<string, unknown>>) =>
  JSON.stringify(
    exportRequest([
      call('look', { id: 'c', parent: 'r', start: 1, end: 2, given: { n: 1 }, result: 'ok' }),
      agent({ id: 'r', start: 0, end: 3, attributes }),
    ]),
  );
const spansOf = async (attributes: Readonly<Record<string, unknown>>) =>
  present(await collect(readOpenTelemetry(chunked(spans(attributes)), { source: 'spans.jsonl' })));

/** A recorded run: as it is kept, and as it is read. */
async function recorded(isWhole: boolean): Promise<{ kept: Set<string>; read: Set<string> }> {
  const record = memoryTraces();
  let now = 0;
  const session = createSession({
    record,
    shadow: true,
    tools: ['look'],
    redact: ['secret'],
    ...(isWhole && {
      time: () => now++,
      principal: { id: 'ada', roles: ['admin'], tenant: 'home' },
      detectors: { long: { detect: (text: string) => text.length > 9 } },
    }),
  });
  const verdict = await session.decide({ id: '1', name: 'look', arguments: { n: 1, secret: 2 } });
  await session.ran(verdict, { result: 'ok' });
  await session.end();
  const lines = record.ended.map((trace) => JSON.stringify(trace)).join('\n');
  const read = await collect(readJsonLines(chunked(lines), { source: 'runs.jsonl' }));
  return { kept: present(record.ended), read: present(read) };
}

describe('docs/traces.md', () => {
  it('lists every field that traces, steps, actions and the history of calls have, and no other', () => {
    const trace = 'bindings/observations/trace/trace.ts';
    const history = 'bindings/observations/trace/toolHistory.ts';
    const steps = [
      ...declared(trace, 'Step'),
      ...declared('bindings/runtime/enforcement/traceSink.ts', 'KeptStep'),
    ];
    const fields = [
      ...declared(trace, 'Trace'),
      ...below('steps', steps),
      ...below('steps.action', declared(trace, 'Action')),
      ...below('steps.state', [...declared(history, 'ToolState'), 'principal']),
      ...below('steps.state.principal', declared('bindings/runtime/enforcement/principal.ts', 'Principal')),
      ...below('steps.state.history', declared(history, 'PastCall')),
    ];
    expect([...rows.keys()].sort()).toEqual(fields.sort());
    expect([...rows.keys()].filter((field) => !field.includes('.')).sort()).toEqual(
      Object.keys(OWN_FIELDS).sort(),
    );
  });

  it('says which of them conversations, spans and sessions give', async () => {
    const whole = await recorded(true);
    const bare = await recorded(false);
    const tau = present(await collect(readTauBench(chunked(conversations), { source: 'tau.json' })));
    /** With all that a source may have, and with nothing but what it always has. */
    const sources = [
      [tau, tau],
      [await spansOf({ 'user.id': 'ada', 'user.roles': ['admin'] }), await spansOf({})],
      [whole.read, bare.read],
    ];
    for (const [field, told] of rows) {
      for (const [i, [most, least]] of sources.entries()) {
        const place = `${field}, column ${i}`;
        const has = most.has(field);
        if (told[i] === 'yes') expect([has, least.has(field)], place).toEqual([true, true]);
        else if (told[i] === 'no') expect(has, place).toBe(false);
        else if (told[i].startsWith('with `')) expect([has, least.has(field)], place).toEqual([true, false]);
        else if (told[i] === 'in the file')
          expect([has, whole.kept.has(field)], place).toEqual([false, true]);
        else expect([told[i], field], place).toEqual(['some', 'notRecorded']);
      }
    }
    expect(whole.read.has('notRecorded')).toBe(true);
  });
});
