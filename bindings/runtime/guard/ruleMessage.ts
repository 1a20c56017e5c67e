import { threeDigits } from '../../base/digits.js';
import { InvalidArgumentError } from '../../base/errors.js';
import { printable, printableName } from '../../base/words.js';
import type { GuardFile, RuleMessage } from './guardFile.js';
import type { GuardStep, Reason } from './guardStep.js';

/** The placeholder of a hidden value, as sessions write it into what they show and record. */
export const REDACTED = '[redacted]';

/** What a message may name. */
interface Named {
  readonly tool: string | null;
  readonly rule: string;
  readonly risk: number;
  /** As they may be shown: hidden fields hold `REDACTED`. */
  readonly arguments: unknown;
}

/** Longer values are cut: who decides on a call sees it whole beside the message. */
const MAX_VALUE = 200;
const BLANK = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g;
const WHAT =
  'a message may name {arguments.NAME}, {tool}, {rule} and {risk}, and writes {{ and }} for braces';

/**
 * Where the rule itself is against the call. Elsewhere, as after a fault, the reason is another, and the words of the rule's author would mislead.
 */
const SPEAKS: ReadonlySet<Reason> = new Set([
  'violated',
  'after-violation',
  'at-threshold',
  'over-budget',
  'nothing-permitted',
  'escalated',
]);

/** Checks the text of a message. @throws InvalidArgumentError if it is empty, or names what it cannot */
export function checkMessage(text: string): void {
  if (text.trim() === '')
    throw new InvalidArgumentError('the message is empty; leave it out, or say why the rule is there');
  for (const [found, name] of text.matchAll(BLANK)) {
    if (found === '{{' || found === '}}') continue;
    if (name === undefined) throw new InvalidArgumentError(`the message has a lone ${found}; ${WHAT}`);
    const [first, ...rest] = name.split('.');
    const isArgument = first === 'arguments' && rest.length > 0 && !rest.includes('');
    if (!isArgument && name !== 'tool' && name !== 'rule' && name !== 'risk')
      throw new InvalidArgumentError(`the message names {${printable(name)}}; ${WHAT}`);
  }
}

/**
 * The messages that the rule which decided has for people and for the agent, filled in: one line each. Null if it has none, or if it is not the rule that is
 * against the call but something else.
 *
 * @param call its arguments as they may be shown, hidden fields being `REDACTED`; no name for doing nothing
 */
export function messagesOf(
  { rules }: Pick<GuardFile, 'rules'>,
  { rule, reason, risk }: Pick<GuardStep, 'rule' | 'reason' | 'risk'>,
  call: () => { readonly name: string | null; readonly arguments: unknown },
): RuleMessage | null {
  const message = rules.find(({ name }) => name === rule)?.message;
  if (message === undefined || !SPEAKS.has(reason)) return null;
  const { name: tool, arguments: given } = call();
  const named = { tool, rule, risk, arguments: given };
  const { people, agent } = message;
  return {
    ...(people !== undefined && { people: fillMessage(people, named) }),
    ...(agent !== undefined && { agent: fillMessage(agent, named) }),
  };
}

/** Fills a message in. Whatever a value holds, it looks like a value, not like a sentence: as names in questions do. */
export function fillMessage(text: string, named: Named): string {
  const filled = text.replace(BLANK, (found, name: string | undefined) => {
    if (name === undefined) return found[0];
    if (name === 'tool') return named.tool === null ? 'doing nothing' : printableName(named.tool);
    if (name === 'rule') return named.rule;
    if (name === 'risk') return Number.isNaN(named.risk) ? 'not known' : String(threeDigits(named.risk));
    return argument(named.arguments, name.split('.').slice(1));
  });
  return printable(filled.replace(/\s+/g, ' ').trim());
}

function argument(given: unknown, path: readonly string[]): string {
  let value = given;
  for (const part of path) {
    if (typeof value === 'object' && value !== null && Object.hasOwn(value, part))
      value = (value as Readonly<Record<string, unknown>>)[part];
    else if (value === REDACTED) return REDACTED;
    else return `(${path.join('.')} is missing)`;
  }
  if (value === REDACTED) return REDACTED;
  if (value === undefined) return `(${path.join('.')} is missing)`;
  return typeof value === 'string'
    ? cut(value, printableName)
    : cut(JSON.stringify(value) ?? typeof value, printable);
}

function cut(text: string, print: (text: string) => string): string {
  return text.length <= MAX_VALUE ? print(text) : `${print(text.slice(0, MAX_VALUE))}…`;
}
