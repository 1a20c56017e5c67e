import { readDocument } from './document.js';
import { type SpanRunOptions, SpanRuns } from './openTelemetryRuns.js';
import { spansOf } from './openTelemetrySpan.js';
import { peek } from './peek.js';
import { parseJson, type ReadOptions, readJsonValues, readOrSkip } from './reader.js';
import type { Trace } from './trace.js';

/** How spans are read, and what of them makes a run. */
export interface ReadOpenTelemetryOptions extends ReadOptions {
  /** For spans of OpenTelemetry only. */
  spans?: SpanRunOptions;
}

/**
 * Reads what agents did from the spans that frameworks emit, in OTLP's JSON encoding: an export request a line, as the collector's `file` exporter writes them, or
 * one document. Spans may come in any order, so that all lines are read before the first trace is handed out; of each span only what makes up a run is held.
 *
 * A run is an `invoke_agent` span. Its actions are the `execute_tool` spans under it, by their start, those that ran side by side too; calls below another agent are that
 * agent's, calls below another call are the tool's own affair, and calls that a guard withheld are left out. A step's state is a `ToolState`: what followed from the calls before,
 * without `lastArguments` or `lastResult` where the call before has none recorded, and with an entry in `calls` and `failures` for each tool that spans of the file call or list. The last step, after the last call, has no action. Times are seconds
 * since 1970, at which calls began; that of the last step is the end of the last call.
 *
 * `complete` is false where the agent's span ended in an error or has not ended, where a call has not ended (the trace ends with it), and where calls have no agent's span above
 * them: those make up a run for each conversation, or else for each trace. Calls below a span that is missing are those of the one agent that was at work in their trace, whose run is
 * not complete; where several were, the runs of these end before the call.
 *
 * @throws ParseError unless `skipInvalid` is set, which leaves out the line.
 * @see https://github.com/open-telemetry/semantic-conventions-genai
 */
export async function* readOpenTelemetry(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadOpenTelemetryOptions,
): AsyncGenerator<Trace[]> {
  const runs = new SpanRuns(options.spans ?? {});
  const add = (value: unknown): void => {
    // All of a line or nothing: what is wrong in it is found before the first is taken in.
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

/** One document over many lines begins with a bracket on a line of its own. */
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
