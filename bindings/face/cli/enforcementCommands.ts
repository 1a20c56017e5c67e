import { type Command, Option } from 'commander';
import { MODEL_KEY } from './modelKey.js';
import type { Actions } from './terminal.js';

/** Adds the commands used where agents run: `test`, `compare`, `rules`, `english`, `audit`, `inspections` and `mcp-proxy`. @param json creates the option --json */
export function addEnforcementCommands(
  program: Command,
  action: Actions<typeof import('./enforcement.js')>,
  json: () => Option,
): void {
  const HEAD_FILE = [
    '--head-file <file>',
    'the file that both were kept in, by mcp-proxy --head-file or openAuditFile',
  ] as const;
  program
    .command('test')
    .description(
      'Runs the tests in specifications: runs of calls, each through a session on the rules alone. Exit code 0: all passed; 1: some did not; 2: bad usage, or a file without tests.',
    )
    .addOption(
      new Option('-s, --spec <files...>', 'specifications with tests, YAML or JSON').makeOptionMandatory(),
    )
    .addOption(json())
    .action(action((commands) => commands.testRules));

  program
    .command('compare')
    .description(
      'Compares two rules on all finite runs: equivalent, implied, or the shortest runs on which only one holds. Exit code 0: equivalent; 1: different; 2: bad usage, or a rule that cannot be read.',
    )
    .argument('<first>', 'a rule, such as "G (a -> F b)"')
    .argument('<second>', 'another rule')
    .option(
      '-s, --spec <file>',
      'specification: only runs that its constraints allow, its predicates and its sampling period',
    )
    .addOption(
      new Option(
        '--at-end <how>',
        'strong: a run must satisfy a rule by its end; weak: it must only not violate it',
      )
        .choices(['strong', 'weak'])
        .default('strong'),
    )
    .addOption(json())
    .action((first: string, second: string, options) =>
      action((commands) => commands.compare)({ ...options, first, second }),
    );

  program
    .command('rules')
    .description(
      'Checks the rules of a specification, alone and together: kept or broken by no run, in conflict, redundant, with parts that play no role, out of reach of an agent. Exit code 0: nothing found; 1: findings; 3: not decided; 2: bad usage.',
    )
    .requiredOption('-s, --spec <file>', 'specification (YAML or JSON)')
    .addOption(json())
    .action(action((commands) => commands.rules));

  program
    .command('english')
    .description(
      'Prints the formulas that sentences mean: everyday English with --spec, such as "Never go to the hall before the kitchen.", or FRETish, such as "Whenever alarm the robot shall immediately satisfy stopped"; with --say, the English of formulas. Exit code 2: one cannot be read, or has several readings.',
    )
    .argument('[sentences...]', 'sentences, each in quotes')
    .option('--say [formulas...]', 'formulas to be said in English, each in quotes')
    .option(
      '-s, --spec <file>',
      'specification: the predicates of sentences, with their words; with --say and no formula, all of its rules',
    )
    .option('--ask', 'ask at the terminal which reading is meant')
    .option(
      '--lock',
      'with --spec: write the formula beside each sentence (english) of its rules, where it has none',
    )
    .addOption(json())
    .action((sentences: string[], options) =>
      action((commands) => commands.english)({ ...options, sentences }),
    );

  program
    .command('translate')
    .description(
      'Translates a sentence into rules with the help of a language model, where the reader of English does not understand it. What the model says is an offer, and no rule before a person has confirmed it by runs. Exit code 0: each rule was read without the model, or confirmed; 2: otherwise.',
    )
    .argument('<sentence>', 'the sentence, in quotes')
    .requiredOption(
      '-s, --spec <file>',
      'specification: the predicates, with their words, and the rules that there are',
    )
    .requiredOption(
      '-m, --model <model>',
      'who translates: URL#NAME of a language model behind a chat interface (OpenAI, vLLM, Ollama and others), or recorded:FILE',
    )
    .option('--judge <model>', 'a model, named alike, that compares the sentence with the translation')
    .option('--samples <number>', 'answers that vote; default 5')
    .option('--key-variable <name>', 'the environment variable with the key of the interface', MODEL_KEY)
    .option('--record <file>', "appends the models' answers, to be given again by recorded:FILE")
    .option('--confirm', 'ask at the terminal which runs are allowed')
    .option('--by <name>', 'who confirms, kept with the rule')
    .addOption(json())
    .action((sentence: string, options) =>
      action((commands) => commands.translateSentence)({ ...options, sentence }),
    );

  const audit = program
    .command('audit')
    .description('Audit files, which hold what was decided in runs, line by line: verify, replay.');
  audit
    .command('verify')
    .description(
      'Says whether an audit file holds what was written to it. Exit code 0: it does; 1: the first line that was altered, or is not in its place, is named; 2: bad usage, or the file cannot be read.',
    )
    .argument('<file>', 'the audit file')
    .option('--head <hash>', 'the hash of its last line, or of line --count, as it was kept elsewhere')
    .option('--count <number>', 'how many lines it had then; more may have come since')
    .option(...HEAD_FILE)
    .addOption(json())
    .action((file: string, options) => action((commands) => commands.verifyAuditFile)({ ...options, file }));
  audit
    .command('replay')
    .description(
      'Decides everything in an audit file once more and compares, to the last bit. Exit code 0: it is the same; 1: the first difference is named; 2: bad usage, a file that cannot be read or was altered, or another guard file.',
    )
    .argument('<file>', 'the audit file')
    .option('-g, --guard <file>', 'the guard file that the runs were decided with')
    .option('-s, --spec <file>', 'the specification, if its rules were enforced without a model')
    .option('-p, --plan <file>', 'the plan that the runs followed, which is proved again')
    .option('-c, --contracts <file>', 'the contracts of the plan')
    .option('--goal <file>', 'the goal with which it was proved')
    .option('--inputs <file>', 'the inputs with which it was proved')
    .addOption(
      new Option('--label <trust>', 'whether its author was trusted').choices(['trusted', 'untrusted']),
    )
    .option('--words <text>', 'the words of the user with which it was proved')
    .option(...HEAD_FILE)
    .addOption(json())
    .action((file: string, options) => action((commands) => commands.replayAuditFile)({ ...options, file }));

  const inspections = program
    .command('inspections')
    .description(
      'Questions of guards to people, in a folder that sessions keep them in: key, list, approve, refuse.',
    );
  const KEY = [
    '--key <file>',
    'the key that the guard has, too (default: in the variable FOREGUARD_INSPECTIONS_KEY)',
  ] as const;
  inspections
    .command('key')
    .description(
      'Makes the key that questions and answers are sealed with: the guard and those who answer need it; the agent and its tools must not have it.',
    )
    .argument('<file>', 'a new file, readable by its owner alone')
    .addOption(json())
    .action((file: string, options) =>
      action((commands) => commands.makeInspectionKey)({ ...options, file }),
    );
  inspections
    .command('list')
    .description('Shows the questions that wait for an answer.')
    .argument('<folder>', 'where the questions are: --inspections of mcp-proxy, a folder or postgresql://…')
    .option(...KEY)
    .option('--all', 'also those that were answered, or whose time is over')
    .addOption(json())
    .action((folder: string, options) =>
      action((commands) => commands.listInspections)({ ...options, folder }),
    );
  for (const [name, approved, what] of [
    ['approve', true, 'Lets the call run that a question is about.'],
    ['refuse', false, 'Does not let the call run that a question is about.'],
  ] as const) {
    const command = inspections
      .command(name)
      .description(what)
      .argument('<folder>', 'where the questions are: --inspections of mcp-proxy, a folder or postgresql://…')
      .argument('<id>', 'as list shows it')
      .option(...KEY)
      .option('--by <name>', 'who answers, for the audit log')
      .option('--comment <text>', 'what the agent is told')
      .addOption(json());
    if (approved)
      command.option('--arguments <json>', 'all arguments with which the call is to run; it is judged again');
    command.action((folder: string, id: string, options) =>
      action((commands) => commands.answerInspection(approved))({
        ...options,
        folder,
        id,
      }),
    );
  }

  program
    .command('mcp-proxy')
    .description(
      'Puts a guard in front of a server of the Model Context Protocol, so that an agent in any language is guarded: every message passes as it is, but calls of tools are checked.',
    )
    .usage('[--spec <file>] [--guard <file>] [--record <file>] [options] -- command arguments')
    .argument('[command...]', 'the server: a command that serves its standard input, after --')
    .option('-g, --guard <file>', 'guard written by compile')
    .option(
      '-s, --spec <file>',
      'a specification, whose rules are enforced without a model; beside a guard or alone',
    )
    .option(
      '--ask [prefix]',
      'with --spec, let the agent ask about its rules, by read-only tools whose names begin so (default: foreguard_)',
    )
    .option('--upstream <url>', 'instead of a command, a server at an address, over Streamable HTTP')
    .option(
      '--servers <file>',
      'instead of one server, several: a file as MCP clients have it, {"mcpServers": …}; their tools are called SERVER__TOOL',
    )
    .option(
      '--header <headers...>',
      `headers for servers at an address, "Name: value"; \${NAME} is a variable of the environment`,
    )
    .option(
      '--listen <address>',
      'instead of standard input, serve clients over Streamable HTTP at HOST:PORT/PATH, each with a server of its own',
    )
    .option(
      '--run <bound>',
      'how long a run lasts: connection (default), session (until the proxy ends, whoever connects), header:NAME (with --listen, one for each value), idle:DURATION (until nothing was called for 30m, 1h, …)',
    )
    .option(
      '--runs <place>',
      'with --run header:NAME, where several proxies find the same runs: a folder, or postgresql://… (default: in the variable FOREGUARD_RUNS)',
    )
    .option('--allow-origin <origins...>', 'with --listen, pages of browsers that may connect')
    .option('--max-sessions <number>', 'with --listen, clients at the same time (default: 64)')
    .option(
      '--max-pending <number>',
      'running calls beside which another is judged, 0 to 6 (default: 6 where the guard knows actions, else 0); more wait',
    )
    .option('--max-message <bytes>', 'the longest message (default: 10485760)')
    .option(
      '--state-tool <name>',
      'a tool of the server that observes the world; without it, the state is what calls and their results tell',
    )
    .option(
      '--trust-read-only',
      'calls of tools that the server calls read-only are safe: nothing is predicted for them',
    )
    .option(
      '--pin <file>',
      'the definitions that tools are to have, with their hashes; written at the first start. Calls of changed and of new tools are refused',
    )
    .option('--repin', 'write that file anew with the tools as they are now, say what has changed, and exit')
    .option(
      '--replacements <file>',
      'the calls for which safe actions of the guard stand (default: the tools of those names)',
    )
    .option(
      '--record <file>',
      'record the runs as traces that learn, validate and replay read; without --spec and --guard every call passes',
    )
    .option('--log <file>', 'audit log to append to')
    .option(
      '--head-file <file>',
      'where the head of the log is kept, so that a missing end is noticed: a place where the writer of the log cannot write',
    )
    .option(
      '--inspections <folder>',
      'where people are asked, instead of through the client by elicitation: a folder or postgresql://…; needs a key',
    )
    .option(
      '--inspections-key <file>',
      'the key that answers are sealed with, made by foreguard inspections key (default: in the variable FOREGUARD_INSPECTIONS_KEY)',
    )
    .option('--ask-timeout <seconds>', 'how long people have to answer (default: 300)')
    .option('--edits', 'people may let a call run with other arguments; it is then judged again')
    .addOption(
      new Option(
        '--on-fault <decision>',
        'what happens after a fault around the guard (default: block)',
      ).choices(['block', 'stop']),
    )
    .option(
      '--principal <file>',
      'who is asking: a file of JSON, or JSON such as {"id": "ada", "roles": ["admin"]}; predicates read this as principal',
    )
    .option(
      '--principal-header <name>',
      'with --listen, the header that says who is asking, as JSON: something in front of the proxy has to set it, and to remove what clients send',
    )
    .option(
      '--extract-model <model>',
      'the language model that answers the questions of policies (extract): URL#NAME of a model behind a chat interface, with its key in FOREGUARD_MODEL_KEY, or recorded:FILE; it is sent the arguments of calls',
    )
    .option(
      '--extract-timeout <ms>',
      'milliseconds that an answer of it may take (default: 5000); later, the call is denied',
    )
    .option('--shadow', 'decide and record, and let everything run')
    .option(
      '--redact <fields...>',
      'fields, by name or path, that are hidden in log, questions and recordings',
    )
    .action((command: string[], options) => action((commands) => commands.mcpProxy)({ ...options, command }));
}
