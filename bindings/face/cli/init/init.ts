import { existsSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { InvalidArgumentError } from '../../../base/errors.js';
import { printable, wordsOf } from '../../../base/words.js';
import { comment } from '../../../base/yamlText.js';
import { loadRegexEngine } from '../../../languages/expression/index.js';
import { parseSpecification } from '../../../rules/specification/index.js';
import { readText, type TraceOptions } from '../inputs.js';
import { filesGivenAway } from '../mcp/exposures.js';
import { runRuleTests } from '../runRuleTests.js';
import { type Outcome, plural, type Terminal } from '../terminal.js';
import { aiSdkTools } from './aiSdkTools.js';
import { unreadPaths } from './argumentTexts.js';
import { draftText } from './draft.js';
import { type DraftedRule, type DraftedTool, draftedRules } from './draftedRules.js';
import { effectOf } from './effects.js';
import { asRecorded, candidateLines, type Recordings, recordedTools, recordingsOf } from './recordings.js';
import { serverTools } from './serverTools.js';
import { argumentsOf } from './toolArguments.js';
import { readTools, type ToolDescription } from './toolDescription.js';

export interface InitCommandOptions extends Omit<TraceOptions, 'traces'> {
  /** The server, if it is a command: its name and its arguments. */
  readonly command: readonly string[];
  readonly schemas?: string;
  /** A module. */
  readonly aiSdk?: string;
  readonly traces?: readonly string[];
  /** Default `foreguard.yaml`. */
  readonly output?: string;
  readonly force?: boolean;
}

/**
 * `foreguard init`: drafts a specification from what tells the tools, and runs its tests before it is written.
 *
 * @throws InvalidArgumentError if nothing or too much tells the tools, or the file exists; as the readers of each source
 */
export async function init(options: InitCommandOptions, terminal: Terminal): Promise<Outcome> {
  const { command, output = 'foreguard.yaml', force = false, traces } = options;
  // Known before a server is started.
  if (existsSync(output) && !force)
    throw new InvalidArgumentError(
      `${output} exists; give --force to write over it, or another file: --output FILE`,
    );
  for (const text of filesGivenAway({ spec: output }, command.slice(1)))
    terminal.err(`foreguard: ${printable(text)}\n`);
  const described = await toolsOf(options);
  const recordings = traces === undefined ? null : await recordingsOf({ ...options, traces });
  for (const note of recordings?.notes ?? []) terminal.err(`foreguard: ${printable(note)}\n`);
  const from = traces?.join(' ') ?? '';
  const tools = described?.tools.map(drafted) ?? (recordings === null ? [] : recordedTools(recordings));
  const rules = rulesOf(tools, recordings, from, folderIn(command));
  const next = [`npx foreguard test --spec ${output}`];
  if (command.length > 0) next.push(`npx foreguard mcp-proxy --spec ${output} -- ${command.join(' ')}`);
  const text = draftText({
    source: [...(described === null ? [] : [described.source]), ...(from === '' ? [] : [from])].join(' and '),
    tools,
    rules,
    candidates: recordings === null ? [] : candidateLines(recordings, from),
    next,
  });
  const tests = await requirePassing(text, output);
  await writeFile(output, text, { flag: force ? 'w' : 'wx' });
  const enforced = rules.filter(({ isChoice }) => !isChoice).length;
  const choices = rules.length - enforced;
  const effects = countsOf(tools);
  const unread = tools.flatMap(({ name, arguments: all }) =>
    unreadPaths(all).map((path) => `${path} of ${name}`),
  );
  const lines = [
    `${output}: ${tools.length === 0 ? '' : `${plural(tools.length, 'tool')} (${effects}); `}${plural(enforced, 'rule')}${tools.length === 0 ? '' : `, and ${choices} to choose from`}; ${plural(tests, 'test')} passed`,
    ...(unread.length === 0
      ? []
      : [
          `no rule reads ${plural(unread.length, 'argument')} that may be a path: ${comment(unread.join(', '), 200)}; write a predicate for what matters`,
        ]),
    'next:',
    ...next.map((line) => `  ${line}`),
  ];
  return {
    json: {
      file: output,
      tools: tools.map(({ name, effect, why }) => ({ name, effect, why })),
      rules: rules.map(({ name, isChoice }) => ({ name, enforced: !isChoice })),
      unread,
      tests,
      next,
    },
    text: lines.map(printable).join('\n'),
  };
}

/** The tools of the one source that is given; null if only recordings are. */
async function toolsOf({
  command,
  schemas,
  aiSdk,
  traces,
}: InitCommandOptions): Promise<{ tools: ToolDescription[]; source: string } | null> {
  const given = [command.length > 0, schemas !== undefined, aiSdk !== undefined].filter(Boolean).length;
  if (given > 1)
    throw new InvalidArgumentError('the tools are those of one source: a server, --schemas or --ai-sdk');
  if (given === 0 && traces === undefined) {
    throw new InvalidArgumentError(
      'say what the tools are: foreguard init -- npx some-mcp-server, or --schemas FILE, --ai-sdk MODULE, --traces FILE',
    );
  }
  if (schemas !== undefined) return { tools: readTools(await readJson(schemas), schemas), source: schemas };
  if (aiSdk !== undefined) return { tools: await aiSdkTools(aiSdk), source: aiSdk };
  if (command.length === 0) return null;
  return { tools: await serverTools(command), source: command.join(' ') };
}

async function readJson(path: string): Promise<unknown> {
  const expected = 'JSON Schemas of tools';
  const text = await readText(path, expected);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InvalidArgumentError(`${path} is not JSON: ${wordsOf(cause)}; expected ${expected}`, { cause });
  }
}

function drafted(tool: ToolDescription): DraftedTool {
  return { ...tool, ...effectOf(tool), arguments: argumentsOf(tool.schema) };
}

function rulesOf(
  tools: readonly DraftedTool[],
  recordings: Recordings | null,
  from: string,
  folder: string | null,
): DraftedRule[] {
  if (tools.length > 0) return draftedRules(tools, folder);
  return recordings === null ? [] : [asRecorded(recordings, from)];
}

/** A folder among the words of the server's command, which its files are likely to be in; null if there is none. */
function folderIn(command: readonly string[]): string | null {
  const folder = command.slice(1).findLast((word) => existsSync(word) && statSync(word).isDirectory());
  return folder === undefined ? null : resolve(folder);
}

/** `10 read, 4 write` */
function countsOf(tools: readonly DraftedTool[]): string {
  const counts = new Map<string, number>();
  for (const { effect } of tools) counts.set(effect, (counts.get(effect) ?? 0) + 1);
  return Array.from(counts, ([effect, count]) => `${count} ${effect.replace(/s$/, '')}`).join(', ');
}

/** Reads a draft and runs its tests: one that does not do what it says is a fault of Foreguard. @returns how many there are */
async function requirePassing(text: string, source: string): Promise<number> {
  await loadRegexEngine();
  const results = await runRuleTests(parseSpecification(text, { source }));
  const failed = results.find(({ passed }) => !passed);
  if (failed !== undefined)
    throw new Error(`the drafted test "${failed.test.name}" fails: ${failed.explanation}`);
  return results.length;
}
