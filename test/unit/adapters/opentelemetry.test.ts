import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../../bindings/base/errors.js';
import {
  type InstrumentMaker,
  type SpanStarter,
  type TelemetryAttributes,
  telemetry,
} from '../../../bindings/runtime/adapters/opentelemetry.js';
import { unknownTool, verdict } from './verdicts.js';

interface Told {
  readonly name: string;
  readonly attributes: TelemetryAttributes;
  readonly seconds: number;
  status: number;
}

/** A tracer that remembers what spans it started. */
function recordingTracer(): { tracer: SpanStarter; spans: Told[] } {
  const spans: Told[] = [];
  const tracer: SpanStarter = {
    startSpan(name, { startTime = Number.NaN, attributes = {} } = {}) {
      let status = 0;
      return {
        setStatus: ({ code }) => (status = code),
        end: (time = Number.NaN) =>
          void spans.push({ name, attributes, seconds: (time - startTime) / 1000, status }),
      };
    },
  };
  return { tracer, spans };
}

/** A meter that remembers what it measured, by instrument. */
function recordingMeter(): {
  meter: InstrumentMaker;
  measured: Map<string, [number, TelemetryAttributes][]>;
} {
  const measured = new Map<string, [number, TelemetryAttributes][]>();
  const instrument = (name: string) => {
    const values: [number, TelemetryAttributes][] = [];
    measured.set(name, values);
    return (value: number, attributes: TelemetryAttributes = {}): void =>
      void values.push([value, attributes]);
  };
  const meter: InstrumentMaker = {
    createCounter: (name) => ({ add: instrument(name) }),
    createHistogram: (name) => ({ record: instrument(name) }),
  };
  return { meter, measured };
}

