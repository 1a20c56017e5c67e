import { nearestName } from '../../base/suggest.js';
import { parseExpression } from '../../languages/expression/index.js';
import type { Formula } from '../../languages/logic/index.js';
import { toolsNamed } from '../../observations/abstraction/index.js';
import type { Answer, NotAnswered } from './answers.js';
import type { Outcome, Questions } from './asking.js';
import type { AskParts } from './before.js';
import { callsSaid, callWritten } from './callPhrases.js';
import type { Knowledge } from './knowledge.js';
import { type AskedCall, callText } from './moves.js';
import { readWish } from './wishes.js';

const WHO = '(?:i|you|we|it|they|the robot|the agent)';
const MAY = '(?:may|can|could|should|might|must)';

/** The forms of questions: what stands in the group is a call, or what is asked to happen. */
const FORMS: readonly {
  readonly kind: 'rules' | 'owed' | 'free' | 'whyNot' | 'instead' | 'before' | 'will' | 'may';
  readonly form: RegExp;
}[] = [
  {
    kind: 'rules',
    form: /^(?:what (?:are|were) (?:the|your|my) rules|what rules are there|which rules (?:are there|hold)|d(?:o|id) you understand (?:me|the rules))$/i,
  },
  {
    kind: 'owed',
    form: new RegExp(`^what (?:do|does) ${WHO} (?:still )?owe(?:,? (?:and )?until when)?$`, 'i'),
  },
  { kind: 'owed', form: /^what is (?:still )?(?:owed|due)(?:,? (?:and )?until when)?$/i },
  { kind: 'free', form: new RegExp(`^what (?:else )?(?:may|can) ${WHO} do(?: now)?$`, 'i') },
  {
    kind: 'whyNot',
    form: new RegExp(
      `^why (?:${MAY} ?(?:not|n't) ${WHO} |${MAY} ${WHO} not |(?:am|is|are) ${WHO} not allowed to |can't ${WHO} |cannot ${WHO} |not )(.+)$`,
      'i',
    ),
  },
  { kind: 'instead', form: new RegExp(`^what (?:(?:may|can|should) ${WHO} do )?instead of (.+)$`, 'i') },
  {
    kind: 'before',
    form: new RegExp(
      `^what (?:must|has to|have to|needs to|should) (?:happen|be done|${WHO} do|come)(?: first)? before (?:${WHO} (?:may |can |am allowed to |is allowed to |are allowed to )?)?(.+)$`,
      'i',
    ),
  },
  {
    kind: 'before',
    form: new RegExp(
      `^what (?:do|does) ${WHO} have to do(?: first)? before (?:${WHO} (?:may |can )?)?(.+)$`,
      'i',
    ),
  },
  { kind: 'will', form: /^will (.+)$/i },
  { kind: 'will', form: /^can (?=.* ever\b)(.+)$/i },
  { kind: 'may', form: new RegExp(`^(?:may|can|could) ${WHO} (.+)$`, 'i') },
  { kind: 'may', form: new RegExp(`^(?:am|is|are|would) ${WHO} (?:be )?allowed to (.+)$`, 'i') },
];

/** What can be asked. */
const OFFERS = [
  'may I …?',
  'why not …?',
  'what instead of …?',
  'what may I do?',
  'what must happen before I …?',
  'what do I owe?',
  'will … ever …?',
  'what are the rules?',
];

/** Answers a question of one of the fixed forms. */
export function answerQuestion(ask: Questions, parts: AskParts, text: string): Answer {
  const asked = text
    .replace(/\s+/g, ' ')
    .replace(/[’]/g, "'")
    .trim()
    .replace(/^please,? /i, '')
    .replace(/[?.! ]+$/, '');
  if (asked === '') return refused('the question is empty', OFFERS);
  for (const { kind, form } of FORMS) {
    const found = form.exec(asked);
    if (found === null) continue;
    const rest = found[1] ?? '';
    if (kind === 'rules') return ask.rules();
    if (kind === 'owed') return ask.owed();
    if (kind === 'free') return ask.instead();
    if (kind === 'will') return willOf(ask, parts, rest);
    const what = readCall(parts, rest, kind === 'before');
    if ('kind' in what) return what;
    if ('predicate' in what) return ask.before(what.predicate);
    const outcome = what.outcome === undefined ? {} : { outcome: what.outcome };
    if (kind === 'may') return ask.may(what.call, outcome);
    if (kind === 'whyNot') return ask.whyNot(what.call, outcome);
    return kind === 'instead' ? ask.instead(what.call) : ask.before(what.call);
  }
  return refused(`"${text.trim()}" is no question that I understand`, OFFERS);
}

type ReadCall =
  | { readonly call: AskedCall; readonly outcome?: Outcome }
  | { readonly predicate: string }
  | NotAnswered;

