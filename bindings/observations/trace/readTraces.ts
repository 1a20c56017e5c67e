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

/** How traces are read, and in which format. */
export interface ReadTracesOptions
  extends ReadApolloOptions,
    ReadMcapOptions,
    ReadOpenTelemetryOptions,
    ReadTauBenchOptions {
  /** Default: what the content looks like (see detectTraceFormat). */
  format?: TraceFormat;
  /**
   * Tools that `calls` and `failures` of every state have an entry for, 0 where it has none: recordings, whatever their format, know only the tools that they
   * call. Default: none. Where no state counts calls, that is noted.
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

/** Enough to see which format it is. */
const START_BYTES = 1 << 16;

/**
 * Reads traces one by one, in the order of the file and in constant memory (JSON lines; see the readers for the other formats).
 *
 * @param chunks the file's bytes, in chunks of any size, plain or compressed with gzip.
 * @throws ParseError with file, line and column at the first trace that cannot be read, unless `skipInvalid` is set.
 * @throws InvalidDataError when gzip data is damaged.
 * @throws InvalidArgumentError for an unknown format, a limit out of range, or an option that says nothing of this format: `topics` and `complete` are of MCAP,
 * `agents` and `runs` of spans.
 */
export async function* readTraces(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadTracesOptions,
): AsyncGenerator<Trace> {
  for await (const batch of readTraceBatches(chunks, options)) yield* batch;
}

/** The same in batches of at least one trace: where traces are short, an asynchronous step each would cost more than parsing. */
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

/** @throws InvalidArgumentError where an option would be ignored without a word, because it is of another format. */
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
