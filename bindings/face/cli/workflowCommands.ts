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
      'Plans of agents, which are proved before their first call, and the contracts of tools that they are proved from: verify, explain, run, lower, schema, contracts.',
    );
  const planned = (command: Command): Command =>
    command
      .argument('<plan>', 'a plan: JSON in either form, or code (.js, .mjs, .ts)')
      .requiredOption('-c, --contracts <file>', 'contracts, YAML or JSON');
  const proving = (command: Command): Command =>
    planned(command)
      .option(
        '--goal <file>',
        'what the user wants of stores: JSON such as {"removed": {"files": ["a.txt"]}, "unchanged": "rest"}',
      )
      .option('--inputs <file>', 'inputs whose values are known: JSON')
      .addOption(
        new Option(
          '--label <trust>',
          'untrusted: the author of the plan has seen data, so values that it writes itself are not trusted',
        )
          .choices(['trusted', 'untrusted'])
          .default('trusted'),
      )
      .option('--words <text>', 'with --label untrusted: the words of the user, which the author may repeat');
  proving(
    workflow
      .command('verify')
      .description(
        'Proves that a plan keeps to contracts in every run. Exit code 0: proved, perhaps but for calls that a person must approve, which are named; 1: refuted, by a run that was executed; 2: bad usage, or a file that cannot be read; 3: neither.',
      ),
  )
    .addOption(json())
    .action((plan: string, options) => action((commands) => commands.workflowVerify)({ ...options, plan }));
  proving(
    workflow
      .command('explain')
      .description(
        'Says in words what a plan does, from its calls and not from its notes, with what is proved and assumed. Exit code 0 whatever is proved; 2: bad usage.',
      ),
  )
    .option('--dot', 'write a graph for Graphviz in place of words')
    .option('--svg', 'write a picture in place of words')
    .option('--code', 'write the plan as code in place of words')
    .addOption(json())
    .action((plan: string, options) => action((commands) => commands.workflowExplain)({ ...options, plan }));
  proving(
    workflow
      .command('run')
      .description(
        'Proves a plan, and runs it with the tools of a server of the Model Context Protocol, whose command follows --. What is not proved, or a server whose tools are not as pinned, runs nothing. Questions are asked at the terminal. Exit code 0: it came to its end; 1: refuted, or not as pinned; 2: bad usage, or a file that cannot be read; 3: not proved, or stopped.',
      )
      .usage('[options] <plan> -- command arguments'),
  )
    .argument('[command...]', 'the server: a command that serves its standard input, after --')
    .option('-g, --guard <file>', 'a guard that judges each call, as compile writes it')
    .option('-s, --spec <file>', 'a specification whose rules judge each call, without a model')
    .option('-m, --model <model>', 'who answers ask steps: URL#NAME of a language model, or recorded:FILE')
    .option('--key-variable <name>', 'the variable of the environment with its key', 'FOREGUARD_MODEL_KEY')
    .option('--log <file>', 'an audit log of all decisions')
    .option(
      '--head-file <file>',
      'where the head of the log is kept, so that a missing end is noticed: a place where the writer of the log cannot write',
    )
    .option('--results <folder>', 'keeps records and results, so that the run goes on after a crash')
    .option('--run <id>', 'the run of --results to go on with, or the name of a new one')
    .option(
      '--settle <call=what...>',
      'what became of a call that ran at the crash: CALL=again (make it), CALL=failed, or CALL= and its result as JSON',
    )
    .addOption(json())
    .action((plan: string, command: string[], options) =>
      action((commands) => commands.workflowRun)({ ...options, plan, command }),
    );
  planned(
    workflow
      .command('lower')
      .description('Reads a plan that is written as code, and writes it as JSON. The code is never run.'),
  )
    .option('--flat', 'write blocks of steps, as models do, in place of steps within steps')
    .addOption(json())
    .action((plan: string, options) => action((commands) => commands.workflowLower)({ ...options, plan }));
  workflow
    .command('schema')
    .description('Writes the JSON schema of plans over these tools, for structured output of a model.')
    .requiredOption('-c, --contracts <file>', 'contracts, YAML or JSON')
    .addOption(
      new Option(
        '--form <form>',
        'how plans are written: as blocks, as steps within steps, or as code (with --prompt)',
      )
        .choices(['flat', 'nested', 'code'])
        .default('flat'),
    )
    .addOption(
      new Option(
        '--dialect <dialect>',
        'the part of JSON Schema that the model takes (default: json-schema; not with --prompt)',
      ).choices(['json-schema', 'openai-strict', 'gemini']),
    )
    .option('--prompt', 'write the text for models that have no structured output')
    .addOption(json())
    .action((options) => action((commands) => commands.workflowSchema)(options));
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
