import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError, InvalidDataError, ParseError } from '../../../bindings/base/errors.js';
import {
  detectTraceFormat,
  readTraceBatches,
  readTraces,
  type TraceFormat,
} from '../../../bindings/observations/trace/index.js';
import { chunked, collect } from './bytes.js';

const line = '{"id":"a","steps":[{"state":{"x":1}}]}';
const source = 'runs';

describe('detectTraceFormat', () => {
  it.each<[string, TraceFormat]>([
    [line, 'jsonl'],
    ['\ufeff\r\n {"steps": [{"state": {"input": 1}}', 'jsonl'],
    ['{"complete": true, "id": "', 'jsonl'],
    ['{"input": {"instruction": "\\"steps\\": 1"}, "intermediate_steps": [', 'safeagentbench'],
    ['{"step": ["find Mirror"], "instruction": "…", "traj": [', 'safeagentbench'],
    [' [\n {\n "task_id": 0, "reward"', 'tau-bench'],
    ['[{"traj": []', 'tau-bench'],
    [`[${line}]`, 'jsonl'],
    ['{"time": 1}', 'jsonl'],
    ['', 'jsonl'],
    ['PK', 'jsonl'],
  ])('takes %s for %s', (start, format) => {
    expect(detectTraceFormat(start)).toBe(format);
    expect(detectTraceFormat(new TextEncoder().encode(start))).toBe(format);
  });
});

describe('readTraces', () => {
  const record = '{"input":{"instruction":"x"},"intermediate_steps":[],"output":""}';
  const conversations = '[{"task_id":3,"trial":0,"reward":1,"traj":[{"role":"user"}]}]';

  it.each([
    [line, 'a'],
    [record, 'runs:1'],
    [conversations, 'task-3-trial-0'],
  ])('chooses the reader by the content of %s', async (text, id) => {
    for (const size of [1, 1000]) {
      for await (const trace of readTraces(chunked(text, [size]), { source })) expect(trace.id).toBe(id);
      expect(await collect(readTraceBatches(chunked(text, [size]), { source }))).toHaveLength(1);
    }
  });

  it('uses the reader it is told to use', async () => {
    await expect(collect(readTraceBatches(chunked(record), { source, format: 'jsonl' }))).rejects.toThrow(
      'id is missing',
    );
    const unknown = { source, format: 'csv' as TraceFormat };
    await expect(collect(readTraceBatches(chunked(line), unknown))).rejects.toThrow(InvalidArgumentError);
  });

  it('reads a file larger than what is looked at, in order', async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => line.replace('"a"', `"${i}"`)).join('\n');
    const traces = await collect(readTraceBatches(chunked(lines, [1000, 70_000, 5]), { source }));
    expect(traces.map((trace) => trace.id)).toEqual(Array.from({ length: 20_000 }, (_, i) => String(i)));
  });

  it('decompresses gzip', async () => {
    const text = `${line}\n`.repeat(5000);
    for (const size of [1, 100, 1 << 20]) {
      const traces = await collect(readTraceBatches(chunked(gzipSync(text), [size]), { source }));
      expect(traces).toHaveLength(5000);
    }
  });

  it('refuses gzip data that ends early, naming the file', async () => {
    const cut = gzipSync(line).subarray(0, 30);
    const error = await collect(readTraceBatches(chunked(cut), { source })).catch((e) => e);
    expect(error).toBeInstanceOf(InvalidDataError);
    expect(error.message).toContain('runs: the gzip data is damaged');
  });

  it('passes on the error of the stream it reads, compressed or not', async () => {
    for (const bytes of [new TextEncoder().encode(line), gzipSync(line)]) {
      async function* broken() {
        yield bytes.subarray(0, 20);
        throw new RangeError('disk on fire');
      }
      await expect(collect(readTraceBatches(broken(), { source }))).rejects.toThrow('disk on fire');
    }
  });

  it.each([false, true])(
    'closes the stream when its reader stops early or fails (compressed: %s)',
    async (compressed) => {
      const text = `${line}\n`.repeat(50_000);
      const bytes = compressed ? gzipSync(text, { level: 0 }) : new TextEncoder().encode(text);
      let closed = 0;
      async function* stream() {
        try {
          yield* chunked(bytes, [1000]);
        } finally {
          closed++;
        }
      }
      for await (const trace of readTraces(stream(), { source })) {
        expect(trace.id).toBe('a');
        break;
      }
      expect(closed).toBe(1);
      const failing = collect(
        readTraceBatches(stream(), { source, format: 'tau-bench', maxLineBytes: 5000 }),
      );
      await expect(failing).rejects.toThrow(ParseError);
      expect(closed).toBe(2);
    },
  );
});
