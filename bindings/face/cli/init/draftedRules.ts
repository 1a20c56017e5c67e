import { printableName } from '../../../base/words.js';
import { quoted } from '../../../base/yamlText.js';
import {
  argumentsWith,
  isField,
  isNamed,
  isPath,
  mayNameFile,
  type Named,
  textsNamed,
} from './argumentTexts.js';
import type { Effect } from './effects.js';
import { sampleOf, samplesOf, type ToolArgument } from './toolArguments.js';
import type { ToolDescription } from './toolDescription.js';

/** A tool with what it takes and does. */
export interface DraftedTool extends ToolDescription {
  readonly arguments: readonly ToolArgument[];
  readonly effect: Effect;
  readonly why: string;
}

/** A call in a test: a tool with arguments. */
export interface DraftedCall {
  readonly call: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  /** What is observed before it. */
  readonly state?: Readonly<Record<string, unknown>>;
}

/** A rule of the draft: no call for which its condition holds. */
export interface DraftedRule {
  readonly name: string;
  /** What it does, in a sentence or two. */
  readonly says: string;
  /** Whether it stands commented out, because a person has to choose something first. */
  readonly isChoice: boolean;
  readonly predicate: string;
  /** When a call breaks it, as an expression. */
  readonly condition: string;
  readonly strategy?: 'inspect' | 'report';
  readonly passes: readonly DraftedCall[];
  /** The last of these calls is stopped. */
  readonly stops: readonly DraftedCall[];
}

const MAX_CHANGES = 20;
const MAX_SENT = 5;
/** Endings of `.env` that hold what it holds; `.env.example` does not. */
const ENDINGS = 'local|prod(uction)?|dev(elopment)?|stag(e|ing)|test|backup|bak|old|orig|save';
/**
 * Any name in a path, not the last alone: `.env/`, `.env/.` and `.env/x/..` are other words for `.env`; so are `.env.` and `.env::$DATA` on Windows, and `%2eenv` in the
 * address of a file.
 */
const HIDDEN = `(\\.|%2e)(env(rc)?(\\.(${ENDINGS}))*~?|netrc|pgpass|npmrc|pypirc|git-credentials|ssh|aws|gnupg|kube)`;
const SECRET_FILES = `(?i)(^|[/\\\\]|%2f)(${HIDDEN}|id_(rsa|dsa|ecdsa|ed25519)(_sk)?|credentials\\.json|[^/\\\\]*\\.(pem|key|p12|pfx|kdbx))[ .]*(:[^/\\\\]*)?([/\\\\?#]|%2f|$)`;
const DANGEROUS =
  '(?i)\\b(rm\\s+-\\w*[rf]|dd\\s+if=|mkfs|shutdown|reboot|sudo|chmod\\s+777)|\\bgit\\s+push\\b|\\b(curl|wget)\\b[^|]*\\|\\s*(ba|z)?sh|\\b(drop|truncate)\\s+(table|database)\\b';

const RECIPIENT = isNamed(/(?:^|_)(?:to|cc|bcc|recipient|recipients|email|emails|mail)$/);
/** Whether a tool that sends nothing may still write messages: `to` is also the end of a link, or of a move. */
const isAboutMessages = (tool: DraftedTool): boolean =>
  tool.effect === 'sends' ||
  /mail|messag|recipient|draft|invit/i.test(`${tool.name} ${tool.description}`) ||
  textsNamed(tool.arguments, isNamed(/mail|recipient/)).length > 0;
const URL_NAME = isNamed(/(?:^|_)(?:url|urls|uri|link|href|endpoint)$/);
/** A list of one text that is always there. */
const SINGLE = /^\[([\w.]+)\]$/;
const AMOUNT = /(?:^|_)(?:amount|total|price|sum|value|cents)$/;
const COMMAND = isNamed(/(?:^|_)(?:command|cmd|code|script|shell|expression|sql|statement)$/);