describe('telemetry', () => {
  it('says who is asking in spans if it is told, and not in measurements', () => {
    const { tracer, spans } = recordingTracer();
    const { meter, measured } = recordingMeter();
    const principal = { id: 'ada', roles: ['admin'], email: 'ada@home.example' };
    telemetry({ tracer, meter, principal }).decided?.(verdict(), 'run-1', 0.25);
    expect(spans[0].attributes).toMatchObject({ 'user.id': 'ada', 'user.roles': ['admin'] });
    expect(JSON.stringify([spans, [...measured]])).not.toContain('home.example');
    expect(JSON.stringify([...measured])).not.toContain('ada');
    telemetry({ tracer }).decided?.(verdict(), 'run-1', 0.25);
    expect(Object.keys(spans[1].attributes).filter((name) => name.startsWith('user'))).toEqual([]);
  });

  it('makes a span of each decision, as long as deciding took, without arguments', () => {
    const { tracer, spans } = recordingTracer();
    telemetry({ tracer }).decided?.(verdict(), 'run-1', 0.25);
    expect(spans).toEqual([
      {
        name: 'foreguard decide',
        seconds: 0.25,
        status: 0,
        attributes: {
          'foreguard.decision': 'allow',
          'foreguard.reason': 'below-threshold',
          'foreguard.rule': 'paysOnce',
          'foreguard.run': 'run-1',
          'foreguard.number': 3,
          'foreguard.runs': 'pay',
          'foreguard.risk': 0.02,
          'foreguard.lower': 0.01,
          'foreguard.upper': 0.02,
          'gen_ai.tool.name': 'pay',
          'gen_ai.tool.call.id': 'c1',
        },
      },
    ]);
    expect(JSON.stringify(spans)).not.toContain('secret');
  });

  it('says what runs instead, and in shadow mode what would have been decided', () => {
    const { tracer, spans } = recordingTracer();
    const observer = telemetry({ tracer });
    const hold = { id: 'c1', name: 'hold', arguments: {} };
    observer.decided?.(verdict({ decision: 'replace', wouldDecide: 'replace', run: hold }), 'r', 0);
    observer.decided?.(verdict({ decision: 'block', wouldDecide: 'block', run: null }), 'r', 0);
    observer.decided?.(verdict({ decision: 'report', wouldDecide: 'stop' }), 'r', 0);
    expect(
      spans.map(({ attributes }) => [attributes['foreguard.runs'], attributes['foreguard.would_decide']]),
    ).toEqual([
      ['hold', undefined],
      ['', undefined],
      ['pay', 'stop'],
    ]);
  });

  it('marks decisions that a fault made as errors, and no others', () => {
    const { tracer, spans } = recordingTracer();
    const observer = telemetry({ tracer });
    observer.decided?.(unknownTool('rm'), 'r', 0);
    observer.decided?.(verdict({ reason: 'predicate-failed', decision: 'stop' }, { risk: 1 }), 'r', 0);
    observer.decided?.(verdict({ reason: 'refused', decision: 'block' }), 'r', 0);
    expect(spans.map(({ status, attributes }) => [status, attributes['error.type']])).toEqual([
      [2, 'unknown-tool'],
      [2, 'predicate-failed'],
      [0, undefined],
    ]);
    expect(spans[0].attributes).not.toHaveProperty('foreguard.risk');
  });

  it('tells, once a call has run, that a person approved it', () => {
    const { tracer, spans } = recordingTracer();
    const observer = telemetry({ tracer });
    const approved = verdict({ reason: 'approved' });
    observer.ran?.(verdict(), { result: 1 }, 'r');
    observer.ran?.(approved, { result: 1 }, 'r');
    observer.decided?.(approved, 'r', 0);
    observer.ran?.(approved, { result: 1 }, 'r');
    expect(
      spans.map(({ attributes }) => [attributes['foreguard.reason'], attributes['foreguard.runs']]),
    ).toEqual([
      ['approved', 'pay'],
      ['approved', 'pay'],
    ]);
  });

  it('bears calls that are none', () => {
    const { tracer, spans } = recordingTracer();
    const { meter } = recordingMeter();
    const observer = telemetry({ tracer, meter });
    for (const call of [undefined, null, { name: 7, id: {} }, { name: 'x'.repeat(10_000) }])
      observer.decided?.({ ...unknownTool('rm'), call: call as never }, 'r', 0);
    expect(spans.map(({ attributes }) => String(attributes['gen_ai.tool.name']).length)).toEqual([
      9, 9, 1, 1000,
    ]);
  });

  it('counts decisions and faults, and measures durations and risks', () => {
    const { meter, measured } = recordingMeter();
    const observer = telemetry({ meter });
    observer.decided?.(verdict(), 'r', 2e-5);
    observer.decided?.(unknownTool('rm -rf /'), 'r', 1e-5);
    observer.decided?.(verdict({ reason: 'reactive-rule', rule: '@pay' }, null), 'r', 1e-5);
    expect(Object.fromEntries(measured)).toEqual({
      'foreguard.decisions': [
        [1, { 'foreguard.decision': 'allow', 'foreguard.rule': 'paysOnce', 'gen_ai.tool.name': 'pay' }],
        [1, { 'foreguard.decision': 'stop', 'foreguard.rule': '', 'gen_ai.tool.name': '_OTHER' }],
        [1, { 'foreguard.decision': 'allow', 'foreguard.rule': '@pay', 'gen_ai.tool.name': 'pay' }],
      ],
      'foreguard.faults': [[1, { 'error.type': 'unknown-tool' }]],
      'foreguard.decision.duration': [
        [2e-5, { 'foreguard.decision': 'allow' }],
        [1e-5, { 'foreguard.decision': 'stop' }],
        [1e-5, { 'foreguard.decision': 'allow' }],
      ],
      'foreguard.risk': [[0.02, { 'foreguard.rule': 'paysOnce' }]],
    });
  });

  it('takes tracer and meter of the api, where no others are given', () => {
    const given = recordingTracer();
    const { tracer, spans } = recordingTracer();
    const { meter, measured } = recordingMeter();
    const names: string[] = [];
    const named =
      <T>(what: T) =>
      (name: string): T => {
        names.push(name);
        return what;
      };
    const api = { trace: { getTracer: named(tracer) }, metrics: { getMeter: named(meter) } };
    telemetry({ api }).decided?.(verdict(), 'r', 0);
    telemetry({ api, tracer: given.tracer }).decided?.(verdict(), 'r', 0);
    expect(names).toEqual(['foreguard', 'foreguard', 'foreguard']);
    expect([spans.length, given.spans.length]).toEqual([1, 1]);
    expect(measured.get('foreguard.decisions')).toHaveLength(1);
  });

  it('is refused where there is nobody to tell', () => {
    expect(() => telemetry({})).toThrow(InvalidArgumentError);
    expect(() => telemetry({})).toThrow('give it api: the module @opentelemetry/api');
  });
});
