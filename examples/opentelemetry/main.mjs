// A clerk works, and OpenTelemetry records it; a guard is learnt from the spans, and its decisions are spans again.
import { readFileSync } from 'node:fs';
import { ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import * as sdk from '@opentelemetry/sdk-trace-base';
import { Abstraction, compileGuard, learnMdp, parseSpecification, readTraces } from 'foreguard';
import { createSession } from 'foreguard/enforce';
import { loadGuard } from 'foreguard/guard';
import { telemetry } from 'foreguard/opentelemetry';

const exporter = new sdk.InMemorySpanExporter();
const spanProcessors = [new sdk.SimpleSpanProcessor(exporter)];
const tracer = new sdk.BasicTracerProvider({ spanProcessors }).getTracer('clerk');

const operation = (name, more) => ({ attributes: { 'gen_ai.operation.name': name, ...more } });
function handle(refundable, answer) {
  const agent = tracer.startSpan('invoke_agent', operation('invoke_agent'));
  const below = trace.setSpan(ROOT_CONTEXT, agent);
  const result = { 'gen_ai.tool.call.result': JSON.stringify({ refundable }) };
  const call = (tool, more) => operation('execute_tool', { 'gen_ai.tool.name': tool, ...more });
  tracer.startSpan('look_up', call('look_up', result), below).end();
  tracer.startSpan(answer, call(answer), below).end();
  agent.end();
}
for (let order = 0; order < 60; order++)
  handle(order % 2 === 0, order % 2 === 0 || order % 10 === 1 ? 'refund' : 'tell_customer');

const specification = parseSpecification(readFileSync(new URL('refunds.yaml', import.meta.url), 'utf8'));
const spans = new Blob([JsonTraceSerializer.serializeRequest(exporter.getFinishedSpans())]).stream();
const traces = readTraces(spans, { source: 'spans' });
const { model } = await learnMdp(new Abstraction(specification.abstraction), traces, specification.learning);
const guard = await loadGuard(compileGuard(specification, model));
const tools = ['look_up', 'refund', 'tell_customer'];
const session = createSession({ guard, tools, observers: [telemetry({ tracer })] });
const asked = await session.check({ id: '1', name: 'look_up', arguments: {} });
await session.ran(asked, { result: { refundable: false } });
for (const name of ['refund', 'tell_customer']) await session.check({ id: name, name, arguments: {} });
for (const { attributes: told } of exporter.getFinishedSpans().slice(-3))
  console.log(told['gen_ai.tool.name'], told['foreguard.decision'], told['foreguard.risk'].toFixed(2));
