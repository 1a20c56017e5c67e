import { InvalidArgumentError, NotSupportedError } from '../../base/errors.js';
import { TupleTable } from '../../base/tupleTable.js';
import type { Alphabet } from './alphabet.js';
import { NONE } from './machine.js';
import type { Table } from './tabulate.js';

/** Truth values that several predicates can have of one text, and a text of which they probably have them. */
export interface Vector {
  /** FALSE, TRUE or NONE of each predicate, table after table. */
  readonly values: readonly number[];
  /**
   * Texts that lead to these values as far as the machines follow them, the shortest first, and of those the most readable. Where a machine is in doubt
   * (`Table.doubts`, `exactBelow`), the predicates may have other values of some of them; evaluate them to be certain.
   */
  readonly witnesses: readonly string[];
}

export interface VectorOptions {
  /** Most states of the product; default `MOST_PRODUCT_STATES`. */
  readonly limit?: number;
  /** Longest text, in code points; default: any. */
  readonly longest?: number;
  /** Is told of each step of the search, and may throw. Default: nothing. */
  readonly count?: (steps: number) => void;
}

/** Most partial functions of which each may have no value of a text. */
const MOST_IN_DOUBT = 6;
/** Most values that predicates may have together of one text. */
const MOST_COMBINATIONS = 5000;
/** Most vectors that are looked at. */
const MOST_VECTORS = 20_000;

/** Most states of a product. */
export const MOST_PRODUCT_STATES = 200_000;

/**
 * All truth values that predicates over one text can have together: no text has others. They are found by a breadth-first search of the product of the tables.
 *
 * Predicates that read the text through the same partial function have no value together: where the machines doubt that it has one, both are given.
 *
 * @param tables over one alphabet
 * @returns by length of the first witness
 * @throws NotSupportedError for more than `MOST_PRODUCT_STATES` states
 */
export function textVectors(
  tables: readonly Table[],
  { limit = MOST_PRODUCT_STATES, longest = Number.POSITIVE_INFINITY, count = () => {} }: VectorOptions = {},
): Vector[] {
  if (tables.length === 0) return [{ values: [], witnesses: [''] }];
  const { alphabet } = tables[0];
  if (tables.some((table) => table.alphabet !== alphabet))
    throw new InvalidArgumentError('tables of one product have one alphabet');
  const product = explore(tables, limit, count);
  const graph = new ProductGraph(product, alphabet);
  const found = new Map<string, { values: number[]; state: number; isLong: boolean }>();
  const add = (values: number[], state: number, isLong: boolean): void => {
    const key = values.join();
    const known = found.get(key);
    if (known === undefined || (known.isLong && !isLong)) found.set(key, { values, state, isLong });
  };
  // Many states say the same: each set of outcomes and doubts is looked at once, in the state with the shortest text.
  const seen = new Set<string>();
  for (let state = 0; state < product.size; state++) {
    const length = Math.min(graph.longestTo(state), longest);
    // States come by the length of their shortest texts: no shorter text gives what is found from here on.
    if (graph.shortestTo(state) > longest) break;
    let key = '';
    for (let i = 0; i < tables.length; i++) {
      const place = product.table.word(state, i);
      const isLimited = length >= tables[i].exactBelow;
      key += `${4 * tables[i].outcomes[place] + 2 * tables[i].doubts[place] + (isLimited ? 1 : 0)},`;
    }
    if (seen.has(key)) continue;
    seen.add(key);
    const places = tables.map((_, i) => product.table.word(state, i));
    const doubted = functionsOf(tables, (i) => tables[i].doubts[places[i]] === 1);
    const limited = functionsOf(tables, (i) => length >= tables[i].exactBelow);
    if (new Set([...doubted, ...limited]).size > MOST_IN_DOUBT || found.size > MOST_VECTORS)
      throw new NotSupportedError(
        `more than ${MOST_IN_DOUBT} folders or functions read one text in which they may have no value, or their predicates have more than ${MOST_VECTORS} values together; use fewer in one policy`,
      );
    for (const values of combinations(
      tables.map(({ together, outcomes }, i) => together.of(outcomes[places[i]])),
    )) {
      add(values, state, false);
      for (const functions of subsets(doubted)) add(withoutValue(tables, values, functions), state, false);
      for (const functions of subsets([...new Set([...doubted, ...limited])]))
        add(withoutValue(tables, values, functions), state, true);
    }
  }
  return [...found.values()].map(({ values, state, isLong }) => ({
    values,
    witnesses: [...resolvable(graph.witness(state)), ...(isLong ? graph.longTexts(state) : [])],
  }));
}

