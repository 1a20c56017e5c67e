import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { InvalidArgumentError } from '../../../base/errors.js';
import { printable } from '../../../base/words.js';
import { type Contracts, checkPins, fits } from '../../../proofs/contract/index.js';
import { askByModel, type PlanRun, type PlanTool, runPlan } from '../../../proofs/execution/index.js';
import { verifyPlan } from '../../../proofs/planProof/index.js';
import type { Json } from '../../../proofs/workflow/index.js';
import { continueRun, type SessionOptions } from '../../../runtime/enforcement/index.js';
import { askAtTerminal, openAuditFile, openResultFolder, openRunFolder } from '../../node/index.js';
import { connectedTools, type RunningServer } from '../init/serverTools.js';
import { languageModelOf } from '../languageModel.js';
import { type GuardSource, openGuards } from '../openGuards.js';
import type { Outcome, Terminal } from '../terminal.js';
import { loadProof, type ProvingChoices } from './load.js';
import { settlementsOf } from './settlements.js';
import { describeVerdict, EXIT_CODES, jsonOf, shown } from './verify.js';

interface RunChoices extends ProvingChoices, GuardSource {
  readonly command: readonly string[];
  readonly model?: string;
  readonly keyVariable: string;
  readonly log?: string;
  readonly headFile?: string;
  readonly results?: string;
  readonly run?: string;
  readonly settle?: readonly string[];
}

/** A call as it was made, for who reads the output. */
interface Made {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, Json>>;
  readonly result?: unknown;
  readonly error?: string;
}

/** `foreguard workflow run`: proves a plan, and runs it with the tools of a server; what is not proved does not run. */
export async function workflowRun(choices: RunChoices, terminal: Terminal): Promise<Outcome> {
  const { command, run: name, results } = choices;
  if (command.length === 0)
    throw new InvalidArgumentError('which server? give its command after --, such as -- npx some-mcp-server');
  if (name !== undefined && results === undefined)
    throw new InvalidArgumentError(
      '--run goes on with a run that --results FOLDER has kept: give that as well',
    );
  const settle = settlementsOf(choices.settle ?? []);
  const { plan, contracts, options } = await loadProof(choices);
  const verdict = verifyPlan(plan, contracts, options);
  const json = jsonOf(choices.plan, verdict);
  if (verdict.verdict !== 'proved')
    return {
      json: { ...json, run: null },
      text: lines([...describeVerdict(verdict), 'nothing was run']),
      exitCode: EXIT_CODES[verdict.verdict],
    };
  const model =
    choices.model === undefined ? null : await languageModelOf('--model', choices.model, choices.keyVariable);
  const { guards, beside } =
    choices.guard === undefined && choices.spec === undefined
      ? { guards: [], beside: [] }
      : await openGuards(choices, (text) => note(terminal, text));
  const server = await connectedTools(command);
  try {
    const pins = checkPins(contracts, server.tools);
    if (pins.length > 0)
      return {
        json: { ...json, pins, run: null },
        text: lines([...pins.map(({ tool, text }) => `${tool}: ${text}`), 'nothing was run']),
        exitCode: 1,
      };
    const made: Made[] = [];
    const id = name ?? randomUUID();
    const { session, close } = await placesOf(id, choices, terminal);
    try {
      const ended = await runPlan(verdict.verified, {
        inputs: options.inputs ?? {},
        tools: toolsOf(server, contracts, made),
        ...(model && { ask: askByModel(model) }),
        session: {
          ...session,
          judges: [...guards.map((guard) => guard.fork()), ...beside],
          time: () => Date.now() / 1000,
          ask: askAtTerminal(),
        },
        ...(results !== undefined && { results: await openResultFolder(join(results, 'results')) }),
        ...(settle && { settle }),
      });
      return {
        json: { ...json, calls: made, run: ended },
        text: lines([
          ...describeVerdict(verdict),
          '',
          ...made.map(describeCall),
          describeEnd(ended, results),
        ]),
        exitCode: ended.kind === 'stopped' ? 3 : 0,
      };
    } finally {
      await close();
    }
  } finally {
    await server.end();
  }
}

/** Where the records of a run go: the log, and the folder from which it goes on. */
async function placesOf(
  id: string,
  { log: path, headFile, results }: RunChoices,
  terminal: Terminal,
): Promise<{ readonly session: Partial<SessionOptions>; readonly close: () => Promise<void> }> {
  if (path === undefined && headFile !== undefined)
    throw new InvalidArgumentError('--head-file keeps the head of a log: give --log FILE as well');
  const log =
    path === undefined ? null : await openAuditFile(path, { ...(headFile !== undefined && { headFile }) });
  for (const text of log?.notes ?? []) note(terminal, text);
  const close = async (): Promise<void> => {
    await log?.close();
    if (log)
      note(terminal, `${log.path}, to keep elsewhere: --head ${log.head.hash} --count ${log.head.count}`);
  };
  const beside = log === null ? {} : { log };
  if (results === undefined) return { session: { id, ...beside }, close };
  note(terminal, `after a crash, the run goes on with --results ${results} --run ${id}`);
  const runs = await openRunFolder(join(results, 'records'));
  return { session: await continueRun(runs, id, beside), close };
}

/** The tools of a server, each noted when it has been called. */
function toolsOf(server: RunningServer, contracts: Contracts, made: Made[]): Record<string, PlanTool> {
  const names = server.tools.map(({ name }) => name).filter((name) => contracts.tools.has(name));
  return Object.fromEntries(
    names.map((tool): [string, PlanTool] => [
      tool,
      async (args, { signal }) => {
        const outcome = await server.call(tool, args, signal);
        if ('error' in outcome) {
          made.push({ tool, arguments: args, error: String(outcome.error) });
          throw new Error(String(outcome.error));
        }
        const result = typedResult(outcome.result, tool, contracts);
        made.push({ tool, arguments: args, result });
        return result;
      },
    ]),
  );
}

/** A text is the JSON in it, where the contract says that the tool gives no text, and such JSON. */
function typedResult(result: unknown, tool: string, { tools }: Contracts): unknown {
  const type = tools.get(tool)?.result.type;
  if (typeof result !== 'string' || type === undefined || fits(result, type) === null) return result;
  try {
    const value = JSON.parse(result) as Json;
    return fits(value, type) === null ? value : result;
  } catch {
    return result;
  }
}

function describeCall({ tool, arguments: given, result, error }: Made): string {
  return `called: ${tool} ${shown(given)}, which ${error === undefined ? `gave ${shown(result)}` : `failed: ${error}`}`;
}

function describeEnd(ended: PlanRun, results: string | undefined): string {
  if (ended.kind === 'finished') return 'finished';
  if (ended.kind === 'returned') return `returned: ${JSON.stringify(ended.value)}`;
  const { step, rounds, because, text, run } = ended;
  const place = step + rounds.map((round) => `[${round}]`).join('');
  const stopped = `stopped at step ${place} (${because}): ${text}`;
  if (because !== 'unknown' || results === undefined) return stopped;
  return `${stopped}; here by --run ${run} with --settle ${place}=again, ${place}=failed, or ${place}= and what it gave as JSON`;
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => printable(text)).join('\n');
}

function note(terminal: Terminal, text: string): void {
  terminal.err(`foreguard: ${printable(text)}\n`);
}