/** The call that a phrase says; or, if no call is said so, the predicate that it wants to hold. */
function readCall(parts: AskParts, phrase: string, mayBePredicate: boolean): ReadCall {
  const { knowledge, moves } = parts;
  const tools = toolsOf(parts);
  const written = callWritten(phrase, tools);
  if (written !== null && (moves === null || isComplete(parts, written))) return { call: written };
  const calls = [
    ...(moves?.calls ?? []),
    ...tools.filter((name) => moves?.knows(name) !== true).map((name) => ({ name })),
  ];
  const said = callsSaid(phrase, calls);
  if (said.calls.length === 1) return { call: said.calls[0] };
  if (said.calls.length > 1) return several(phrase, said.calls);
  if (said.begun.length > 0)
    return { ...several(phrase, said.begun), message: `"${phrase}" leaves out an argument` };
  const wish = readWish(knowledge, phrase);
  if (wish.kind !== 'one') return wish.kind === 'ask' ? wish : unknown(phrase, calls, knowledge);
  const wanted = wantedLiteral(wish.formula);
  if (wanted === null) return unknown(phrase, calls, knowledge);
  const { predicate, holds } = wanted;
  const setting = holds ? (moves?.calls ?? []).filter((call) => sets(parts, call, predicate)) : [];
  if (setting.length === 1) return { call: setting[0] };
  if (mayBePredicate) return { predicate: holds ? predicate : `!${predicate}` };
  if (setting.length > 1) return several(phrase, setting);
  return { call: { name: phrase }, outcome: { [predicate]: holds } };
}

/** The predicate of a wish that something comes to hold, or ceases to. */
function wantedLiteral(formula: Formula): { readonly predicate: string; readonly holds: boolean } | null {
  if (formula.kind === 'predicate') return { predicate: formula.name, holds: true };
  if (formula.kind === 'not' && formula.operand.kind === 'predicate')
    return { predicate: formula.operand.name, holds: false };
  return formula.kind === 'unary' && formula.operator === 'F' && formula.window === null
    ? wantedLiteral(formula.operand)
    : null;
}

/** Whether a call always makes a predicate hold. */
function sets({ moves, knowledge }: AskParts, call: AskedCall, predicate: string): boolean {
  const i = knowledge.placeOf(predicate);
  const bit = 1 << (i & 31);
  const none = new Uint32Array(knowledge.abstraction.words);
  const outcomes = (
    moves?.outcomes(call, { valuation: none, known: none.map(() => 0xffffffff) }) ?? []
  ).flat();
  return outcomes.length > 0 && outcomes.every(({ valuation }) => (valuation[i >>> 5] & bit) !== 0);
}

function isComplete({ moves }: AskParts, { name, arguments: given = {} }: AskedCall): boolean {
  return Object.keys(moves?.argumentsOf(name) ?? {}).every((argument) => argument in given);
}

/** The names of all tools that the specification speaks of. */
function toolsOf({ knowledge, moves }: AskParts): string[] {
  const { specification, definitions } = knowledge;
  const named = definitions.flatMap(({ name, expression }) =>
    toolsNamed(parseExpression(expression, { name: `predicate "${name}"` })),
  );
  return [
    ...new Set([
      ...(moves?.calls ?? []).map(({ name }) => name),
      ...(specification.tools?.keys() ?? []),
      ...named.map(({ name }) => name),
    ]),
  ];
}

function willOf(ask: Questions, { knowledge }: AskParts, rest: string): Answer {
  const wish = readWish(knowledge, rest.replace(/\bever /i, '').replace(/ ever$/i, ''));
  return wish.kind === 'one' ? ask.will(wish.formula) : wish;
}

function several(phrase: string, calls: readonly AskedCall[]): NotAnswered {
  const offers = calls.slice(0, 8).map(callText);
  const message = `"${phrase}" can be ${calls.length} calls`;
  return { kind: 'ask', message, offers, text: `Which one? ${message}: ${offers.join('; ')}` };
}

function unknown(phrase: string, calls: readonly AskedCall[], knowledge: Knowledge): NotAnswered {
  const names = [...new Set(calls.map(({ name }) => name))];
  const nearest = nearestName(phrase.split(' ')[0], names);
  const offers = [
    ...(nearest === undefined ? names.slice(0, 8) : [nearest]),
    ...knowledge.predicates.slice(0, 4).map((name) => knowledge.say(name, true)),
  ];
  return refused(`"${phrase}" is no call that I know, and nothing that a predicate says`, offers);
}

export function refused(message: string, offers: readonly string[]): NotAnswered {
  return {
    kind: 'refused',
    message,
    offers,
    text: `I cannot answer: ${message}. I know: ${offers.join('; ')}`,
  };
}
