import * as api from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { telemetry } from 'foreguard/opentelemetry';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processorTime } from '../../processorTime.js';
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

describe('what telemetry costs', () => {
  /** Microseconds of processor time a decision, at best: other work on the machine does not count. */
  const least = (observer: ReturnType<typeof telemetry>): number => {
    const told = verdict();
    const decide = () => {
      for (let i = 0; i < 1000; i++) observer.decided?.(told, 'run-1', 1e-5);
    };
    return Math.min(...Array.from({ length: 7 }, () => processorTime(decide)));
  };

  it('is at most 50 µs a decision, with an api that does nothing and with an SDK that records', () => {
    const { provider } = recordingProvider();
    const meter = new MeterProvider().getMeter('foreguard');
    const idle = least(telemetry({ tracer: api.trace.getTracer('idle'), meter: api.createNoopMeter() }));
    const recording = least(telemetry({ tracer: provider.getTracer('foreguard'), meter }));
    console.info(
      `telemetry: ${idle.toFixed(2)} µs a decision without an SDK, ${recording.toFixed(2)} µs recorded`,
    );
    expect(idle).toBeLessThan(50);
    expect(recording).toBeLessThan(50);
  });
});
