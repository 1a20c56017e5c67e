import { type Command, Option } from 'commander';
import { TRACE_FORMATS } from '../../observations/trace/index.js';

/** Options of commands that read traces, by the names of their values. */
const OPTIONS: Readonly<Record<string, () => Option>> = {
  traceFormat: () =>
    new Option('--trace-format <name>', 'how traces are written (default: by content)').choices(
      TRACE_FORMATS,
    ),
  topics: () =>
    new Option(
      '--topics <topics...>',
      'topics of an MCAP file: /vehicle/state=ego is ego.speed in predicates, /vehicle/state alone is speed',
    ),
  complete: () =>
    new Option(
      '--complete',
      'each MCAP file is a whole run, which shows how it ended (default: it was cut, and nothing follows from where it ends)',
    ),
  agents: () => new Option('--agents <names...>', 'of spans of OpenTelemetry: only runs of these agents'),
  tools: () =>
    new Option(
      '--tools <names...>',
      'tools beside those that recordings call or list, whose counts (calls, failures) predicates read: 0 where they are not called',
    ),
  conversations: () =>
    new Option('--conversations', 'of spans: a run is a conversation, not one call of the agent'),
};

/** Names of the options for reading traces; they are refused if the command reads something else. */
export const READING_OPTIONS: readonly string[] = Object.keys(OPTIONS);

/** Adds the options that say how traces are read. */
export function addReadingOptions(command: Command): Command {
  for (const make of Object.values(OPTIONS)) command.addOption(make());
  return command;
}
