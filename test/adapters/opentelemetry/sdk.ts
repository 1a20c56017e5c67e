import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, type ContextManager, ROOT_CONTEXT } from '@opentelemetry/api';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { readTraces, type Trace, type TraceNote } from 'foreguard';

/** Keeps the active span across awaits, as the SDK for Node does. */
export class AsyncContext implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>();

  active(): Context {
    return this.#storage.getStore() ?? ROOT_CONTEXT;
  }

  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    context: Context,
    run: F,
    thisArg?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return this.#storage.run(context, () => run.apply(thisArg, args));
  }

  bind<T>(_: Context, target: T): T {
    return target;
  }

  enable(): this {
    return this;
  }

  disable(): this {
    this.#storage.disable();
    return this;
  }
}

/** A tracer whose spans are recorded, and what is read of them once they are exported as OTLP's JSON, one request a span. */
export function recordingProvider() {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  return {
    provider,
    exporter,
    async read(notes: TraceNote[] = []): Promise<Trace[]> {
      const requests = exporter
        .getFinishedSpans()
        .map((span) => JsonTraceSerializer.serializeRequest([span]));
      async function* lines() {
        for (const request of requests) {
          if (request !== undefined) yield request;
          yield new TextEncoder().encode('\n');
        }
      }
      const traces: Trace[] = [];
      const options = { source: 'spans', onNote: (note: TraceNote) => void notes.push(note) };
      for await (const trace of readTraces(lines(), options)) traces.push(trace);
      return traces;
    },
  };
}
