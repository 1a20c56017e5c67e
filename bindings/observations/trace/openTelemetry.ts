import { readDocument } from './document.js';
import { type SpanRunOptions, SpanRuns } from './openTelemetryRuns.js';
import { spansOf } from './openTelemetrySpan.js';
import { peek } from './peek.js';
import { parseJson, type ReadOptions, readJsonValues, readOrSkip } from './reader.js';
import type { Trace } from './trace.js';

/** Options for reading spans, and for grouping them into runs. */
export interface ReadOpenTelemetryOptions extends ReadOptions {
  /** For OpenTelemetry spans only. */
  spans?: SpanRunOptions;
}

/**
 * Reads runs of agents from the spans that frameworks emit, in OTLP's JSON encoding: one export request per line, as the collector's `file`
 * exporter writes them, or one document. Spans may come in any order, so all lines are read before the first trace is returned; only the
 * parts of a span that make up a run are kept.
 *
 * A run is an `invoke_agent` span. Its actions are the `execute_tool` spans under it, ordered by start, including those that ran in
 * parallel. Calls below another agent belong to that agent; calls below another call are internal to the tool and are ignored; calls that a
 * guard withheld are left out. A step's state is a `ToolState`: the result of the calls before it, without `lastArguments` or `lastResult`
 * if the previous call recorded none, and with an entry in `calls` and `failures` for each tool that spans of the file call or list. The
 * last step, after the last call, has no action. Times are the starts of the calls in seconds since 1970; the time of the last step is the
 * end of the last call.
 *
 * `complete` is false where the agent's span ended in an error or has not ended, where a call has not ended (the trace ends with it), and where calls have no agent's span above
 * them: those make up a run for each conversation, or else for each trace. Calls below a span that is missing are those of the one agent that was at work in their trace, whose run is
 * not complete; where several were, the runs of these end before the call.
 *
 * @throws ParseError unless `skipInvalid` is set, which skips the line.
 * @see https://github.com/open-telemetry/semantic-conventions-genai
 */
export async function* readOpenTelemetry(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadOpenTelemetryOptions,
): AsyncGenerator<Trace[]> {
  const runs = new SpanRuns(options.spans ?? {});
  const add = (value: unknown): void => {
    // A line is taken as a whole or not at all: faults are found before its first span is added.
    for (const span of [...spansOf(value)]) runs.add(span);
  };
  const { start, all } = await peek(chunks, FIRST_LINE_BYTES);
  if (IS_SPREAD_OUT.test(new TextDecoder().decode(start))) {
    const text = await readDocument(all, options);
    readOrSkip(
      () => {
        if (typeof text !== 'string') throw text;
        add(parseJson(text.replace(/^\ufeff/, '')));
      },
      1,
      options,
    );
  } else {
    for await (const _ of readJsonValues(all, options, add));
  }
  const traces = runs.traces();
  for (const message of notes(runs.counts)) options.onNote?.({ source: options.source, message });
  for (let from = 0; from < traces.length; from += BATCH) yield traces.slice(from, from + BATCH);
}

/** A document over many lines begins with a bracket on a line of its own. */
const IS_SPREAD_OUT = /^\ufeff?\s*[[{][ \t\r]*\n/;
const FIRST_LINE_BYTES = 256;
const BATCH = 256;

function notes({
  calls,
  withoutAgent,
  reattached,
  withoutArguments,
  withoutResult,
  overlapping,
}: SpanRuns['counts']): string[] {
  const of = (count: number): string => `${count} of ${calls} tool calls`;
  return [
    ...(withoutAgent > 0
      ? [
          `${of(withoutAgent)} have no invoke_agent span above them: a run for each conversation or trace, not complete`,
        ]
      : []),
    ...(reattached > 0
      ? [
          `${of(reattached)} are below a span that is missing: taken for calls of the agent that was at work in their trace, whose run is not complete`,
        ]
      : []),
    ...(withoutArguments > 0
      ? [
          `${of(withoutArguments)} have no arguments recorded: action.arguments and, after them, lastArguments are left out`,
        ]
      : []),
    ...(withoutResult > 0
      ? [`${of(withoutResult)} have no result recorded: lastResult is left out after them`]
      : []),
    ...(overlapping > 0
      ? [
          `${of(overlapping)} began before an earlier one had ended, or at the same tick of the clock as one: taken one after the other, by their start`,
        ]
      : []),
  ];
}
