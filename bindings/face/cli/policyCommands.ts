import { type Command, Option } from 'commander';
import { MODEL_KEY } from './modelKey.js';
import type { Actions } from './terminal.js';
import { addReadingOptions } from './traceOptions.js';

/** Adds `foreguard policy`. @param json creates the option --json */
export function addPolicyCommands(
  program: Command,
  action: Actions<typeof import('./policy/commands.js')>,
  json: () => Option,
): void {
  const policy = program
    .command('policy')
    .description(
      'Policies, which say under what conditions single calls are permitted, and which are proved before they guard: check, verify, compare, ask, replay, synthesize.',
    );
  policy
    .command('check')
    .description('Says whether policies are well formed, and what they decide.')
    .argument('<file>', 'a file of policies, YAML or JSON')
    .addOption(json())
    .action((file: string, options) => action((commands) => commands.checkPolicies)({ ...options, file }));
  addProofOptions(
    policy
      .command('verify')
      .description(
        'Proves for every input that policies ensure what they say they ensure, or shows the smallest input that breaks it. Also proves that each policy permits something, and that no property holds trivially. Exit code 0: all is proved; 1: something is refuted; 2: bad usage; 3: something is unproved.',
      )
      .argument('<file>', 'a file of policies, YAML or JSON'),
  )
    .option('--no-mutants', 'do not judge properties and examples by policies with one change each')
    .addOption(json())
    .action((file: string, options) =>
      action((commands) => commands.verifySpecification)({ ...options, file }),
    );
  addProofOptions(
    policy
      .command('compare')
      .description(
        'Says of each policy whether the new one is equivalent, stricter, looser or different, with inputs that show it. Exit code 0: all are equivalent; 1: some differ; 3: unproved; 2: bad usage.',
      )
      .argument('<before>', 'the file of policies as it was')
      .argument('<after>', 'the file as it is to be'),
  )
    .addOption(json())
    .action((before: string, after: string, options) =>
      action((commands) => commands.compareSpecifications)({ ...options, before, after }),
    );
  policy
    .command('ask')
    .description(
      'Says what policies decide of one call, and why. Exit code 0: permitted; 1: denied; 2: bad usage.',
    )
    .argument('<file>', 'a file of policies, YAML or JSON')
    .argument(
      '<call>',
      'the call as JSON, or a file with it: {"name": TOOL, "arguments": {…}, "state": {…}}, and "detected": {INPUT: ANSWER} for inputs that a model extracts',
    )
    .addOption(json())
    .action((file: string, call: string, options) =>
      action((commands) => commands.askPolicies)({ ...options, file, call }),
    );
  addReadingOptions(
    policy
      .command('replay')
      .description('Says what policies would have done on recorded runs, by mode of enforcement.')
      .argument('<file>')
      .addOption(
        new Option('-t, --traces <files...>', 'runs, in any format that learn reads').makeOptionMandatory(),
      ),
  )
    .option(
      '--mode <names>',
      'some of tt (the run stops), ab (the turn is withheld), teh (the call is), crp (the agent plans again), crp+teh, with commas between them (default: all)',
    )
    .option('--turn <field>', 'the field of the state that is the same throughout a turn of the agent')
    .option('--max-reflections <number>', 'how often in a row the agent may plan again (default: 2)')
    .option('--skip-invalid', 'leave out traces that cannot be read')
    .addOption(json())
    .action((file: string, options) => action((commands) => commands.replayPolicies)({ ...options, file }));
  policy
    .command('synthesize')
    .description(
      'Writes the conditions of policies that have none yet, by a model that is asked again with each input that refutes them, until all obligations are proved. Writes verified policies only. Exit code 0: all are verified; 1: some failed; 3: some are unproved; 2: bad usage.',
    )
    .argument('<file>', 'a file of policies, some without permit: with ensures, or a request in words')
    .requiredOption(
      '-m, --model <model>',
      'who writes: URL#NAME of a language model behind a chat interface (OpenAI, vLLM, Ollama and others), recorded:FILE, or inductive (no language model: a decision tree over the conditions in ensures)',
    )
    .option('-p, --policy <name...>', 'only these policies')
    .option('--key-variable <name>', 'the environment variable with the key of the interface', MODEL_KEY)
    .option('--record <file>', "appends the model's answers, to be given again by recorded:FILE")
    .option('--answers <file>', 'answers to questions about what is meant, one a line; default: the terminal')
    .option('--iterations <number>', 'policies that are tried at most; default 8')
    .option('--calls <number>', 'requests to the model at most, of all policies; default 40')
    .option(
      '-o, --output <file>',
      'where the file with the verified conditions goes; default: standard output',
    )
    .addOption(json())
    .action((file: string, options) =>
      action((commands) => commands.synthesizeSpecification)({ ...options, file }),
    );
}

/** Adds the options of commands that prove something. */
function addProofOptions(command: Command): Command {
  return command
    .option('--steps <n>', 'most steps for one question; beyond, it is unproved (default: 20000000)', Number)
    .option('--recheck', 'check each proof again, by code that shares nothing with what found it')
    .option(
      '--solver <solver>',
      'an outside solver for what the built-in decider leaves open: z3 (by the package z3-solver), or NAME=PATH of a program, such as cvc5=/usr/bin/cvc5; repeatable',
      (one: string, others: readonly string[]) => [...others, one],
      [] as readonly string[],
    )
    .option('--agree <n>', 'how many of them must say that no input exists (default: 1)', Number)
    .option('--timeout <ms>', 'milliseconds for each question to them (default: 5000)', Number)
    .option('--emit-smt <folder>', 'write each script that they are asked, in SMT-LIB 2.6, into this folder');
}
