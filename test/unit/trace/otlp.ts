/** A span to be written in OTLP's JSON; times are seconds after `START`, an `end` of null has not come. */
export interface SpanSketch {
  readonly id: string;
  readonly parent?: string;
  readonly trace?: string;
  readonly name?: string;
  readonly start?: number;
  readonly end?: number | null;
  readonly failed?: boolean;
  readonly attributes?: Readonly<Record<string, unknown>>;
}

/** Seconds since 1970 of time 0. */
export const START = 1_763_800_000;

/** An export request with these spans, of a resource with these attributes. */
export function exportRequest(
  spans: readonly SpanSketch[],
  resource: Readonly<Record<string, unknown>> = { 'service.name': 'shop' },
): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributes(resource) },
        scopeSpans: [{ scope: { name: 'test' }, spans: spans.map(written) }],
      },
    ],
  };
}

export const agent = (sketch: SpanSketch): SpanSketch => ({
  ...sketch,
  attributes: { 'gen_ai.operation.name': 'invoke_agent', ...sketch.attributes },
});

/** A call; arguments and result as JSON text, as most emit them. */
export const call = (
  tool: string,
  sketch: SpanSketch & { readonly given?: unknown; readonly result?: unknown },
): SpanSketch => ({
  ...sketch,
  name: `execute_tool ${tool}`,
  attributes: {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool,
    ...(sketch.given !== undefined && { 'gen_ai.tool.call.arguments': JSON.stringify(sketch.given) }),
    ...(sketch.result !== undefined && { 'gen_ai.tool.call.result': JSON.stringify(sketch.result) }),
    ...sketch.attributes,
  },
});

function written(sketch: SpanSketch): object {
  const { id, parent = '', trace = 'a1', name = 'span', start = 0, end = start + 1, failed = false } = sketch;
  return {
    traceId: trace,
    spanId: id,
    ...(parent !== '' && { parentSpanId: parent }),
    name,
    kind: 1,
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: end === null ? '0' : nanoseconds(end),
    attributes: attributes(sketch.attributes ?? {}),
    status: failed ? { code: 2, message: 'failed' } : {},
  };
}

function nanoseconds(seconds: number): string {
  return String(BigInt(START) * 1_000_000_000n + BigInt(Math.round(seconds * 1e9)));
}

function attributes(values: Readonly<Record<string, unknown>>): object[] {
  return Object.entries(values).map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value: unknown): object {
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'object')
    return { kvlistValue: { values: attributes(value as Record<string, unknown>) } };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
