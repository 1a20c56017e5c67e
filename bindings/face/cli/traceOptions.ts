import { type Command, Option } from 'commander';
import { TRACE_FORMATS } from '../../observations/trace/index.js';

/** Options of commands that read traces, by the names of their values. */
const OPTIONS: Readonly<Record<string, () => Option>> = {
  traceFormat: () =>
    new Option('--trace-format <name>', 'the format of the traces (default: by content)').choices(
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
      'each MCAP file is a whole run and shows how it ended (default: it was cut off, and nothing follows from where it ends)',
    ),
  agents: () => new Option('--agents <names...>', 'with OpenTelemetry spans: only runs of these agents'),
  tools: () =>
    new Option(
      '--tools <names...>',
      'further tools whose counts (calls, failures) predicates read, beside those that recordings call or list: 0 if they are not called',
    ),
  conversations: () =>
    new Option(
      '--conversations',
      'with OpenTelemetry spans: a run is a conversation, not one call of the agent',
    ),
};

/** Names of the options for reading traces; they are refused if the command reads something else. */
export const READING_OPTIONS: readonly string[] = Object.keys(OPTIONS);

/** Adds the options that say how traces are read. */
export function addReadingOptions(command: Command): Command {
  for (const make of Object.values(OPTIONS)) command.addOption(make());
  return command;
}
