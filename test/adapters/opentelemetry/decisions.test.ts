import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as api from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { telemetry } from 'foreguard/opentelemetry';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unknownTool, verdict } from '../../unit/adapters/verdicts.js';
import { AsyncContext, recordingProvider } from './sdk.js';

beforeAll(() => void api.context.setGlobalContextManager(new AsyncContext()));
afterAll(() => {
  api.context.disable();
  api.trace.disable();
  api.metrics.disable();
});

describe('telemetry', () => {
  it('takes the real module, and its tracers and meters, for its api', () => {
    expect(telemetry({ api })).toHaveProperty('decided');
    const [tracer, meter] = [api.trace.getTracer('own'), api.metrics.getMeter('own')];
    expect(telemetry({ tracer, meter })).toHaveProperty('decided');
  });

  it('makes spans below the one that is active', () => {
    const { provider, exporter } = recordingProvider();
    const observer = telemetry({ tracer: provider.getTracer('foreguard') });
    const parent = provider.getTracer('agent').startSpan('execute_tool pay');
    api.context.with(api.trace.setSpan(api.context.active(), parent), () => {
      observer.decided?.(verdict(), 'run-1', 0.001);
      observer.decided?.(unknownTool('rm'), 'run-1', 0.001);
    });
    parent.end();
    const [allowed, stopped] = exporter.getFinishedSpans();
    for (const span of [allowed, stopped])
      expect(span.parentSpanContext?.spanId).toBe(parent.spanContext().spanId);
    expect(allowed.attributes).toMatchObject({ 'foreguard.decision': 'allow', 'foreguard.risk': 0.02 });
    expect(allowed.duration[0] + allowed.duration[1] / 1e9).toBeCloseTo(0.001, 5);
    expect(allowed.status.code).toBe(api.SpanStatusCode.UNSET);
    expect(stopped.status.code).toBe(api.SpanStatusCode.ERROR);
  });

  it('has calls that were withheld left out of what is learnt', async () => {
    const { provider, read } = recordingProvider();
    const observer = telemetry({ tracer: provider.getTracer('foreguard') });
    const tracer = provider.getTracer('agent');
    const operation = (name: string) => ({
      attributes: { 'gen_ai.operation.name': name, 'gen_ai.tool.name': 'pay' },
    });
    tracer.startActiveSpan('invoke_agent', operation('invoke_agent'), (agent) => {
      for (const run of [verdict().run, null]) {
        tracer.startActiveSpan('execute_tool pay', operation('execute_tool'), (span) => {
          observer.decided?.(verdict({ run }), 'run-1', 0);
          span.end();
        });
      }
      agent.end();
    });
    const [{ steps }] = await read();
    expect(steps.map(({ action }) => action?.name)).toEqual(['pay', undefined]);
  });

  it('is measured by the global meter of the api', async () => {
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
    const provider = new MeterProvider({ readers: [reader] });
    api.metrics.setGlobalMeterProvider(provider);
    const observer = telemetry({ api });
    observer.decided?.(verdict(), 'run-1', 2e-5);
    observer.decided?.(verdict(), 'run-1', 3e-5);
    observer.decided?.(unknownTool('rm'), 'run-1', 1e-5);
    await reader.forceFlush();
    const [{ scopeMetrics }] = exporter.getMetrics();
    const [{ scope, metrics }] = scopeMetrics;
    expect(scope.name).toBe('foreguard');
    const values = (name: string) =>
      metrics.find(({ descriptor }) => descriptor.name === name)?.dataPoints.map(({ value }) => value);
    expect(values('foreguard.decisions')).toEqual([2, 1]);
    expect(values('foreguard.faults')).toEqual([1]);
    expect(values('foreguard.risk')).toMatchObject([{ count: 2, sum: 0.04 }]);
    expect(values('foreguard.decision.duration')).toMatchObject([{ count: 2 }, { count: 1 }]);
    await provider.shutdown();
  });
});

describe('what telemetry does for each decision', () => {
  it('is one span of eleven attributes and three measurements, told once, however many decisions there are', async () => {
    const { provider, exporter } = recordingProvider();
    const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
    const reader = new PeriodicExportingMetricReader({ exporter: metrics, exportIntervalMillis: 3_600_000 });
    const meters = new MeterProvider({ readers: [reader] });
    const calls: string[] = [];
    const counted = <T extends object>(what: T): T =>
      new Proxy(what, {
        get: (target, name) => {
          const value = Reflect.get(target, name, target);
          if (typeof value !== 'function') return value;
          return (...args: unknown[]) => {
            calls.push(String(name));
            const made = value.apply(target, args);
            return typeof made === 'object' && made !== null ? counted(made) : made;
          };
        },
      });
    const observer = telemetry({
      tracer: counted(provider.getTracer('foreguard')),
      meter: counted(meters.getMeter('foreguard')),
    });
    calls.length = 0;
    for (let n = 0; n < 100; n++) {
      observer.decided?.(verdict({ number: n }), 'run-1', 1e-5);
      observer.ran?.(verdict({ number: n }), { result: n }, 'run-1');
      expect(calls.splice(0)).toEqual(['startSpan', 'end', 'add', 'record', 'record']);
    }
    const spans = exporter.getFinishedSpans();
    expect(spans.map(({ attributes }) => attributes['foreguard.number'])).toEqual([...Array(100).keys()]);
    for (const { attributes } of spans) expect(Object.keys(attributes)).toHaveLength(11);
    await reader.forceFlush();
    const [{ scopeMetrics }] = metrics.getMetrics();
    // What metrics are about does not grow with the decisions.
    const points = scopeMetrics[0].metrics.map(({ descriptor, dataPoints }) => [
      descriptor.name,
      dataPoints.length,
    ]);
    expect(Object.fromEntries(points)).toEqual({
      'foreguard.decisions': 1,
      'foreguard.decision.duration': 1,
      'foreguard.risk': 1,
    });
    await meters.shutdown();
  });

  it('keeps no verdict that nobody else keeps', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const observer = telemetry({ tracer: api.trace.getTracer('idle'), meter: api.createNoopMeter() });
    const told = Array.from({ length: 100 }, () => {
      const one = verdict();
      observer.decided?.(one, 'run-1', 1e-5);
      return new WeakRef(one);
    });
    // What a weak reference was made of or read of is kept until the event loop goes on.
    await expect
      .poll(
        () => {
          collect();
          return told.filter((one) => one.deref() !== undefined).length;
        },
        { interval: 1 },
      )
      .toBeLessThan(10);
    observer.decided?.(verdict(), 'run-1', 1e-5);
  });
});
