import { InvalidArgumentError } from '../../base/errors.js';
import { type ReadApolloOptions, readApollo } from './apollo.js';
import { DeclaredTools } from './declaredTools.js';
import { gunzipped } from './gunzip.js';
import { readJsonLines } from './jsonLines.js';
import { type ReadMcapOptions, readMcap } from './mcap.js';
import { type ReadOpenTelemetryOptions, readOpenTelemetry } from './openTelemetry.js';
import { peek } from './peek.js';
import { readSafeAgentBench } from './safeAgentBench.js';
import { type ReadTauBenchOptions, readTauBench } from './tauBench.js';
import type { Trace } from './trace.js';
import { detectTraceFormat, TRACE_FORMATS, type TraceFormat } from './traceFormat.js';

/** Options of `readTraces`: those of all formats, and the format. */
export interface ReadTracesOptions
  extends ReadApolloOptions,
    ReadMcapOptions,
    ReadOpenTelemetryOptions,
    ReadTauBenchOptions {
  /** Default: detected from the content (see `detectTraceFormat`). */
  format?: TraceFormat;
  /**
   * Tools for which `calls` and `failures` of every state get an entry, 0 if absent: a recording of any format knows only the tools that it
   * calls. Default: none. If no state counts calls, a note says so.
   */
  tools?: readonly string[];
}

const READERS: Readonly<
  Record<
    TraceFormat,
    (chunks: AsyncIterable<Uint8Array>, options: ReadTracesOptions) => AsyncGenerator<Trace[]>
  >
> = {
  jsonl: readJsonLines,
  safeagentbench: readSafeAgentBench,
  'tau-bench': readTauBench,
  apollo: readApollo,
  mcap: readMcap,
  otel: readOpenTelemetry,
};

/** Enough bytes to detect the format. */
const START_BYTES = 1 << 16;

/**
 * Reads traces one by one, in the order of the file and in constant memory (JSON lines; see the readers for the other formats).
 *
 * @param chunks the file's bytes, in chunks of any size, plain or compressed with gzip.
 * @throws ParseError with file, line and column at the first trace that cannot be read, unless `skipInvalid` is set.
 * @throws InvalidDataError when gzip data is damaged.
 * @throws InvalidArgumentError for an unknown format, a limit out of range, or an option that does not apply to this format: `topics` and
 * `complete` are for MCAP, `agents` and `runs` for spans.
 */
export async function* readTraces(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadTracesOptions,
): AsyncGenerator<Trace> {
  for await (const batch of readTraceBatches(chunks, options)) yield* batch;
}

/** Like `readTraces`, in batches of at least one trace: for short traces, one asynchronous step per trace would cost more than parsing. */
export async function* readTraceBatches(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadTracesOptions,
): AsyncGenerator<Trace[]> {
  if (options.format !== undefined && !TRACE_FORMATS.includes(options.format)) {
    throw new InvalidArgumentError(
      `unknown trace format "${options.format}"; known are ${TRACE_FORMATS.join(', ')}`,
    );
  }
  const { start, all } = await peek(gunzipped(chunks, options.source), START_BYTES);
  const format = options.format ?? detectTraceFormat(start);
  requireFitting(options, format);
  const { tools = [] } = options;
  const batches = READERS[format](all, options);
  if (tools.length === 0) {
    yield* batches;
    return;
  }
  const declared = new DeclaredTools(tools);
  for await (const batch of batches) yield batch.map((trace) => declared.addTo(trace));
  if (declared.counting) return;
  const message = `no state of ${options.source} counts calls of tools, in calls or failures: declaring ${tools.join(', ')} changes nothing`;
  options.onNote?.({ source: options.source, message });
}

/** @throws InvalidArgumentError if an option belongs to another format and would be silently ignored. */
function requireFitting(
  { source, complete, topics = {}, spans = {} }: ReadTracesOptions,
  format: TraceFormat,
): void {
  const refuse = (whose: string, option: string, of: string): never => {
    throw new InvalidArgumentError(
      `${source} is in the format ${format}, whose traces ${whose}; ${option} of ${of}: leave it out, or read these apart`,
    );
  };
  if (format !== 'mcap') {
    if (complete)
      refuse('tell themselves whether they are complete', 'complete (--complete) is', 'MCAP files');
    if (Object.keys(topics).length > 0) refuse('have no topics', 'topics (--topics) are', 'MCAP files');
  }
  if (format !== 'otel') {
    if (spans.agents !== undefined)
      refuse('have no spans of agents', 'agents (--agents) are', 'spans of OpenTelemetry');
    if (spans.runs === 'conversation')
      refuse('are runs already', 'runs by conversation (--conversations) are', 'spans of OpenTelemetry');
  }
}