/** The rules that fit the tools: those to enforce, and those that need a choice. @param folder a guess of where files may be written */
export function draftedRules(tools: readonly DraftedTool[], folder: string | null = null): DraftedRule[] {
  const of = (...effects: Effect[]): DraftedTool[] => tools.filter(({ effect }) => effects.includes(effect));
  const changing = of('writes', 'executes', 'unclear');
  const harmless = [...of('reads'), ...changing].slice(0, 1).map((tool) => callOf(tool));
  const rules: (DraftedRule | null)[] = [
    {
      name: 'knownTools',
      says: 'No call of a tool that is not listed above: a server may offer a new one tomorrow.',
      isChoice: false,
      predicate: 'unknownTool',
      condition: `!(action.name in [${tools.map(({ name }) => quoted(name)).join(', ')}])`,
      passes: harmless,
      stops: [...harmless, { call: unknownName(tools) }],
    },
    forbidden('nothingDeleted', 'deletes', 'Nothing is deleted.', of('deletes'), harmless),
    forbidden('nothingPaid', 'pays', 'Nothing is paid or ordered.', of('pays'), harmless),
    limited('fewMessages', 'sendsTooMuch', 'messages in a run', MAX_SENT, of('sends')),
    limited(
      'fewChanges',
      'changesTooMuch',
      'calls in a run that write or run something, or may',
      MAX_CHANGES,
      changing,
    ),
    texts('noSecretFiles', 'namesSecretFile', tools, mayNameFile, {
      says: 'No path among the arguments has a name that is usual for keys or passwords, as .env and id_rsa are. Commands, searches and listings of folders may still show such files.',
      isChoice: false,
      breaks: (text) => `${text}.matches(r"${SECRET_FILES}")`,
      good: 'notes.txt',
      bad: 'site/.env',
    }),
    texts('noDangerousCommand', 'dangerous', of('executes', 'unclear', 'writes'), COMMAND, {
      says: 'No command with words such as rm -rf, sudo or git push. There are other ways to do the same: knownCommands, below, is safer.',
      isChoice: false,
      breaks: (text) => `${text}.matches(r"${DANGEROUS}")`,
      good: 'ls src',
      bad: 'cd /tmp && rm -rf .',
    }),
    texts('inFolder', 'writesElsewhere', of('writes', 'deletes', 'unclear'), isPath, {
      says: `Files are written in one folder only. Paths begin with / as the folder does${folder === null ? ', which you put in' : ''}.`,
      isChoice: true,
      breaks: (text) => `!isUnder(${text}, ${quoted(folder ?? '/home/me/project')})`,
      good: `${folder ?? '/home/me/project'}/a.txt`,
      bad: '/etc/a.txt',
    }),
    readFirst(tools),
    texts(
      'knownRecipients',
      'toStranger',
      of('sends', 'unclear', 'writes').filter(isAboutMessages),
      RECIPIENT,
      {
        says: 'Mail goes only to addresses of one domain: put yours in.',
        isChoice: true,
        breaks: (text) => `domainOf(${text}) != "example.com"`,
        good: 'ann@example.com',
        bad: 'eve@elsewhere.example',
      },
    ),
    texts('knownHosts', 'strangeHost', tools, URL_NAME, {
      says: 'Only hosts that you list: put yours in.',
      isChoice: true,
      breaks: (text) => `!(hostOf(${text}) in ["example.com", "docs.example.com"])`,
      good: 'https://example.com/a',
      bad: 'https://elsewhere.example/a',
    }),
    texts('knownCommands', 'strangeCommand', of('executes'), COMMAND, {
      says: 'Only commands that you list, with plain arguments.',
      isChoice: true,
      breaks: (text) => `!${text}.matches(r"^(ls|cat|git status)( [A-Za-z0-9_./-]+)*$")`,
      good: 'ls src',
      bad: 'git push',
    }),
    largePayments(of('pays')),
    asked(
      of('deletes', 'pays', 'sends', 'executes', 'writes', 'unclear'),
      of('reads')
        .slice(0, 1)
        .map((tool) => callOf(tool)),
    ),
  ];
  return rules.filter((rule) => rule !== null);
}

