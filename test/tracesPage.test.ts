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
    return members.map(({ name }) => (name as ts.Identifier).text);
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
const spans = JSON.stringify(
  exportRequest([
    call('look', { id: 'c', parent: 'r', start: 1, end: 2, given: { n: 1 }, result: 'ok' }),
    agent({ id: 'r', start: 0, end: 3 }),
  ]),
);

/** A recorded run: as it is kept, and as it is read. */
async function recorded(clock: boolean): Promise<{ kept: Set<string>; read: Set<string> }> {
  const record = memoryTraces();
  let now = 0;
  const session = createSession({
    record,
    shadow: true,
    tools: ['look'],
    redact: ['secret'],
    ...(clock && { time: () => now++ }),
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
      ...below('steps.state', declared(history, 'ToolState')),
      ...below('steps.state.history', declared(history, 'PastCall')),
    ];
    expect([...rows.keys()].sort()).toEqual(fields.sort());
    expect([...rows.keys()].filter((field) => !field.includes('.')).sort()).toEqual(
      Object.keys(OWN_FIELDS).sort(),
    );
  });

  it('says which of them conversations, spans and sessions give', async () => {
    const timed = await recorded(true);
    const untimed = await recorded(false);
    const sources = [
      present(await collect(readTauBench(chunked(conversations), { source: 'tau.json' }))),
      present(await collect(readOpenTelemetry(chunked(spans), { source: 'spans.jsonl' }))),
      timed.read,
    ];
    for (const [field, told] of rows) {
      for (const [i, source] of sources.entries()) {
        const place = `${field}, column ${i}`;
        const has = source.has(field);
        if (told[i] === 'yes') expect(has, place).toBe(true);
        else if (told[i] === 'no') expect(has, place).toBe(false);
        else if (told[i] === 'with `time`')
          expect([has, untimed.read.has(field)], place).toEqual([true, false]);
        else if (told[i] === 'in the file')
          expect([has, timed.kept.has(field)], place).toEqual([false, true]);
        else expect([told[i], field], place).toEqual(['some', 'notRecorded']);
      }
    }
    expect(timed.read.has('notRecorded')).toBe(true);
  });
});
