import { characterSet, codePointsOf } from '../characterSet.js';
import { FALSE, type Machine, NONE, TRUE } from '../machine.js';
import { DOT, type Folder, MOST_NAMES, PERCENT, REFUSED, SLASH } from './path.js';

const TILDE = characterSet('~');

/** Further names that are counted. */
const MOST_COUNTED = 8;

/** A name of a folder, below its parent; the roots have none. */
interface Node {
  readonly parent: number;
  readonly absolute: boolean;
  /** The values of all predicates of paths that end here or, beside the folders, below here. */
  readonly values: number[];
  readonly children: Map<string, number>;
  /** Where the names of its children begin, as a trie of code points. */
  readonly letters: number;
}

/** How far into the names of children: what follows by code point, and the child whose name ends here. */
interface Letter {
  readonly next: Map<number, number>;
  child: number;
}

/** The name so far: nothing, dots alone, or another. */
const [EMPTY, ONE_DOT, TWO_DOTS, OTHER] = [0, 1, 2, 3];
/** The letter of a name that no child has. */
const LOST = 0;
/** States that are no places: before anything, without a value, and anywhere, with or without percent signs. */
const [START, NOWHERE, ANYWHERE, ANYWHERE_PERCENT] = [0, 1, 2, 3];
const PLACES = 4;
/** Numbers of a place. */
const FIELDS = 6;
const [SLASH_CODE, DOT_CODE, PERCENT_CODE, TILDE_CODE] = codePointsOf('/.%~');
const isRefused = (code: number): boolean => code === 0 || code === 0x5c;

/**
 * `isUnder(text, folder)` for several folders. A path's place is the folder that it has entered, the number of further names, and what the name that it ends in
 * is so far.
 *
 * Two things are not followed. Percent signs are read as they stand; resolved, the path may lead anywhere, and `isUnder` has no value where that makes a
 * difference. And further names are counted up to `MOST_COUNTED`; a path that goes deeper and then up again may be anywhere.
 */
export function isInFolders(folders: readonly Folder[]): Machine<number> {
  const { nodes, letters, roots } = treeOf(folders);
  const outcomes = new Outcomes(nodes.map(({ values }) => values));
  // Places are numbered as they are met. The numbers of one are its folder, the letter of its next name, further names, whether there were more of these, the
  // name so far, and whether there was a percent sign.
  const width = letters.length;
  const numbers = new Map<number, number>();
  const fields: number[] = new Array(PLACES * FIELDS).fill(0);
  const place = (
    node: number,
    letter: number,
    more: number,
    deep: number,
    name: number,
    percent: number,
  ): number => {
    const key = ((((node * width + letter) * (MOST_COUNTED + 1) + more) * 2 + deep) * 4 + name) * 2 + percent;
    let number = numbers.get(key);
    if (number === undefined) {
      number = fields.length / FIELDS;
      numbers.set(key, number);
      fields.push(node, letter, more, deep, name, percent);
    }
    return number;
  };
  /** The place once the name has ended, with a slash or the text. */
  const ended = (state: number): number => {
    const at = state * FIELDS;
    const [node, letter, more] = [fields[at], fields[at + 1], fields[at + 2]];
    const [deep, name, percent] = [fields[at + 3], fields[at + 4], fields[at + 5]];
    const fresh = (folder: number, further: number, isDeep: number): number =>
      place(folder, further === 0 ? nodes[folder].letters : LOST, further, isDeep, EMPTY, percent);
    if (name === EMPTY || name === ONE_DOT) return fresh(node, more, deep);
    if (name === TWO_DOTS) {
      if (deep === 1) return percent === 1 ? ANYWHERE_PERCENT : ANYWHERE;
      if (more > 0) return fresh(node, more - 1, 0);
      return nodes[node].parent < 0 ? NOWHERE : fresh(nodes[node].parent, 0, 0);
    }
    const { child } = letters[letter];
    if (more === 0 && child >= 0) return fresh(child, 0, 0);
    return more === MOST_COUNTED ? fresh(node, more, 1) : fresh(node, more + 1, deep);
  };
  /** The place after one more code point of a name. */
  const grown = (state: number, code: number): number => {
    const at = state * FIELDS;
    const name = fields[at + 4];
    const next = code === DOT_CODE && name < TWO_DOTS ? name + 1 : OTHER;
    const percent = code === PERCENT_CODE ? 1 : fields[at + 5];
    const letter = letters[fields[at + 1]].next.get(code) ?? LOST;
    return place(fields[at], letter, fields[at + 2], fields[at + 3], next, percent);
  };
  const begun = (root: number): number =>
    root < 0 ? NOWHERE : place(root, nodes[root].letters, 0, 0, EMPTY, 0);
  return {
    sets: [
      SLASH,
      DOT,
      TILDE,
      REFUSED,
      PERCENT,
      ...[...new Set(folders.flatMap(({ names }) => [...names.join('')]))].map((one) => characterSet(one)),
    ],
    start: START,
    next: (state, code) => {
      if (state === NOWHERE || isRefused(code)) return NOWHERE;
      if (state === ANYWHERE || state === ANYWHERE_PERCENT)
        return code === PERCENT_CODE ? ANYWHERE_PERCENT : state;
      const isSlash = code === SLASH_CODE;
      if (state !== START) return isSlash ? ended(state) : grown(state, code);
      if (isSlash) return begun(roots.absolute);
      if (code === TILDE_CODE || roots.relative < 0) return NOWHERE;
      return grown(begun(roots.relative), code);
    },
    outcomes: (state) => {
      if (state === NOWHERE || state === START) return outcomes.none;
      const after = state < PLACES ? state : ended(state);
      if (after === NOWHERE) return outcomes.none;
      if (after < PLACES) return after === ANYWHERE ? outcomes.anywhere() : outcomes.anywhereResolved();
      const node = fields[after * FIELDS];
      return fields[after * FIELDS + 5] === 1 ? outcomes.resolved(node) : outcomes.at(node);
    },
    through: 'isUnder',
    exactBelow: 2 * MOST_NAMES,
    isSmall: true,
    together: { predicates: folders.length, of: (outcome) => outcomes.of(outcome) },
  };
}

