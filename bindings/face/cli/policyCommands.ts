import type { Command, Option } from 'commander';
import type { Actions } from './terminal.js';

/** Adds `foreguard policy`. @param json creates the option --json */
export function addPolicyCommands(
  program: Command,
  action: Actions<typeof import('./policy/commands.js')>,
  json: () => Option,
): void {
  const policy = program
    .command('policy')
    .description('Policies: conditions under which single calls are permitted, proved before they guard.');
  policy
    .command('check')
    .description('Says whether policies are well formed, and what they decide.')
    .argument('<file>', 'a file of policies, YAML or JSON')
    .addOption(json())
    .action((file: string, options) => action((commands) => commands.checkPolicies)({ ...options, file }));
  policy
    .command('verify')
    .description(
      'Proves that what policies must ensure follows from what they permit, for every input, or shows the smallest input that breaks it; and that neither is void. Exit code 0: all is proved; 1: something is refuted; 3: something is unproved; 2: bad usage.',
    )
    .argument('<file>')
    .option(
      '--solver <solver>',
      'an outside solver for what the built-in decider leaves open: z3 (by the package z3-solver), or NAME=PATH of a program, such as cvc5=/usr/bin/cvc5; repeatable',
      (one: string, others: readonly string[]) => [...others, one],
      [] as readonly string[],
    )
    .option('--agree <n>', 'how many of them must say that no input exists (default: 1)', Number)
    .option('--timeout <ms>', 'milliseconds for each question to them (default: 5000)', Number)
    .option('--emit-smt <folder>', 'write each script that they are asked, in SMT-LIB 2.6, into this folder')
    .addOption(json())
    .action((file: string, options) =>
      action((commands) => commands.verifySpecification)({ ...options, file }),
    );
  policy
    .command('compare')
    .description(
      'Says of each policy whether the new one is equivalent, stricter, looser or different, with inputs that show it. Exit code 0: all are equivalent; 1: some differ; 3: unproved; 2: bad usage.',
    )
    .argument('<before>')
    .argument('<after>')
    .addOption(json())
    .action((before: string, after: string, options) =>
      action((commands) => commands.compareSpecifications)({ ...options, before, after }),
    );
  policy
    .command('ask')
    .description(
      'Says what policies decide of one call, and why. Exit code 0: permitted; 1: denied; 2: bad usage.',
    )
    .argument('<file>')
    .argument('<call>', 'a file with the call as JSON: {"name": TOOL, "arguments": {…}, "state": {…}}')
    .addOption(json())
    .action((file: string, call: string, options) =>
      action((commands) => commands.askPolicies)({ ...options, file, call }),
    );
  policy
    .command('synthesize')
    .description(
      'Has the conditions of policies written that have none yet, and tries again with each input that refutes them, until all obligations are proved. What is not verified is never written. Exit code 0: all are verified; 1: some failed; 3: some are unproved; 2: bad usage.',
    )
    .argument('<file>', 'a file of policies, some without permit: with ensures, or a request in words')
    .requiredOption(
      '-m, --model <model>',
      'who writes: URL#NAME of a language model behind a chat interface (OpenAI, vLLM, Ollama and others), recorded:FILE, or inductive (no language model: a decision tree over the conditions in ensures)',
    )
    .option('-p, --policy <name...>', 'only these policies')
    .option(
      '--key-variable <name>',
      'the environment variable with the key of the interface',
      'FOREGUARD_MODEL_KEY',
    )
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
