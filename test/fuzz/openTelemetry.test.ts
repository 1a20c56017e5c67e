import { expect, it } from 'vitest';
import { readOpenTelemetry } from '../../bindings/observations/trace/index.js';
import { chunked, collect } from '../unit/trace/bytes.js';
import { agent, call, exportRequest } from '../unit/trace/otlp.js';
import { FUZZ_TIMEOUT_MS, fuzz } from './fuzz.js';
import { mutatedText } from './mutations.js';

const spans = [
  agent({ id: 'r', attributes: { 'gen_ai.tool.definitions': [{ name: 'buy' }] } }),
  call('search', { id: 'c1', parent: 'r', start: 1, given: { size: 41 }, result: { hits: [7, true, 0.5] } }),
  call('buy', { id: 'c2', parent: 'c1', start: 2, attributes: { 'gen_ai.tool.call.arguments': { id: 7 } } }),
  { id: 'd', parent: 'c1', attributes: { 'foreguard.runs': '', 'gen_ai.tool.name': 'search' } },
];

it(
  'spans of OpenTelemetry are read, or refused with a message, whatever their text',
  async () => {
    const texts = [JSON.stringify(exportRequest(spans)), JSON.stringify(exportRequest(spans), null, 1)];
    const odd = ['null', '{', ']', '"', ',', '[[', '-1', '1e999', '"__proto__"', '"c1"', '"r"', '""'];
    await fuzz(400, mutatedText(texts, odd), async (text) => {
      const traces = await collect(readOpenTelemetry(chunked(text), { source: 'x' }));
      for (const { steps } of traces) expect(steps.length).toBeGreaterThan(0);
      return traces;
    });
  },
  FUZZ_TIMEOUT_MS,
);
