import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { openTraceFile, readTraceFiles } from '../../../bindings/face/node/index.js';
import { runningTrace, stepLines } from '../../../bindings/face/node/runningTrace.js';
import type { Step, Trace, TraceNote } from '../../../bindings/observations/trace/index.js';
import { createSession } from '../../../bindings/runtime/enforcement/index.js';
import { writeBundledScript } from '../../bundledScript.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-traces-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newPath = (): string => join(folder, `runs-${files++}.jsonl`);

const step = (n: number, name?: string): Step => ({ state: { n }, ...(name && { action: { name } }) });

async function read(path: string): Promise<{ traces: Trace[]; notes: TraceNote[] }> {
  const notes: TraceNote[] = [];
  const traces: Trace[] = [];
  for await (const trace of readTraceFiles([path], { onNote: (note) => notes.push(note) }))
    traces.push(trace);
  return { traces, notes };
}

const opened = async (path: string) => {
  const notes: string[] = [];
  return { notes, file: await openTraceFile(path, { onNote: (text) => notes.push(text) }) };
};

describe('a file of traces', () => {
  it('has a line for each run that has ended, and is read as any other', async () => {
    const path = newPath();
    const { file, notes } = await opened(path);
    const [one, two] = [file.begin('one'), file.begin('two "quoted"')];
    one.put(0, step(0, 'a'), {});
    two.put(0, step(5, 'b'), { speed: 'it is NaN' });
    one.put(1, step(1, 'x'), {});
    one.put(1, step(1, 'c'), {});
    await two.end(false);
    one.put(2, { state: { far: Number.POSITIVE_INFINITY, near: [Number.NEGATIVE_INFINITY] } }, {});
    one.put(3, step(3, 'd'), {});
    one.put(3, null, {});
    await one.end(true);
    await file.close();
    const { traces, notes: read0 } = await read(path);
    expect(traces).toEqual([
      { id: 'two "quoted"', complete: false, notRecorded: { speed: 'it is NaN' }, steps: [step(5, 'b')] },
      {
        id: 'one',
        complete: true,
        steps: [
          step(0, 'a'),
          step(1, 'c'),
          { state: { far: Number.POSITIVE_INFINITY, near: [Number.NEGATIVE_INFINITY] } },
        ],
      },
    ]);
    expect(read0).toEqual([]);
    expect(notes).toEqual([]);
    expect(readdirSync(folder)).toEqual([path.slice(folder.length + 1)]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('is read with the runs that go on, as cut', async () => {
    const path = newPath();
    const { file } = await opened(path);
    file.begin('done').put(0, step(0), {});
    const running = file.begin('running');
    expect((await read(path)).traces).toMatchObject([{ id: 'done', complete: false }]);
    running.put(0, step(0, 'a'), {});
    const { traces, notes } = await read(path);
    expect(traces.map(({ id, complete }) => [id, complete])).toEqual([
      ['done', false],
      ['running', false],
    ]);
    expect(notes.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^2 runs have not ended, or the process died that recorded them: read as cut off, from .*\.running$/,
      ),
    ]);
    await file.close();
    expect((await read(path)).traces).toEqual(traces);
    expect((await read(path)).notes).toEqual([]);
  });

  it('is gone on with when it is opened again, whoever wrote it', async () => {
    const path = newPath();
    const long = `{"steps": [{"state": {"text": "${'é'.repeat(1 << 17)}"}}], "id": "long"}`;
    writeFileSync(path, `${long}\r\n{"steps": [{"state": {}}], "id": "by hand"}`);
    for (const id of ['first', 'second']) {
      const { file, notes } = await opened(path);
      const run = file.begin(id);
      run.put(0, step(1), {});
      await run.end(true);
      await file.close();
      expect(notes).toEqual([]);
    }
    expect((await read(path)).traces.map(({ id }) => id)).toEqual(['long', 'by hand', 'first', 'second']);
    writeFileSync(path, `${long}\n\n \n`);
    await (await openTraceFile(path)).close();
    expect((await read(path)).traces.map(({ id }) => id)).toEqual(['long']);
  });

  it('has one writer at a time', async () => {
    const path = newPath();
    const { file } = await opened(path);
    await expect(openTraceFile(path)).rejects.toThrow(/has one writer at a time/);
    await file.close();
    await (await openTraceFile(path)).close();
  });

  it.each([
    ['a list', '[1, 2]\n'],
    ['text', 'notes of mine\n'],
    ['a guard file', '{\n  "format": "foreguard-guard"\n}'],
    ['an audit log', '{"hash":"","previous":"","record":{},"sequence":0}\n'],
    ['a packed file', gzipSync('{"id": "a", "steps": []}\n')],
    ['recordings of another format', '{"input": 1, "step": 2}\n'],
    ['another end', '{"id":"a","steps":[{"state":{}}]}\nnotes'],
    ['a long line', `{"input": "${'x'.repeat(1 << 18)}"}`],
  ])('refuses %s, and leaves it as it was', async (_, content) => {
    const path = newPath();
    writeFileSync(path, content);
    await expect(openTraceFile(path)).rejects.toThrow(/does not end as a file of traces/);
    expect(readFileSync(path)).toEqual(Buffer.from(content));
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it('refuses a place that cannot be written', async () => {
    await expect(openTraceFile(join(folder, 'missing', 'runs.jsonl'))).rejects.toThrow(/cannot record in/);
    await expect(openTraceFile(folder)).rejects.toThrow(/cannot record in/);
  });
});

describe('a crash', () => {
  it('leaves every step that was kept, wherever it tears the last write', async () => {
    const text = `{"id":"r"}\n${stepLines(0, step(0, 'a'), {})}${stepLines(1, step(1, 'é'), { x: 'gone' })}${stepLines(1, step(2, 'c'), {})}${stepLines(2, null, {})}{"complete":true}\n`;
    const bytes = new TextEncoder().encode(text);
    const steps = (trace: ReturnType<typeof runningTrace>) =>
      trace === null ? [] : JSON.parse(trace.line).steps.map(({ action }: Step) => action?.name);
    for (let length = 0; length <= bytes.length; length++) {
      const whole = new TextDecoder().decode(bytes.subarray(0, length));
      const lines = whole.split('\n').length - 1;
      const expected = [[], [], ['a'], ['a'], ['a', 'é'], ['a', 'c'], ['a', 'c'], ['a', 'c']][lines];
      const trace = runningTrace(whole);
      expect(steps(trace), `${length}`).toEqual(expected);
      if (trace !== null) expect(trace.complete).toBe(lines === 7 ? true : null);
    }
  });

  it('between any two writes loses no run, doubles none, and tears no line', async () => {
    // Everything that ending a run may leave: its own file there or not, its line in the file whole, torn or not there.
    const own = `{"id":"r"}\n${stepLines(0, step(0, 'a'), {})}`;
    const ended = `${own}{"complete":true}\n`;
    const before = '{"id":"q","complete":true,"steps":[{"state":{"n":9}}]}\n';
    const line = `${runningTrace(ended)?.line}\n`;
    const cases = fc.record({
      before: fc.constantFrom('', before),
      tail: fc.integer({ min: 0, max: line.length }),
      isEnded: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ before, tail, isEnded }) => {
        const path = newPath();
        // The line is written only once the run's own file says that it has ended.
        writeFileSync(path, before + (isEnded ? line.slice(0, tail) : ''));
        const running = `${path}.running`;
        mkdirSync(running);
        writeFileSync(join(running, '1.jsonl'), isEnded ? ended : own);
        const { file } = await opened(path);
        await file.close();
        const { traces } = await read(path);
        expect(traces.map(({ id, complete }) => [id, complete])).toEqual([
          ...(before === '' ? [] : [['q', true]]),
          ['r', isEnded],
        ]);
        expect(existsSync(running)).toBe(false);
        // Once more, nothing is left to mend.
        const again = await opened(path);
        await again.file.close();
        expect(again.notes).toEqual([]);
        expect((await read(path)).traces).toEqual(traces);
      }),
      { numRuns: 60, examples: [[{ before, tail: line.length - 1, isEnded: true }]] },
    );
  });

  it('is said when the file is opened again', async () => {
    const path = newPath();
    writeFileSync(path, '{"id":"a","complete":true,"steps":[{"state":{}}]}\n{"id":"b","comp');
    const { file, notes } = await opened(path);
    await file.close();
    expect(notes).toEqual([
      `${path}: its last line was torn, as by a crash, and 15 bytes of it were cut off`,
    ]);
    expect((await read(path)).traces.map(({ id }) => id)).toEqual(['a']);
  });

  it('by kill -9 in the middle of runs loses no step that a call was let through in', async () => {
    const path = newPath();
    const script = join(folder, 'recorder.mjs');
    await writeBundledScript(
      script,
      `import { openTraceFile } from './bindings/face/node/index.ts';
      import { createSession } from './bindings/runtime/enforcement/index.ts';
      const record = await openTraceFile(${JSON.stringify(path)});
      for (const id of ['ended', 'first', 'second']) {
        const session = createSession({ id, tools: ['look', 'send'], shadow: true, record });
        for (let n = 0; n < 3; n++) {
          const verdict = await session.decide({ id: String(n), name: 'look', arguments: { n } });
          await session.ran(verdict, { result: { n } });
        }
        if (id === 'ended') await session.end();
        else await session.decide({ id: 'last', name: 'send', arguments: {} });
      }
      console.log('running');
      setInterval(() => {}, 1000);`,
    );
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const expected = [
      ['ended', true, ['look', 'look', 'look', undefined]],
      ['first', false, ['look', 'look', 'look', 'send']],
      ['second', false, ['look', 'look', 'look', 'send']],
    ];
    const told = (traces: readonly Trace[]) =>
      traces.map(({ id, complete, steps }) => [id, complete, steps.map(({ action }) => action?.name)]);
    expect(told((await read(path)).traces)).toEqual(expected);
    const { file, notes } = await opened(path);
    expect(notes).toEqual([
      `${path}: 2 runs had not ended when the process died that recorded them; their traces are in the file now, as cut`,
    ]);
    await file.close();
    expect(told((await read(path)).traces)).toEqual(expected);
    expect(readFileSync(path, 'utf8').trim().split('\n')).toHaveLength(3);
  });
});

describe('what cannot be written', () => {
  it('ends the recording of the run, is said, and decides nothing', async () => {
    const path = newPath();
    const { file, notes } = await opened(path);
    const session = createSession({ tools: ['look'], shadow: true, record: file, id: 'run' });
    const look = async () => {
      const verdict = await session.decide({ id: '1', name: 'look', arguments: {} });
      if (verdict.run) await session.ran(verdict, { result: 1 });
      return verdict.decision;
    };
    expect(await look()).toBe('allow');
    rmSync(`${path}.running`, { recursive: true });
    for (let i = 0; i < 3; i++) expect(await look()).toBe('allow');
    await session.end();
    expect(notes[0]).toMatch(/^the recording of run run ends early: ENOENT/);
    expect(notes[1]).toMatch(/^the trace of run run is not in .*: ENOENT/);
    expect(notes).toHaveLength(2);
    await file.close();
  });

  it('of a file that another program has changed: the trace stays where it was', async () => {
    const path = newPath();
    const { file, notes } = await opened(path);
    const run = file.begin('run');
    run.put(0, step(0), {});
    appendFileSync(path, '{"id":"mine","steps":[{"state":{}}]}\n');
    await expect(run.end(true)).rejects.toThrow(/another program writes to it/);
    expect(notes).toEqual([expect.stringMatching(/^the trace of run run is not in .*from where it is read/)]);
    await file.close();
    expect((await read(path)).traces.map(({ id, complete }) => [id, complete])).toEqual([
      ['mine', true],
      ['run', true],
    ]);
    await (await openTraceFile(path)).close();
    expect(readFileSync(path, 'utf8')).toContain('"run"');
    expect(existsSync(`${path}.running`)).toBe(false);
  });

  it('in a file that is closed, is refused', async () => {
    const path = newPath();
    const { file, notes } = await opened(path);
    const run = file.begin('run');
    run.put(0, step(0), {});
    await file.close();
    expect(() => run.put(1, step(1), {})).toThrow(/was closed/);
    expect(() => file.begin('other')).toThrow(/is closed; open it again/);
    expect(notes).toHaveLength(2);
    expect((await read(path)).traces).toMatchObject([{ id: 'run', complete: false }]);
    truncateSync(path);
  });
});