/** A call of a tool with the arguments that it needs. */
export function callOf(
  { name, arguments: all }: DraftedTool,
  given: Record<string, unknown> = {},
): DraftedCall {
  return { call: name, arguments: { ...samplesOf(all), ...given } };
}

/** `action.name == "a"`, or one of several. */
function isOneOf(tools: readonly { readonly name: string }[], name = 'action.name'): string {
  const names = tools.map((tool) => quoted(tool.name));
  return names.length === 1 ? `${name} == ${names[0]}` : `${name} in [${names.join(', ')}]`;
}

/** A name that no tool has. */
function unknownName(tools: readonly DraftedTool[]): string {
  let name = 'tool_of_tomorrow';
  while (tools.some((tool) => tool.name === name)) name += '_';
  return name;
}

function forbidden(
  name: string,
  predicate: string,
  says: string,
  tools: readonly DraftedTool[],
  harmless: readonly DraftedCall[],
): DraftedRule | null {
  if (tools.length === 0) return null;
  return {
    ...{ name, predicate, isChoice: false, condition: isOneOf(tools) },
    says: `${says} To have a person asked instead, add strategy: inspect.`,
    passes: harmless,
    stops: [...harmless, callOf(tools[0])],
  };
}

/** A limit on the calls of a run. */
function limited(
  name: string,
  predicate: string,
  what: string,
  limit: number,
  tools: readonly DraftedTool[],
): DraftedRule | null {
  if (tools.length === 0) return null;
  const calls = Array<DraftedCall>(limit).fill({ call: tools[0].name });
  return {
    ...{ name, predicate, isChoice: false },
    says: `At most ${limit} ${what}; failed ones count.`,
    condition: `${isOneOf(tools)} && size(history.filter(c, ${isOneOf(tools, 'c.name')})) >= ${limit}`,
    passes: calls,
    stops: [...calls, { call: tools[0].name }],
  };
}

interface TextCheck extends Pick<DraftedRule, 'says' | 'isChoice'> {
  /** The expression that is true of a text that breaks the rule. */
  readonly breaks: (text: string) => string;
  readonly good: string;
  readonly bad: string;
}

/** A rule on the texts in arguments that have such a name. Null if no tool has one. */
function texts(
  name: string,
  predicate: string,
  tools: readonly DraftedTool[],
  named: Named,
  { says, isChoice, breaks, good, bad }: TextCheck,
): DraftedRule | null {
  const byTexts = new Map<string, DraftedTool[]>();
  for (const tool of tools) {
    const read = textsRead(tool, named);
    if (read !== null) byTexts.set(read, [...(byTexts.get(read) ?? []), tool]);
  }
  if (byTexts.size === 0) return null;
  const groups = [...byTexts];
  const [[read, [first]]] = groups;
  const [, only] = SINGLE.exec(read) ?? [];
  // The texts of whichever tool is called; of one text there is no need of a list.
  const some = `(${groups.map(([list, those]) => `${isOneOf(those)} ? ${list} : `).join('')}[])`;
  const condition =
    groups.length > 1
      ? `${some}.exists(t, ${breaks('t')})`
      : `${isOneOf(groups[0][1])} && ${only === undefined ? `(${read}).exists(t, ${breaks('t')})` : breaks(only)}`;
  const given = textsNamed(first.arguments, named);
  const call = (text: string): DraftedCall => ({
    call: first.name,
    arguments: argumentsWith(first.arguments, given, text, sampleOf),
  });
  return {
    ...{ name, says, isChoice, predicate, condition },
    passes: [call(good)],
    stops: [call(bad)],
  };
}