/** A text, and where it has percent signs, texts in which these stand for characters. */
function resolvable(text: string): string[] {
  if (!text.includes('%')) return [text];
  return [text, ...['%41', '%2e', '%2F..'].map((sign) => text.replaceAll('%', sign))];
}

/** The states of a product that some text leads to, breadth first, with the table's tuple of each. */
interface Product {
  readonly table: TupleTable;
  readonly size: number;
  /** Successors of each state, by class. */
  readonly next: readonly number[];
  /** The state from which each was reached first, and the class that led to it; -1 for the start. */
  readonly parents: readonly number[];
  readonly letters: readonly number[];
}

function explore(tables: readonly Table[], limit: number, count: (steps: number) => void): Product {
  const { size: classes } = tables[0].alphabet;
  const table = new TupleTable(tables.length);
  const tuple = new Uint32Array(tables.length);
  table.insert(tuple);
  const rows = new Int32Array(tables.length);
  const successors = tables.map((one) => one.next);
  // Where there are few tuples, what became of each is looked up by its number, the sum of what each table adds to it.
  const tuples = tables.reduce((product, { states }) => product * states, 1);
  const known = tuples <= MOST_NUMBERED ? new Int32Array(tuples) : null;
  let weight = 1;
  const weighted = tables.map(({ next: own, states }) => {
    const before = weight;
    weight *= states;
    return known === null ? own : own.map((to) => to * before);
  });
  if (known !== null) known[0] = 1;
  const next: number[] = [];
  const parents = [-1];
  const letters = [-1];
  for (let state = 0; state < table.size; state++) {
    count(classes);
    for (let i = 0; i < rows.length; i++) rows[i] = table.word(state, i) * classes;
    for (let c = 0; c < classes; c++) {
      let number = 0;
      if (known !== null) for (let i = 0; i < rows.length; i++) number += weighted[i][rows[i] + c];
      let to = known === null ? -1 : known[number] - 1;
      if (to < 0) {
        for (let i = 0; i < rows.length; i++) tuple[i] = successors[i][rows[i] + c];
        to = table.insert(tuple);
        if (known !== null) known[number] = to + 1;
      }
      if (to === parents.length) {
        if (to >= limit)
          throw new NotSupportedError(
            `${tables.length} predicates over one text have more than ${limit} states together; use fewer in one policy, or simpler ones`,
          );
        parents.push(state);
        letters.push(c);
      }
      next.push(to);
    }
  }
  return { table, size: table.size, next, parents, letters };
}

/** Most tuples of states that are looked up by number. */
const MOST_NUMBERED = 1_000_000;

/** Length of texts that are longer than any limit of a function on texts. */
const LONG = 400;
/** Most long texts tried for one state. */
const MOST_LONG_TEXTS = 12;

/** Texts that lead to the states of a product. */
class ProductGraph {
  readonly #product: Product;
  readonly #alphabet: Alphabet;
  readonly #shortest: Int32Array;
  readonly #longest: Float64Array;
  #into: readonly (readonly number[])[] | undefined;

  constructor(product: Product, alphabet: Alphabet) {
    this.#product = product;
    this.#alphabet = alphabet;
    // Parents come before their children.
    this.#shortest = new Int32Array(product.size);
    for (let state = 1; state < product.size; state++)
      this.#shortest[state] = this.#shortest[product.parents[state]] + 1;
    this.#longest = longestTexts(product, alphabet.size);
  }

  /** Length of the longest text that leads to a state; infinite where a cycle leads to it. */
  longestTo(state: number): number {
    return this.#longest[state];
  }

  /** Length of the shortest text that leads to a state. */
  shortestTo(state: number): number {
    return this.#shortest[state];
  }

