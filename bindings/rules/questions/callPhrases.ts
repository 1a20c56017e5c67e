import { splitName } from '../../languages/english/index.js';
import { type AskedCall, callText } from './moves.js';

/** Words that may stand between the name of a call and its arguments without a meaning of their own. */
const FILLERS: ReadonlySet<string> = new Set(
  'to into in onto on at from with of the a an through over by for now'.split(' '),
);

/** What words can mean as a call. */
export interface FoundCalls {
  /** The calls that all of the words say. */
  readonly calls: readonly AskedCall[];
  /** Calls that they begin: arguments are left out. */
  readonly begun: readonly AskedCall[];
}

/** The words of a text, in lower case and without signs at their ends. */
export function wordsIn(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/^["'`(]+|[)"'`.,;:!?]+$/g, ''))
    .filter((word) => word !== '');
}

/** The calls that a phrase such as "walk to the bathroom" or "walking to the bathroom" says: every word counts, and every argument is said. */
export function callsSaid(phrase: string, calls: readonly AskedCall[]): FoundCalls {
  const words = wordsIn(phrase);
  const found = new Map<string, AskedCall>();
  const begun = new Map<string, AskedCall>();
  for (const call of calls) {
    const how = matched(words, call);
    if (how === 'all') found.set(callText(call), call);
    else if (how === 'begun') begun.set(callText(call), call);
  }
  return { calls: [...found.values()], begun: [...begun.values()] };
}

/** A call that is written as code: `walk`, `walk(to: bathroom)`, `send {"to": "ada"}`; null if the text is none. */
export function callWritten(text: string, names: readonly string[]): AskedCall | null {
  const found = /^`?([\w.:/-]+)`?\s*(?:\((.*)\)|(\{.*\}))?$/s.exec(text.trim());
  if (found === null) return null;
  const [, name, list, json] = found;
  if (!names.includes(name)) return null;
  if (json !== undefined) {
    const given = parsed(json);
    return typeof given === 'object' && given !== null && !Array.isArray(given)
      ? { name, arguments: given as Record<string, unknown> }
      : null;
  }
  if (list === undefined || list.trim() === '') return { name };
  const pairs = list.split(',').map((pair) => /^\s*(\w+)\s*[:=]\s*(.*?)\s*$/s.exec(pair));
  if (pairs.includes(null)) return null;
  return {
    name,
    arguments: Object.fromEntries(pairs.map((pair) => [pair?.[1], parsed(pair?.[2] ?? '') ?? pair?.[2]])),
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Whether words say a call: its name in order, with the values of its arguments among them. */
function matched(
  words: readonly string[],
  { name, arguments: given = {} }: AskedCall,
): 'all' | 'begun' | null {
  const names = splitName(name);
  const values = Object.entries(given).map(
    ([argument, value]) => [argument.toLowerCase(), splitName(String(value))] as const,
  );
  let isBegun = false;
  const argumentNames = new Set(values.map(([argument]) => argument));
  const go = (at: number, said: number, used: ReadonlySet<number>, after: string | null): boolean => {
    if (at === words.length) {
      if (said < names.length) return false;
      if (used.size === values.length) return true;
      isBegun = true;
      return false;
    }
    const word = words[at];
    if (said < names.length && isForm(word, names[said], said === 0) && go(at + 1, said + 1, used, null))
      return true;
    // The name comes first.
    if (said === 0) return false;
    for (const [i, [argument, value]] of values.entries()) {
      if (used.has(i) || value.length === 0 || value.some((part, k) => words[at + k] !== part)) continue;
      // "from the kitchen" is no argument named `to`.
      if (after !== null && after !== argument) continue;
      if (go(at + value.length, said, new Set([...used, i]), null)) return true;
    }
    if (!FILLERS.has(word) && !argumentNames.has(word)) return false;
    return go(at + 1, said, used, argumentNames.has(word) ? word : after);
  };
  return go(0, 0, new Set(), null) ? 'all' : isBegun ? 'begun' : null;
}

/** Whether a word is another, or its form in -ing: walking, moving, getting. */
function isForm(word: string, base: string, mayBeGerund: boolean): boolean {
  if (word === base) return true;
  if (!mayBeGerund || !word.endsWith('ing')) return false;
  const stem = word.slice(0, -3);
  return stem === base || `${stem}e` === base || (stem.at(-1) === stem.at(-2) && stem.slice(0, -1) === base);
}