/** The list of the texts that a tool is given; null if it takes none. */
function textsRead({ arguments: all }: DraftedTool, named: Named): string | null {
  const lists = textsNamed(all, named).map(({ list }) => list);
  if (lists.length === 0) return null;
  // Texts that are always there are one list.
  const single = lists.filter((list) => SINGLE.test(list)).map((list) => list.slice(1, -1));
  const others = lists.filter((list) => !SINGLE.test(list));
  return [...(single.length > 0 ? [`[${single.join(', ')}]`] : []), ...others].join(' + ');
}

function readFirst(tools: readonly DraftedTool[]): DraftedRule | null {
  const pathOf = (tool: DraftedTool): string | undefined =>
    tool.arguments.find(
      (one) => one.type === 'text' && one.required && one.values === null && isField(one.name) && isPath(one),
    )?.name;
  const writers = tools.filter(
    ({ effect, name }) => effect === 'writes' && /write|edit|save|replace|update|put/i.test(name),
  );
  const argument = writers.map(pathOf).find((name) => name !== undefined);
  if (argument === undefined) return null;
  const overwriting = writers.filter((tool) => pathOf(tool) === argument);
  const readers = tools.filter(
    (tool) =>
      tool.effect === 'reads' && pathOf(tool) === argument && /read|get|open|view|cat/i.test(tool.name),
  );
  if (readers.length === 0) return null;
  const given = { [argument]: '/home/me/project/a.txt' };
  const write = callOf(overwriting[0], given);
  return {
    name: 'readFirst',
    says: 'Only files that were read are written: an agent that has not read one does not know what it destroys. New files cannot be read first.',
    isChoice: true,
    predicate: 'writesUnread',
    condition: `${isOneOf(overwriting)} && !history.exists(c, ${isOneOf(readers, 'c.name')} && !c.failed && c.arguments.${argument} == action.arguments.${argument})`,
    passes: [callOf(readers[0], given), write],
    stops: [write],
  };
}

function largePayments(tools: readonly DraftedTool[]): DraftedRule | null {
  const amountOf = (tool: DraftedTool): string | undefined =>
    tool.arguments.find(
      ({ name, type, required }) =>
        required && ['number', 'integer'].includes(type) && isField(name) && AMOUNT.test(name.toLowerCase()),
    )?.name;
  const paying = tools.filter((tool) => amountOf(tool) !== undefined);
  if (paying.length === 0) return null;
  const amount = amountOf(paying[0]) as string;
  const alike = paying.filter((tool) => amountOf(tool) === amount);
  // The rule stands in place of one that stops all of them.
  const others = tools.filter((tool) => !alike.includes(tool));
  const large = `${isOneOf(alike)} && action.arguments.${amount} > 100`;
  const unread =
    others.length === 0
      ? ''
      : `, and about each call of ${others.map(({ name }) => printableName(name)).join(', ')}, of which it does not know how much is paid`;
  return {
    name: 'askAboutLargePayments',
    says: `In place of nothingPaid: a person is asked about payments above 100${unread}.`,
    isChoice: true,
    predicate: 'paysMuch',
    condition: others.length === 0 ? large : `${large} || ${isOneOf(others)}`,
    strategy: 'inspect',
    passes: [callOf(alike[0], { [amount]: 100 })],
    stops: [callOf(others[0] ?? alike[0], others.length === 0 ? { [amount]: 101 } : {})],
  };
}

function asked(tools: readonly DraftedTool[], harmless: readonly DraftedCall[]): DraftedRule | null {
  if (tools.length === 0) return null;
  return {
    name: 'askFirst',
    says: 'A person is asked about each call that does more than read.',
    isChoice: true,
    predicate: 'doesMoreThanRead',
    condition: isOneOf(tools),
    strategy: 'inspect',
    passes: harmless,
    stops: [...harmless, callOf(tools[0])],
  };
}