  /** The shortest text that leads to a state. */
  witness(state: number): string {
    const { parents, letters } = this.#product;
    const codes: number[] = [];
    for (let at = state; parents[at] >= 0; at = parents[at])
      codes.push(this.#alphabet.representatives[letters[at]]);
    return String.fromCodePoint(...codes.reverse());
  }

  /** The edges that lead to each state. */
  #edgesInto(): readonly (readonly number[])[] {
    if (this.#into === undefined) {
      const { size, next } = this.#product;
      const into: number[][] = Array.from({ length: size }, () => []);
      for (let edge = 0; edge < next.length; edge++) into[next[edge]].push(edge);
      this.#into = into;
    }
    return this.#into;
  }

  /** Texts beyond all limits that lead to a state, each with one character repeated at another place. */
  longTexts(state: number): string[] {
    const { size, next } = this.#product;
    const { size: classes, representatives } = this.#alphabet;
    // The shortest ways from each state to this one, backwards.
    const step = new Int32Array(size).fill(-1);
    const before = this.#edgesInto();
    const order = [state];
    const seen = new Uint8Array(size);
    seen[state] = 1;
    const texts: string[] = [];
    for (let i = 0; i < order.length && texts.length < MOST_LONG_TEXTS; i++) {
      const at = order[i];
      const loop = representatives.findIndex((_, c) => next[at * classes + c] === at);
      if (loop >= 0) {
        const repeated = String.fromCodePoint(representatives[loop]).repeat(LONG);
        const rest: number[] = [];
        for (let place = at; place !== state; place = next[step[place]])
          rest.push(representatives[step[place] % classes]);
        texts.push(this.witness(at) + repeated + String.fromCodePoint(...rest));
      }
      for (const edge of before[at]) {
        const from = Math.floor(edge / classes);
        if (seen[from] === 1) continue;
        seen[from] = 1;
        step[from] = edge;
        order.push(from);
      }
    }
    return texts;
  }
}

/** For each state, the length of the longest text that leads to it; infinite where a cycle leads to it. */
function longestTexts({ size, next }: Product, classes: number): Float64Array {
  // States to which no cycle leads lose their predecessors one after another.
  const before = new Int32Array(size);
  for (let edge = 0; edge < next.length; edge++) before[next[edge]]++;
  const longest = new Float64Array(size);
  const settled = new Uint8Array(size);
  const open: number[] = [];
  for (let state = 0; state < size; state++) if (before[state] === 0) open.push(state);
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    settled[state] = 1;
    for (let c = 0; c < classes; c++) {
      const to = next[state * classes + c];
      longest[to] = Math.max(longest[to], longest[state] + 1);
      if (--before[to] === 0) open.push(to);
    }
  }
  for (let state = 0; state < size; state++)
    if (settled[state] === 0) longest[state] = Number.POSITIVE_INFINITY;
  return longest;
}

/** The partial functions of which this is so, through which predicates read the text. */
function functionsOf(tables: readonly Table[], isSo: (i: number) => boolean): string[] {
  return [
    ...new Set(tables.flatMap(({ through }, i) => (through !== undefined && isSo(i) ? [through] : []))),
  ];
}

function withoutValue(
  tables: readonly Table[],
  values: readonly number[],
  functions: readonly string[],
): number[] {
  let i = 0;
  return tables.flatMap(({ through = '', together }) => {
    const own = values.slice(i, (i += together.predicates));
    return functions.includes(through) ? own.map(() => NONE) : own;
  });
}

/** Every choice of one of each, joined. */
function combinations(choices: readonly (readonly (readonly number[])[])[]): number[][] {
  if (choices.reduce((product, { length }) => product * length, 1) > MOST_COMBINATIONS)
    throw new NotSupportedError(
      `predicates of one text that are not followed have more than ${MOST_COMBINATIONS} values together; use fewer in one policy`,
    );
  return choices.reduce<number[][]>(
    (all, some) => all.flatMap((before) => some.map((one) => [...before, ...one])),
    [[]],
  );
}

/** All subsets but the empty one. */
function subsets<T>(items: readonly T[]): T[][] {
  const all: T[][] = [];
  for (const item of items) all.push(...all.map((one) => [...one, item]), [item]);
  return all;
}
