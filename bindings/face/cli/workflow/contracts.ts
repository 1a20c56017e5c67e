import { existsSync, writeFileSync } from 'node:fs';
import { InvalidArgumentError } from '../../../base/errors.js';
import { printable } from '../../../base/words.js';
import {
  type Contracts,
  ContractTrial,
  checkPins,
  draftContracts,
  type ListedTool,
  type PinDifference,
  readToolList,
  type TrialCount,
  type TrialReport,
} from '../../../proofs/contract/index.js';
import { parseSpecification } from '../../../rules/specification/index.js';
import { clopperPearsonInterval } from '../../../study/evaluation/index.js';
import { listedTools } from '../init/serverTools.js';
import { readText, TraceFiles, type TraceOptions } from '../inputs.js';
import { formatNumber, type Outcome, Progress, plural, type Terminal, table } from '../terminal.js';
import { loadContracts } from './load.js';

interface ContractsOptions extends Omit<TraceOptions, 'traces'> {
  readonly command: readonly string[];
  readonly contracts?: string;
  readonly traces?: readonly string[];
  readonly draft?: string | true;
  readonly output?: string;
  readonly force?: boolean;
}

/** `foreguard workflow contracts`: checks contracts, tries them on recorded calls, compares them with a server, and drafts them. */
export async function workflowContracts(options: ContractsOptions, terminal: Terminal): Promise<Outcome> {
  if (options.draft !== undefined) return draft(options);
  if (options.contracts === undefined)
    throw new InvalidArgumentError(
      'which contracts? give --contracts FILE, or --draft and a list of tools or a server',
    );
  if (options.output !== undefined)
    throw new InvalidArgumentError('--output is for --draft: nothing else is written');
  const contracts = await loadContracts(options.contracts);
  const pins =
    options.command.length > 0 ? checkPins(contracts, (await listedTools(options.command)).tools) : [];
  const trial =
    options.traces === undefined
      ? null
      : await tried(contracts, { ...options, traces: options.traces }, terminal);
  const broken = trial?.counts.some((count) => count.broken > 0) === true;
  return {
    json: {
      file: options.contracts,
      hash: contracts.hash,
      tools: [...contracts.tools.keys()],
      pins,
      trial: trial && jsonOf(trial),
    },
    text: [
      ...summary(options.contracts, contracts),
      ...(options.command.length > 0 ? describePins(contracts, pins) : []),
      ...(trial === null ? [] : describeTrial(trial)),
    ]
      .map((line) => printable(line))
      .join('\n'),
    exitCode: broken || pins.length > 0 ? 1 : 0,
  };
}

async function draft({
  draft: file,
  command,
  contracts,
  traces,
  output,
  force,
}: ContractsOptions): Promise<Outcome> {
  if (contracts !== undefined || traces !== undefined)
    throw new InvalidArgumentError(
      '--draft writes contracts, so it takes neither --contracts nor --traces; try what it wrote in a second step',
    );
  const isFile = typeof file === 'string';
  if (isFile === command.length > 0)
    throw new InvalidArgumentError('--draft takes either a file with a list of tools, or a server after --');
  const { source, tools } = isFile ? await listIn(file) : await listedTools(command);
  const text = draftContracts(tools, { source });
  const json = { tools: tools.map(({ name }) => name), output: output ?? null, contracts: text };
  if (output === undefined) return { json, text: text.trimEnd(), isCode: true };
  if (existsSync(output) && force !== true)
    throw new InvalidArgumentError(`${output} exists; give another --output, or --force to write over it`);
  writeFileSync(output, text);
  return {
    json,
    text: `${output}: drafted contracts of ${plural(tools.length, 'tool')}; nothing is trusted yet, and comments say what to fill in`,
  };
}

async function listIn(
  file: string,
): Promise<{ readonly source: string; readonly tools: readonly ListedTool[] }> {
  const text = await readText(file, 'a list of tools, as JSON');
  try {
    return { source: file, tools: readToolList(JSON.parse(text), file) };
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new InvalidArgumentError(
        `${file} is not JSON (${error.message}); expected what a server answers to tools/list`,
      );
    throw error;
  }
}

async function tried(contracts: Contracts, options: TraceOptions, terminal: Terminal): Promise<TrialReport> {
  // No predicate is read, so that every field is.
  const any = parseSpecification("version: 1\nrules: { any: { formula: 'true' } }");
  const progress = new Progress(terminal);
  const trial = new ContractTrial(contracts);
  const traces = new TraceFiles(options, any, (read) => progress.show(() => `${plural(read, 'trace')} read`));
  for await (const trace of traces) trial.add(trace);
  progress.clear();
  const leftOut = traces.leftOut();
  if (leftOut !== '') terminal.err(`foreguard: ${printable(leftOut)}\n`);
  return trial.report();
}

function summary(file: string, { tools, flows, rules, hash }: Contracts): string[] {
  const pinned = [...tools.values()].filter(({ pin }) => pin !== null).length;
  return [
    `${file}: ${plural(tools.size, 'tool')}, of which ${pinned} pinned; ${plural(flows.size, 'flow')}, ${plural(rules.size, 'rule')} of order; hash ${hash.slice(0, 16)}`,
  ];
}

function describePins({ tools }: Contracts, differences: readonly PinDifference[]): string[] {
  if (differences.length > 0) return differences.map(({ tool, text }) => `${tool}: ${text}`);
  const pinned = [...tools.values()].filter(({ pin }) => pin !== null).length;
  return [
    pinned === 0 ? 'no tool is pinned' : `the server's tools are as pinned: ${pinned} of ${tools.size}`,
  ];
}

/** Greatest rate that the counts leave room for, with confidence 95 % on both sides. */
function upperBound({ broken, calls }: TrialCount): number {
  return clopperPearsonInterval(broken, calls).confidenceUpper;
}

function jsonOf({ counts, unlisted, ...rest }: TrialReport) {
  return {
    ...rest,
    counts: counts.map((count) => ({ ...count, confidenceUpper: upperBound(count) })),
    unlisted: Object.fromEntries(unlisted),
  };
}

function describeTrial({ traces, calls, counts, unlisted }: TrialReport): string[] {
  const judged = counts.filter((count) => count.calls > 0);
  const rows = judged.map((count) => [
    count.tool,
    partOf(count),
    String(count.broken),
    String(count.calls),
    `${formatNumber(Math.round(upperBound(count) * 1000) / 10)}`,
  ]);
  const never = counts
    .filter((count) => count.kind === 'arguments' && count.calls === 0)
    .map(({ tool }) => tool);
  return [
    `${plural(traces, 'run')}, ${plural(calls, 'call')}. How often they break the contracts, and the greatest rate that is left open (95 % confidence):`,
    '',
    ...table(['tool', 'part', 'broken', 'calls', 'rate at most, %'], rows).split('\n'),
    '',
    ...judged.flatMap((count) =>
      count.first === null
        ? []
        : [
            `${count.tool}: ${partOf(count)} broken first in ${count.first.trace}, step ${count.first.step}: ${count.first.text}; the call has ${shown(count.first.arguments)}`,
          ],
    ),
    ...(never.length > 0 ? [`never called: ${never.join(', ')}`] : []),
    ...[...unlisted].map(
      ([tool, count]) => `${tool} has no contract, and is called ${plural(count, 'time')}`,
    ),
  ];
}

/** A part of a contract in words. */
function partOf({ kind, name }: TrialCount): string {
  return name === null || name === kind ? kind : `${kind} "${name}"`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
