import { Command, CommanderError, Option } from 'commander';
import { ForeguardError, KernelError, NotConvergedError } from '../../base/errors.js';
import { printableLines } from '../../base/words.js';
import { SQL_DIALECTS } from '../../languages/expression/index.js';
import { SOLVE_METHODS } from '../../solvers/kernel/index.js';
import { addEnforcementCommands } from './enforcementCommands.js';
import { addInitCommand } from './init/command.js';
import { addPolicyCommands } from './policyCommands.js';
import type { Actions, Terminal } from './terminal.js';
import { addReadingOptions, READING_OPTIONS } from './traceOptions.js';
import { version } from './version.js';
import { addWorkflowCommands } from './workflowCommands.js';

/**
 * Runs the `foreguard` command.
 *
 * @param arguments_ without the interpreter and the script
 * @returns the exit code: 0 done; 1 (`check`) a yes/no property is false; 2 bad usage or input; 3 not finished
 */
export async function run(arguments_: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0;

  /** Loads commands, runs one of them and prints its outcome, or its error, in the requested form. */
  const actionsOf =
    <Commands>(load: () => Promise<Commands>): Actions<Commands> =>
    (choose) =>
    async (options): Promise<void> => {
      const command = choose(await load());
      try {
        const outcome = await command(options, terminal);
        const text = options.json
          ? JSON.stringify(outcome.json, finite)
          : outcome.isCode
            ? outcome.text
            : printableLines(outcome.text);
        if (text !== '') terminal.out(`${text}\n`);
        exitCode = outcome.exitCode ?? 0;
      } catch (error) {
        const known = expectedError(error);
        if (!known) throw error;
        if (options.json) terminal.out(`${JSON.stringify({ error: known })}\n`);
        terminal.err(`foreguard: ${printableLines(known.message)}\n`);
        exitCode = error instanceof NotConvergedError || error instanceof KernelError ? 3 : 2;
      }
    };

  const action = actionsOf(() => import('./commands.js'));

  const program = new Command('foreguard')
    .description(
      'Predicts the probability that an agent breaks a rule, with certified bounds, and says when to intervene.',
    )
    .version(version)
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .showHelpAfterError('(add --help for what is accepted)');

  const specification = (): Option =>
    new Option('-s, --spec <file>', 'specification, YAML or JSON').makeOptionMandatory();
  const model = (): Option =>
    new Option('-m, --model <file>', 'model written by learn').makeOptionMandatory();
  const modelIfAny = (): Option =>
    new Option('-m, --model <file>', 'model written by learn; without it the rules are enforced alone');
  const traces = (): Option => new Option('-t, --traces <files...>', 'recordings of the agent');
  const shuffle = (): Option =>
    new Option(
      '--shuffle <seed>',
      'take the traces in a random order (all of them in memory): certificates need an order that does not depend on what traces do',
    );
  const skip = (): Option =>
    new Option('--skip-invalid', 'leave out traces that cannot be read, and count them');
  const strict = (): Option =>
    new Option('--strict', 'fail if recordings lack a field that a rule reads, or asks for by has');
  const json = (): Option => new Option('--json', 'one JSON document on standard output');
  const precision = (): Option =>
    new Option('--precision <number>', 'half the width allowed between the bounds').default('1e-6');
  const horizons = (): Option =>
    new Option('--horizons <steps>', 'also the risk within these numbers of steps: 5,10,50');
  const within = (): Option =>
    new Option('--within <times>', 'also the risk within these times: 3s,10s or 500ms');
  const repeated = (text: string, before: readonly string[] = []): string[] => [...before, text];
  const output = (what: string): Option => new Option('-o, --output <file>', what).makeOptionMandatory();

  const inUse = actionsOf(() => import('./enforcement.js'));
  program.commandsGroup('Rules, enforced from the first call:');
  addInitCommand(program, inUse, json);
  addEnforcementCommands(program, inUse, json);
  addPolicyCommands(
    program,
    actionsOf(() => import('./policy/commands.js')),
    json,
  );
  addWorkflowCommands(
    program,
    actionsOf(() => import('./workflow/commands.js')),
    json,
  );

  program.commandsGroup('Risks, learnt from recordings:');
  addReadingOptions(
    program
      .command('validate')
      .description(
        'Checks a specification; with traces, how often each predicate is true, fails, or is missing.',
      )
      .addOption(specification())
      .addOption(traces()),
  )
    .addOption(skip())
    .option(
      '--markov',
      'also whether the predicates are enough: history that counts, predicates to add or to drop, predicted against observed rates',
    )
    .option(
      '--pool <files...>',
      'with --markov, predicates to try: YAML or JSON with predicates, such as specifications',
    )
    .option('--level <number>', 'with --markov, the chance of a false finding in each part (default: 0.05)')
    .option('--seed <number>', 'with --markov, the seed by which traces are split (default: 1)')
    .addOption(strict())
    .addOption(json())
    .action(action((commands) => commands.validate));

  addReadingOptions(
    program
      .command('learn')
      .description(
        'Learns a Markov chain over the predicates of a specification from traces; with learning: { model: mdp } in the specification, a Markov decision process, which knows what actions lead to.',
      )
      .addOption(specification())
      .addOption(traces())
      .option('-o, --output <file>', 'model to write (.umb)'),
  )
    .addOption(skip())
    .addOption(shuffle())
    .option('--gzip', 'compress the model')
    .addOption(
      new Option(
        '--engine <name>',
        'let an engine count: files of steps in Parquet or CSV, or JSON lines, larger than memory (npm install @duckdb/node-api)',
      ).choices(['duckdb']),
    )
    .option('--memory-limit <size>', 'memory for the engine, such as 4GB; beyond it, work goes to the disk')
    .option('--threads <number>', 'threads of the engine (default: all)')
    .addOption(
      new Option(
        '--emit-sql <dialect>',
        'print the statement that counts instead, for an engine of your own',
      ).choices(SQL_DIALECTS),
    )
    .option('--table <name>', 'with --emit-sql, the table of steps (default: steps)')
    .option(
      '--columns <types>',
      'with --emit-sql, its columns: trace=text,complete=boolean,speed=number; types number, integer, decimal, text, boolean, json',
    )
    .addOption(strict())
    .addOption(json())
    .action((options, command: Command) => {
      for (const required of ['traces', 'output']) {
        if (options.emitSql === undefined && options[required] === undefined)
          command.error(`error: required option '--${required}' not specified`);
      }
      return action((commands) => commands.learnModel)(options);
    });

  program
    .command('risk')
    .description('Prints the risk of every rule in every state, worst first.')
    .addOption(specification())
    .addOption(model())
    .addOption(precision())
    .addOption(horizons())
    .addOption(within())
    .option(
      '--time [horizon]',
      'also when a violation comes, if it comes, looking this many steps (100) or this time (10s) ahead',
    )
    .option('--joint <rules>', 'instead the risk that any of these rules is violated: a,b')
    .option('--from-start', 'with --joint, only what runs come to, not what unseen transitions lead to')
    .option('--top <number>', 'rows to print of each rule (default: 20); --json has all')
    .addOption(new Option('--all', 'print all rows').conflicts('top'))
    .option('--max-states <number>', 'with --joint, give up where the product has more states')
    .addOption(strict())
    .addOption(json())
    .action(action((commands) => commands.risk));

  addReadingOptions(
    program
      .command('certify')
      .description(
        'Says how far the risks can be trusted: for each rule and state what the data support, the criteria of the papers, and what to sample next.',
      )
      .addOption(specification())
      .addOption(traces())
      .addOption(
        new Option('-m, --model <file>', 'model written by learn').conflicts([
          'traces',
          ...READING_OPTIONS,
          'shuffle',
        ]),
      ),
  )
    .addOption(shuffle())
    .option(
      '--epsilon <number>',
      'the error to rule out: half the width that intervals may have (default: 0.05)',
    )
    .option('--delta <number>', "the chance that any bound is wrong (default: the specification's, or 0.05)")
    .option('--everywhere', 'plan runs until risks are known in every state, not only before the first step')
    .option(
      '--posterior',
      'also posterior intervals, which are not guaranteed: a thousand chains are sampled and solved for each rule',
    )
    .addOption(precision())
    .option('--top <number>', 'rows to print of each rule (default: 20); --json has all')
    .addOption(new Option('--all', 'print all rows').conflicts('top'))
    .addOption(strict())
    .addOption(json())
    .action(action((commands) => commands.certifyModel));

  addReadingOptions(
    program
      .command('replay')
      .description('Says what a guard would have done on recorded traces.')
      .addOption(specification())
      .addOption(modelIfAny())
      .addOption(traces().makeOptionMandatory()),
  )
    .addOption(skip())
    .addOption(precision())
    .option(
      '--explain',
      'say in words why the guard intervened, each cause once with the traces it holds for, why rules were violated, and how they stood at the first intervention',
    )
    .addOption(strict())
    .option(
      '--thresholds <risks>',
      "thresholds to try beside each rule's own: 0.1,0.3,0.5 (default: from 0.01 to 1)",
    )
    .addOption(json())
    .action(action((commands) => commands.replayTraces));

  addReadingOptions(
    program
      .command('robustness')
      .description(
        'Prints how far each trace is from breaking each rule (positive), or from keeping it (negative).',
      )
      .addOption(specification())
      .addOption(traces().makeOptionMandatory()),
  )
    .addOption(skip())
    .addOption(
      new Option(
        '--equality <reading>',
        'how == compares numbers: as true or false where all values in the traces are whole, as codes are, and as a distance elsewhere (whole); always as a distance; always as true or false (truth)',
      )
        .choices(['whole', 'distance', 'truth'])
        .default('whole'),
    )
    .addOption(strict())
    .addOption(json())
    .action(action((commands) => commands.traceRobustness));

  addReadingOptions(
    program
      .command('ask')
      .description(
        'Answers questions about the rules of a specification, at a step of a recording: may I …, why not …, what instead of …, what must happen before …, what do I owe, will … ever …, what are the rules. Exit code 0: answered; 1: a question can be meant in several ways, or was not understood; 2: bad usage or input.',
      )
      .argument('<questions...>', 'questions, each in quotes')
      .addOption(specification())
      .option('-g, --guard <file>', 'a guard written by compile: what it would decide, and the risk')
      .addOption(
        new Option(
          '-m, --model <file>',
          'a model written by learn: how probable it is that something happens',
        ),
      )
      .option('-t, --traces <file>', 'a recording of the agent; may be repeated', repeated)
      .option('--id <name>', 'the run, if the recordings have several')
      .option(
        '--at <step>',
        'the step at hand, from 0: its call is still to be made (default: the run as far as it goes)',
      ),
  )
    .addOption(skip())
    .addOption(precision())
    .addOption(json())
    .action((questions: string[], options) => action((commands) => commands.ask)({ ...options, questions }));

  addReadingOptions(
    program
      .command('explain')
      .description(
        'Says what a guard decides at one step of a recording, and why its rules stand as they do there.',
      )
      .option('-g, --guard <file>', 'guard written by compile')
      .option('-s, --spec <file>', 'or a specification, whose rules are explained without a model')
      .addOption(traces().makeOptionMandatory())
      .option('--id <name>', 'the run, if the recordings have several')
      .option('--at <step>', 'the step, from 0 (default: the last)')
      .option('--rule <name>', 'explain this rule alone'),
  )
    .addOption(skip())
    .addOption(json())
    .action(action((commands) => commands.explain));

  program
    .command('compile')
    .description('Writes guard.json, all that foreguard/guard needs at run time.')
    .addOption(specification())
    .addOption(modelIfAny())
    .addOption(output('guard file to write'))
    .addOption(precision())
    .addOption(horizons())
    .addOption(within())
    .addOption(json())
    .action(action((commands) => commands.compile));

  program.commandsGroup('Models:');
  program
    .command('check')
    .description(
      'Checks properties of a model: PRISM source (.prism, .pm, .nm), .umb, .pexp, or .tra with .lab, .sta, .srew and .trew beside it. Exit code 0: done; 1: all questions are yes/no, and one answer is no; 2: bad usage or input; 3: something was not finished, or is undecided.',
    )
    .argument('[model]', 'the file of the model')
    .option('-p, --property <text...>', 'a property such as P=? [ F "unsafe" ]; may be repeated')
    .option('--properties <file>', 'a file of properties')
    .option(
      '-c, --const <values>',
      'values of constants: N=16,p=0.1,b=true; N=1:2:9 checks one after the other; may be repeated',
      repeated,
    )
    .addOption(precision())
    .option('--relative', 'allow that width times the value')
    .option(
      '--absolute',
      'allow that width whatever the value (default: times the value, where that is above 1)',
    )
    .addOption(
      new Option(
        '--method <name>',
        'how components of several states are solved; all but value-iteration give certified bounds',
      )
        .choices(SOLVE_METHODS)
        .default('auto'),
    )
    .option('--exact', 'compute with exact fractions: slow, for up to some ten thousand states')
    .option('--max-states <number>', 'give up where the model has more states')
    .option('--max-iterations <number>', 'sweeps over one component before giving up (default: 10000000)')
    .option('--components', 'count strongly connected components, also of more than a million transitions')
    .addOption(json())
    .action((model: string | undefined, options) =>
      action((commands) => commands.check)({ ...options, model }),
    );

  program
    .command('convert')
    .description(
      'Writes a model in another format, by the name of the output: .umb, .umb.gz, .tra (with .lab, .sta, .srew, .trew), .pexp, .dot.',
    )
    .argument('<input>', "a model: .umb, .tra, .pexp, also packed with gzip, or in PRISM's language")
    .argument('<output>', 'the file to write')
    .option('-c, --const <values>', 'values of constants: N=16,p=0.1,b=true; may be repeated', repeated)
    .option('--max-states <number>', 'give up beyond this many states')
    .option('--digits <number>', 'significant digits of numbers in text (default: as many as needed)')
    .addOption(json())
    .action((input: string, output: string, options) =>
      action((commands) => commands.convert)({ ...options, input, output }),
    );

  try {
    await program.parseAsync(arguments_ as string[], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    exitCode = error.exitCode === 0 ? 0 : 2;
    const nested = error.code === 'commander.unknownCommand' ? nestedCommands(program, arguments_[0]) : [];
    const lists = error.code === 'commander.excessArguments' ? listOptions(program, arguments_) : [];
    if (lists.length > 0)
      terminal.err(`(${lists.join(' and ')} takes a list with commas and without spaces: a,b)\n`);
    if (nested.length > 0) terminal.err(`(there is ${nested.join(' and ')})\n`);
    if (exitCode !== 0 && arguments_.includes('--json')) {
      terminal.out(`${JSON.stringify({ error: { code: 'usage', message: error.message } })}\n`);
    }
  }
  return exitCode;
}

/** The commands of others that have this name: `policy verify` and `audit verify` of `verify`. */
function nestedCommands(program: Command, name: string): string[] {
  return program.commands.flatMap((command) =>
    command.commands
      .filter((one) => one.name() === name)
      .map(() => `${program.name()} ${command.name()} ${name}`),
  );
}

/** The given options of a command that take lists with commas, where words follow that are neither an option nor its value. */
function listOptions(program: Command, words: readonly string[]): string[] {
  const command = program.commands.find((one) => one.name() === words[0]);
  const given = command?.options.filter(({ long, variadic }, _, all) => {
    const at = words.indexOf(long ?? '');
    const isOption = (word: string | undefined) =>
      word === undefined || all.some(({ long, short }) => word === long || word === short);
    return at >= 0 && !variadic && LISTS.has(long ?? '') && !isOption(words[at + 2]);
  });
  return (given ?? []).map(({ long }) => long ?? '');
}

/** Options whose value is a list with commas. */
const LISTS: ReadonlySet<string> = new Set(['--joint', '--horizons', '--within', '--thresholds']);

/** JSON has no infinities. */
function finite(_key: string, value: unknown): unknown {
  return value === Infinity ? 'Infinity' : value === -Infinity ? '-Infinity' : value;
}

/** Errors that tell a user what to correct; anything else is a bug in Foreguard and keeps its stack. */
function expectedError(error: unknown): { code: string; message: string } | undefined {
  if (error instanceof ForeguardError) return { code: error.code, message: error.message };
  const code = (error as NodeJS.ErrnoException)?.code;
  if (error instanceof Error && typeof code === 'string' && /^E[A-Z]+$/.test(code)) {
    return { code, message: error.message };
  }
  return undefined;
}
