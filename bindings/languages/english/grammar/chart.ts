import { BudgetError } from './budget.js';
import { numberOf, type Token } from './tokens.js';

/** What a part of a sentence says: plain data, so that equal readings are found equal. */
export type Tree = string | number | null | readonly Tree[];

/**
 * One line of a grammar: `left` is made of the symbols of `right`, which are apart by a space. `word` and `one|other` are words, `%name` is a phrase of that list, `Name` is
 * another left side, `#` a number, `@` a predicate's phrase; `?` after a symbol makes it optional. `make` gets what the last three said, in order (null where left out).
 */
export interface Rule {
  readonly left: string;
  readonly right: string;
  readonly make: (...parts: Tree[]) => Tree;
}

/** How a predicate, or a place where one holds, may be written. */
export interface NamedPhrase {
  /** `place`: something that is visited or happens (`@place`); `state`: a sentence that says what holds (`@state`). */
  readonly kind: 'place' | 'state';
  readonly words: readonly string[];
  readonly tree: Tree;
}

interface Edge {
  readonly end: number;
  readonly tree: Tree;
}

type Symbol =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | {
      readonly kind: 'phrases';
      readonly name: string;
      readonly byFirst: ReadonlyMap<string, readonly (readonly string[])[]>;
    }
  | { readonly kind: 'rule' | 'number' | 'named'; readonly name: string };

interface Line {
  readonly symbols: readonly { readonly symbol: Symbol; readonly optional: boolean }[];
  readonly make: Rule['make'];
  /** The words that it can begin with, and `#` and `@…` for numbers and names. */
  readonly starts: Set<string>;
}

/** A grammar, ready to parse. No rule may begin with its own left side, be it through others. */
export type Grammar = ReadonlyMap<string, readonly Line[]>;

/** Works out what each line can begin with, until nothing is added. A line that can be empty begins with anything: `*`. */
function findStarts(grammar: Grammar): void {
  const starts = new Map([...grammar.keys()].map((left) => [left, new Set<string>()]));
  const of = (symbol: Symbol): Iterable<string> =>
    symbol.kind === 'words'
      ? symbol.words
      : symbol.kind === 'phrases'
        ? symbol.byFirst.keys()
        : symbol.kind === 'rule'
          ? (starts.get(symbol.name) as Set<string>)
          : [symbol.name];
  const add = ({ symbols }: Line, to: Set<string>): void => {
    const last = symbols.findIndex(({ optional }) => !optional);
    for (const { symbol } of last < 0 ? symbols : symbols.slice(0, last + 1))
      for (const start of of(symbol)) to.add(start);
    if (last < 0) to.add('*');
  };
  for (let grows = true; grows; ) {
    grows = false;
    for (const [left, lines] of grammar) {
      const found = starts.get(left) as Set<string>;
      const { size } = found;
      for (const line of lines) add(line, found);
      grows ||= found.size > size;
    }
  }
  for (const lines of grammar.values()) for (const line of lines) add(line, line.starts);
}

/** Prepares a grammar. */
export function grammarOf(
  rules: readonly Rule[],
  phrases: Readonly<Record<string, readonly string[]>>,
): Grammar {
  const split = new Map(Object.entries(phrases).map(([name, list]) => [name, byFirstWord(list)]));
  const symbolOf = (text: string): Symbol => {
    if (text === '#') return { kind: 'number', name: text };
    if (text.startsWith('@')) return { kind: 'named', name: text };
    if (text.startsWith('%')) {
      const name = text.slice(1);
      return { kind: 'phrases', name, byFirst: split.get(name) as ReadonlyMap<string, string[][]> };
    }
    return /^[A-Z]/.test(text) ? { kind: 'rule', name: text } : { kind: 'words', words: text.split('|') };
  };
  const lines = new Map<string, Line[]>();
  for (const { left, right, make } of rules) {
    const symbols = right.split(' ').map((part) => ({
      symbol: symbolOf(part.replace(/\?$/, '')),
      optional: part.endsWith('?'),
    }));
    lines.set(left, [...(lines.get(left) ?? []), { symbols, make, starts: new Set() }]);
  }
  findStarts(lines);
  return lines;
}

function byFirstWord(phrases: readonly string[]): ReadonlyMap<string, string[][]> {
  const found = new Map<string, string[][]>();
  for (const phrase of new Set(phrases)) {
    const words = phrase.split(' ');
    const same = found.get(words[0]);
    if (same === undefined) found.set(words[0], [words]);
    else same.push(words);
  }
  return found;
}

/** What parsing found: what the whole sentence can say, and how far any start of a sentence reached. */
export interface Parsed {
  readonly trees: readonly Tree[];
  /** Number of the first token after which no form of sentence goes on. */
  readonly reached: number;
  /** What would have been understood there. */
  readonly expected: readonly string[];
}

/**
 * All that the tokens can say, with every one of them used.
 *
 * A chart from the top down: what a symbol can say from a token on is worked out once.
 *
 * @throws BudgetError if the sentence has too many parts that fit
 */
