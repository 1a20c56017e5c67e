/** The supported trace formats: JSON lines, recordings of benchmarks, Apollo and MCAP, and OpenTelemetry spans. `readTraces.ts` has a reader for each. */
export const TRACE_FORMATS = ['jsonl', 'safeagentbench', 'tau-bench', 'apollo', 'mcap', 'otel'] as const;

/** A trace format. */
export type TraceFormat = (typeof TRACE_FORMATS)[number];

/**
 * Detects the format of a file from its first bytes:
 * - MCAP's magic bytes: MCAP;
 * - an object, or an array whose first element is one, with `resourceSpans`, `resourceLogs` or `resourceMetrics`: OpenTelemetry;
 * - an array whose first element has a `task_id` or a `traj`: tau-bench;
 * - an object, or such an element, with a `ScenarioName` or a `trace`: a recording of Apollo;
 * - an object with `intermediate_steps`, `input` or `step` but without `steps` and `id`: SafeAgentBench;
 * - anything else: JSON lines, whose reader gives the best error message.
 *
 * @param start the first bytes, cut anywhere; 64 KB suffice for all known files.
 */
export function detectTraceFormat(start: Uint8Array | string): TraceFormat {
  if (MCAP_MAGIC.every((byte, i) => start[i] === byte)) return 'mcap';
  const text = (typeof start === 'string' ? start : new TextDecoder().decode(start)).replace(
    /^\ufeff?\s*/,
    '',
  );
  if (text.startsWith('[')) {
    const element = keysOfFirstObject(text.slice(1).trimStart());
    if (isOtlp(element)) return 'otel';
    if (element.has('task_id') || element.has('traj')) return 'tau-bench';
    return isApollo(element) ? 'apollo' : 'jsonl';
  }
  const keys = keysOfFirstObject(text);
  if (isOtlp(keys)) return 'otel';
  if (keys.has('steps') || keys.has('id')) return 'jsonl';
  if (isApollo(keys)) return 'apollo';
  return keys.has('intermediate_steps') || keys.has('input') || keys.has('step') ? 'safeagentbench' : 'jsonl';
}

const MCAP_MAGIC = [0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 0x0d, 0x0a];

/** A file may begin with a signal other than spans. */
function isOtlp(keys: ReadonlySet<string>): boolean {
  return keys.has('resourceSpans') || keys.has('resourceLogs') || keys.has('resourceMetrics');
}

function isApollo(keys: ReadonlySet<string>): boolean {
  return keys.has('ScenarioName') || keys.has('trace');
}

/** Strings, with the colon that makes them keys, and brackets: enough to follow the nesting. */
const TOKEN = /"((?:[^"\\]|\\.)*)"(\s*:)?|[{}[\]]/gs;

function keysOfFirstObject(text: string): Set<string> {
  const keys = new Set<string>();
  if (!text.startsWith('{')) return keys;
  let depth = 0;
  for (const [token, string, colon] of text.matchAll(TOKEN)) {
    if (string !== undefined) {
      if (depth === 1 && colon !== undefined) keys.add(string);
    } else {
      depth += token === '{' || token === '[' ? 1 : -1;
      if (depth === 0) break;
    }
  }
  return keys;
}
