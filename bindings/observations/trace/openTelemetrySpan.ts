import { isObject } from '../../base/objectKind.js';
import { unexpected } from './reader.js';

/** A span of OTLP's JSON encoding; the fields that are used have been checked. */
export interface Span {
  readonly trace: string;
  readonly id: string;
  /** Id of the parent span; empty if there is none. */
  readonly parent: string;
  readonly name: string;
  /** Nanoseconds since 1970, more than a double holds. */
  readonly start: bigint;
  /** 0 if it has not ended. */
  readonly end: bigint;
  readonly failed: boolean;
  /** The value of an attribute as plain data; undefined if the span has no such attribute. */
  attribute(key: string): unknown;
  /** Likewise for the resource that emitted the span: `service.name`, … */
  resource(key: string): unknown;
}

/**
 * The spans of an `ExportTraceServiceRequest` in OTLP's JSON encoding, or of an array of them; requests with only logs or metrics have none.
 *
 * @throws TraceFault that says what was found, where in the document, and what was expected.
 * @see https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
export function* spansOf(document: unknown): Generator<Span> {
  const requests: readonly unknown[] = Array.isArray(document) ? document : [document];
  for (const request of requests) yield* spansOfRequest(request);
}

function* spansOfRequest(request: unknown): Generator<Span> {
  if (!isObject(request) || !SIGNALS.some((signal) => Object.hasOwn(request, signal)))
    throw unexpected('the export request', request, 'an object with resourceSpans, as OTLP has them in JSON');
  for (const [resource, at] of elements(request, 'resourceSpans', '')) {
    const origin = isObject(resource.resource) ? resource.resource.attributes : undefined;
    for (const [scope, inScope] of elements(resource, 'scopeSpans', at)) {
      for (const [span, place] of elements(scope, 'spans', inScope)) yield toSpan(span, origin, place);
    }
  }
}

const SIGNALS = ['resourceSpans', 'resourceLogs', 'resourceMetrics'];

/** The objects of a list that may be absent, each with its place. */
function* elements(
  parent: Readonly<Record<string, unknown>>,
  key: string,
  place: string,
): Generator<[Record<string, unknown>, string]> {
  const list = parent[key] ?? [];
  const at = place === '' ? key : `${place}.${key}`;
  if (!Array.isArray(list)) throw unexpected(at, list, 'an array');
  for (let i = 0; i < list.length; i++) {
    const element: unknown = list[i];
    if (!isObject(element)) throw unexpected(`${at}[${i}]`, element, 'an object');
    yield [element, `${at}[${i}]`];
  }
}

function toSpan(span: Readonly<Record<string, unknown>>, origin: unknown, place: string): Span {
  const { attributes, parentSpanId, name, status } = span;
  const code = isObject(status) ? status.code : undefined;
  const failed =
    code === 2 || code === 'STATUS_CODE_ERROR' || attribute(attributes, 'error.type') !== undefined;
  return {
    trace: identifier(span.traceId, `${place}.traceId`),
    id: identifier(span.spanId, `${place}.spanId`),
    parent: typeof parentSpanId === 'string' ? parentSpanId : '',
    name: typeof name === 'string' ? name : '',
    start: nanoseconds(span.startTimeUnixNano, `${place}.startTimeUnixNano`),
    end: nanoseconds(span.endTimeUnixNano ?? 0, `${place}.endTimeUnixNano`),
    failed,
    attribute: (key) => attribute(attributes, key),
    resource: (key) => attribute(origin, key),
  };
}

function identifier(found: unknown, place: string): string {
  if (typeof found === 'string' && found !== '') return found;
  throw unexpected(place, found, 'an identifier in hexadecimal digits');
}

/** A string of digits, which is how JSON carries 64-bit integers; numbers come from encoders that may lose the last digits. */
function nanoseconds(found: unknown, place: string): bigint {
  if (typeof found === 'string' && /^\d{1,20}$/.test(found)) return BigInt(found);
  if (typeof found === 'number' && Number.isInteger(found) && found >= 0) return BigInt(found);
  throw unexpected(place, found, 'nanoseconds since 1970, such as "1763800000000000000"');
}

function attribute(attributes: unknown, key: string): unknown {
  if (!Array.isArray(attributes)) return undefined;
  const found: unknown = attributes.find((entry: unknown) => isObject(entry) && entry.key === key);
  return isObject(found) ? plainValue(found.value, 0) : undefined;
}

const DEEPEST = 100;

/** OTLP's `AnyValue` as plain data; values nested deeper than any in use are left out. */
function plainValue(value: unknown, depth: number): unknown {
  if (!isObject(value) || depth > DEEPEST) return undefined;
  const { stringValue, boolValue, intValue, doubleValue, bytesValue, arrayValue, kvlistValue } = value;
  if (intValue !== undefined) {
    const whole = Number(intValue);
    return Number.isSafeInteger(whole) ? whole : String(intValue);
  }
  if (doubleValue !== undefined) return Number(doubleValue);
  const list = isObject(arrayValue) ? arrayValue.values : undefined;
  if (Array.isArray(list)) return list.map((element) => plainValue(element, depth + 1));
  const entries = isObject(kvlistValue) ? kvlistValue.values : undefined;
  if (Array.isArray(entries)) {
    return Object.fromEntries(
      entries.filter(isObject).map(({ key, value: inner }) => [String(key), plainValue(inner, depth + 1)]),
    );
  }
  return stringValue ?? boolValue ?? bytesValue;
}