export function parse(
  grammar: Grammar,
  start: string,
  tokens: readonly Token[],
  named: readonly NamedPhrase[],
  maxEdges = 60_000,
): Parsed {
  const parsed = parsing(grammar, start, tokens, named, maxEdges, false);
  // What was expected is only known if nothing is left out.
  return parsed.trees.length > 0 ? parsed : parsing(grammar, start, tokens, named, maxEdges, true);
}

function parsing(
  grammar: Grammar,
  start: string,
  tokens: readonly Token[],
  named: readonly NamedPhrase[],
  maxEdges: number,
  isComplete: boolean,
): Parsed {
  const starting = tokens.map(({ text }, at) => {
    const kinds = named.filter(({ words }) => words.every((word, i) => tokens[at + i]?.text === word));
    return new Set([
      '*',
      text,
      ...(numberOf(text) === null ? [] : ['#']),
      ...kinds.map(({ kind }) => `@${kind}`),
    ]);
  });
  const canStart = ({ starts }: Line, at: number): boolean => {
    if (isComplete || starts.has('*')) return true;
    for (const start of starting[at] ?? []) if (starts.has(start)) return true;
    return false;
  };
  // Where a predicate is called "a", "a b and c" may name three: the word is no article then.
  const names = new Set(named.flatMap(({ words }) => (words.length === 1 ? words : [])));
  const isName = (list: string, [word]: readonly string[]): boolean =>
    (list === 'article' || list === 'determiner') && names.has(word);
  const chart = new Map<string, readonly Edge[]>();
  const expected = new Map<number, Set<string>>();
  let reached = 0;
  let edges = 0;
  const wanted = (at: number, text: string): void => {
    if (at < reached) return;
    reached = at;
    const set = expected.get(at) ?? new Set();
    expected.set(at, set.add(text));
  };
  const matches = (words: readonly string[], at: number): boolean => {
    for (let i = 0; i < words.length; i++)
      if (tokens[at + i]?.text !== words[i]) {
        wanted(at + i, words.slice(i).join(' '));
        return false;
      }
    return true;
  };
  const placesOf = (at: number, kind: string): Edge[] => {
    const found: Edge[] = [];
    for (const { words, tree, kind: of } of named)
      if (`@${of}` === kind && matches(words, at)) found.push({ end: at + words.length, tree });
    return found;
  };
  const edgesOf = (symbol: Symbol, at: number): readonly Edge[] => {
    if (symbol.kind === 'words')
      return symbol.words.some((word) => matches([word], at)) ? [{ end: at + 1, tree: null }] : [];
    if (symbol.kind === 'phrases') {
      const phrases = symbol.byFirst.get(tokens[at]?.text ?? '') ?? [];
      if (phrases.length === 0) wanted(at, `%${symbol.name}`);
      return phrases
        .filter((phrase) => matches(phrase, at) && !isName(symbol.name, phrase))
        .map((phrase) => ({ end: at + phrase.length, tree: null }));
    }
    const key = `${at} ${symbol.name}`;
    const known = chart.get(key);
    if (known !== undefined) return known;
    chart.set(key, []);
    const found = new Map<string, Edge>();
    const add = (edge: Edge): void => {
      const same = `${edge.end} ${JSON.stringify(edge.tree)}`;
      if (found.has(same)) return;
      if (++edges > maxEdges) throw new BudgetError();
      found.set(same, edge);
    };
    if (symbol.kind === 'number') {
      const number = at < tokens.length ? numberOf(tokens[at].text) : null;
      if (number !== null) add({ end: at + 1, tree: number });
      else wanted(at, 'a number');
    } else if (symbol.kind === 'named') for (const edge of placesOf(at, symbol.name)) add(edge);
    else
      for (const line of grammar.get(symbol.name) as readonly Line[])
        if (canStart(line, at))
          along(line, 0, at, [], (end, parts) => add({ end, tree: line.make(...parts) }));
    const list = [...found.values()];
    chart.set(key, list);
    return list;
  };
  const along = (
    line: Line,
    index: number,
    at: number,
    parts: readonly Tree[],
    found: (end: number, parts: readonly Tree[]) => void,
  ): void => {
    if (index === line.symbols.length) {
      found(at, parts);
      return;
    }
    const { symbol, optional } = line.symbols[index];
    const says = symbol.kind === 'rule' || symbol.kind === 'number' || symbol.kind === 'named';
    for (const edge of edgesOf(symbol, at))
      along(line, index + 1, edge.end, says ? [...parts, edge.tree] : parts, found);
    if (optional) along(line, index + 1, at, says ? [...parts, null] : parts, found);
  };
  const trees = edgesOf({ kind: 'rule', name: start }, 0)
    .filter(({ end }) => end === tokens.length)
    .map(({ tree }) => tree);
  return { trees, reached, expected: [...(expected.get(reached) ?? [])] };
}