/** What predicates can be together at a place, each set of such values once. */
class Outcomes {
  readonly #nodes: readonly (readonly number[])[];
  readonly #none: readonly number[];
  readonly #sets: (readonly (readonly number[])[])[] = [];
  readonly #numbers = new Map<string, number>();
  /** No value of any. */
  readonly none: number;

  constructor(nodes: readonly (readonly number[])[]) {
    this.#nodes = nodes;
    this.#none = nodes[0].map(() => NONE);
    this.none = this.#keep('none', () => [this.#none]);
  }

  of(outcome: number): readonly (readonly number[])[] {
    return this.#sets[outcome];
  }

  at(node: number): number {
    return this.#keep(`at ${node}`, () => [this.#nodes[node]]);
  }

  /** Where the path leads elsewhere once it is resolved, predicates have values only if they have the same of both. */
  resolved(node: number): number {
    return this.#keep(`resolved ${node}`, () => this.#meets([this.#nodes[node]]));
  }

  anywhere(): number {
    return this.#keep('anywhere', () => [...this.#nodes, this.#none]);
  }

  anywhereResolved(): number {
    return this.#keep('anywhere resolved', () => this.#meets([...this.#nodes, this.#none]));
  }

  #meets(plain: readonly (readonly number[])[]): number[][] {
    return plain.flatMap((a) =>
      [...this.#nodes, this.#none].map((b) => a.map((value, i) => (value === b[i] ? value : NONE))),
    );
  }

  #keep(key: string, make: () => readonly (readonly number[])[]): number {
    let number = this.#numbers.get(key);
    if (number === undefined) {
      const distinct = new Map(make().map((values) => [values.join(), values]));
      number = this.#sets.push([...distinct.values()]) - 1;
      this.#numbers.set(key, number);
    }
    return number;
  }
}

/** The folders as a tree of names, with the values of all predicates at each. */
function treeOf(folders: readonly Folder[]) {
  const nodes: Node[] = [];
  const letters: Letter[] = [{ next: new Map(), child: -1 }];
  const add = (parent: number, absolute: boolean): number => {
    const letter = letters.push({ next: new Map(), child: -1 }) - 1;
    const values = folders.map((folder) => (folder.absolute === absolute ? FALSE : NONE));
    return nodes.push({ parent, absolute, values, children: new Map(), letters: letter }) - 1;
  };
  const rootOf = (absolute: boolean): number =>
    folders.some((folder) => folder.absolute === absolute) ? add(-1, absolute) : -1;
  const roots = { absolute: rootOf(true), relative: rootOf(false) };
  const ends = folders.map(({ absolute, names }) =>
    names.reduce(
      (at, name) => nodes[at].children.get(name) ?? child(at, name),
      absolute ? roots.absolute : roots.relative,
    ),
  );
  // Children come after their parents: a folder contains what is below it.
  for (const [at, { parent, values }] of nodes.entries()) {
    for (const [i, end] of ends.entries()) if (end === at) values[i] = TRUE;
    if (parent >= 0)
      for (const [i, value] of nodes[parent].values.entries()) if (value === TRUE) values[i] = TRUE;
  }
  return { nodes, letters, roots };

  function child(parent: number, name: string): number {
    const { absolute, children, letters: first } = nodes[parent];
    const found = add(parent, absolute);
    children.set(name, found);
    let at = first;
    for (const code of codePointsOf(name)) {
      const known = letters[at].next.get(code);
      if (known === undefined) {
        const next = letters.push({ next: new Map(), child: -1 }) - 1;
        letters[at].next.set(code, next);
        at = next;
      } else at = known;
    }
    letters[at].child = found;
    return found;
  }
}
