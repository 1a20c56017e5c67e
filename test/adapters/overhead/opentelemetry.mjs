import * as api from '@opentelemetry/api';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { createSession } from 'foreguard/enforce';
import { telemetry } from 'foreguard/opentelemetry';
import { guardTools } from 'foreguard/plain';
import { mailShield } from '../shared/mail.ts';

/** What telemetry adds to a guarded call, whose one decision it tells. */
const told =
  (destination) =>
  async ({ session, tool, input, state }) => {
    const observers = [telemetry(destination())];
    const observed = createSession({ guard: await mailShield(), state, tools: ['search'], observers });
    const [silent, loud] = [session, observed].map((one) => guardTools(one, { search: tool }).search);
    return { without: () => silent(input), within: () => loud(input) };
  };

export const overheads = {
  'telemetry, no SDK': told(() => ({ tracer: api.trace.getTracer('idle'), meter: api.createNoopMeter() })),
  'telemetry, recorded': told(() => {
    const spanProcessors = [new SimpleSpanProcessor(new InMemorySpanExporter())];
    const provider = new BasicTracerProvider({ spanProcessors });
    return { tracer: provider.getTracer('foreguard'), meter: new MeterProvider().getMeter('foreguard') };
  }),
};
