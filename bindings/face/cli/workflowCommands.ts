import { type Command, Option } from 'commander';
import type { Actions } from './terminal.js';
import { addReadingOptions } from './traceOptions.js';

/** Adds `foreguard workflow`. @param json creates the option --json */
export function addWorkflowCommands(
  program: Command,
  action: Actions<typeof import('./workflow/commands.js')>,
  json: () => Option,
): void {
  const workflow = program
    .command('workflow')
    .description(
      'Plans of agents, which are proved before their first call, and the contracts of tools that they are proved from.',
    );
  addReadingOptions(
    workflow
      .command('contracts')
      .description(
        'Checks contracts of tools: with --traces also how often recorded calls break them, and with a server after -- whether its tools are those that are pinned. --draft writes contracts of the tools of a server, or of a list. Exit code 0: nothing differs; 1: recorded calls break them, or a tool is not as pinned; 2: bad usage, or contracts that cannot be read.',
      )
      .usage('[options] [-- command arguments]')
      .argument(
        '[command...]',
        'a server of the Model Context Protocol: a command that serves its standard input, after --',
      )
      .option('-c, --contracts <file>', 'contracts, YAML or JSON')
      .addOption(new Option('-t, --traces <files...>', 'runs, in any format that learn reads'))
      .option(
        '--draft [file]',
        'draft contracts: of the tools of a file, as a server answers to tools/list, or of the server after --',
      )
      .option('-o, --output <file>', 'where the draft goes (default: standard output)')
      .option('--force', 'write over the file if it exists')
      .option('--skip-invalid', 'leave out traces that cannot be read'),
  )
    .addOption(json())
    .action((command: string[], options) =>
      action((commands) => commands.workflowContracts)({ ...options, command }),
    );
}
