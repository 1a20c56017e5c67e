import type { Command, Option } from 'commander';
import type { Actions } from '../terminal.js';
import { addReadingOptions } from '../traceOptions.js';

/** Adds `init`. @param json creates the option --json */
export function addInitCommand(
  program: Command,
  action: Actions<typeof import('../enforcement.js')>,
  json: () => Option,
): void {
  addReadingOptions(
    program
      .command('init')
      .description(
        'Drafts a specification from the tools of a server of the Model Context Protocol, which it starts, from JSON Schemas, from tools of the AI SDK, or from recordings: tools with typed arguments, rules for tools that delete, pay, send and write, predicates to choose from, and tests. Never writes over a file without --force.',
      )
      .usage('[options] -- command arguments')
      .argument(
        '[command...]',
        'a server of the Model Context Protocol: a command that serves its standard input, after --',
      )
      .option(
        '--schemas <file>',
        'JSON Schemas of tools: as MCP lists them, as OpenAI or Anthropic take them, or by name',
      )
      .option('--ai-sdk <module>', 'a module that exports tools of the Vercel AI SDK; it is run')
      .option(
        '-t, --traces <files...>',
        'recordings: fields, ranges and constants, and the tools that were called',
      )
      .option('-o, --output <file>', 'the specification to write (default: foreguard.yaml)')
      .option('--force', 'write over the file if it exists'),
  )
    .addOption(json())
    .action((command: string[], options) => action((commands) => commands.init)({ ...options, command }));
}
