import { type CharacterSet, characterSet, isInSet } from './characterSet.js';
import { FALSE, type Machine, TRUE } from './machine.js';

/** What must hold between two characters. */
export type Assertion = 'textStart' | 'textEnd' | 'lineStart' | 'lineEnd' | 'wordBoundary' | 'noWordBoundary';

/** A regular expression as a tree. */
export type Regex =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'assert'; readonly assertion: Assertion }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Regex[] }
  /** `most` null: without limit. */
  | { readonly kind: 'repeat'; readonly part: Regex; readonly least: number; readonly most: number | null };

/** The expression that only the empty text matches. */
export const NOTHING: Regex = { kind: 'sequence', parts: [] };

export function sequence(...parts: readonly Regex[]): Regex {
  return parts.length === 1 ? parts[0] : { kind: 'sequence', parts };
}

export function choice(...parts: readonly Regex[]): Regex {
  return parts.length === 1 ? parts[0] : { kind: 'choice', parts };
}

export function repeat(part: Regex, least = 0, most: number | null = null): Regex {
  return { kind: 'repeat', part, least, most };
}

/** What stands beside a place in a text, as far as assertions see it. */
type Beside = 'edge' | 'newline' | 'word' | 'other';

const NEWLINE = characterSet('\n');
const WORD = characterSet([48, 57], [65, 90], '_', [97, 122]);

function besideOf(code: number): Beside {
  if (isInSet(WORD, code)) return 'word';
  return isInSet(NEWLINE, code) ? 'newline' : 'other';
}

function holds(assertion: Assertion, before: Beside, after: Beside): boolean {
  switch (assertion) {
    case 'textStart':
      return before === 'edge';
    case 'textEnd':
      return after === 'edge';
    case 'lineStart':
      return before === 'edge' || before === 'newline';
    case 'lineEnd':
      return after === 'edge' || after === 'newline';
    default: {
      const isBoundary = (before === 'word') !== (after === 'word');
      return isBoundary === (assertion === 'wordBoundary');
    }
  }
}

/** A node of a nondeterministic automaton: it reads a character of a set, or goes on without one. */
type Node =
  | { readonly set: CharacterSet; readonly to: number }
  | { readonly assertion: Assertion | null; readonly to: readonly number[] };

/** Thompson's construction (1968, doi:10.1145/363347.363387). */
class Nfa {
  readonly nodes: Node[] = [{ assertion: null, to: [] }];
  /** The node that accepts. */
  readonly accept = 0;

  /** The node from which the expression leads to `to`. */
  add(regex: Regex, to: number): number {
    switch (regex.kind) {
      case 'set':
        return this.#push({ set: regex.set, to });
      case 'assert':
        return this.#push({ assertion: regex.assertion, to: [to] });
      case 'sequence':
        return regex.parts.reduceRight((after, part) => this.add(part, after), to);
      case 'choice':
        return this.#push({ assertion: null, to: regex.parts.map((part) => this.add(part, to)) });
      case 'repeat': {
        let at = to;
        if (regex.most === null) {
          const ends: number[] = [to];
          at = this.#push({ assertion: null, to: ends });
          ends.push(this.add(regex.part, at));
        } else {
          for (let i = regex.least; i < regex.most; i++)
            at = this.#push({ assertion: null, to: [to, this.add(regex.part, at)] });
        }
        for (let i = 0; i < regex.least; i++) at = this.add(regex.part, at);
        return at;
      }
    }
  }

  #push(node: Node): number {
    return this.nodes.push(node) - 1;
  }
}

/** Whether the whole text matches the expression (`whole`), or some part of it does (`part`). */
export function machineOfRegex(regex: Regex, extent: 'whole' | 'part'): Machine<string> {
  const nfa = new Nfa();
  const first = nfa.add(regex, nfa.accept);
  const hasAssertions = nfa.nodes.some((node) => 'assertion' in node && node.assertion !== null);
  const FOUND = 'found';
  const states = new Map<string, { readonly before: Beside; readonly nodes: readonly number[] }>();
  const keep = (before: Beside, nodes: readonly number[]): string => {
    const seen = hasAssertions ? before : 'other';
    const key = `${seen} ${[...new Set(nodes)].sort((a, b) => a - b).join()}`;
    if (!states.has(key)) states.set(key, { before: seen, nodes });
    return key;
  };
  /** All nodes that are reached without a character. */
  const reached = (nodes: readonly number[], before: Beside, after: Beside): Set<number> => {
    const open = [...nodes];
    const closed = new Set(open);
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const node = nfa.nodes[at];
      if ('set' in node || (node.assertion !== null && !holds(node.assertion, before, after))) continue;
      for (const to of node.to) {
        if (closed.has(to)) continue;
        closed.add(to);
        open.push(to);
      }
    }
    return closed;
  };
  const sets = nfa.nodes.flatMap((node) => ('set' in node ? [node.set] : []));
  return {
    sets: hasAssertions ? [...sets, WORD, NEWLINE] : sets,
    start: keep('edge', [first]),
    next: (state, code) => {
      if (state === FOUND) return FOUND;
      const { before, nodes } = states.get(state)!;
      const after = besideOf(code);
      const all = reached(nodes, before, after);
      if (extent === 'part' && all.has(nfa.accept)) return FOUND;
      const next = [...all].flatMap((at) => {
        const node = nfa.nodes[at];
        return 'set' in node && isInSet(node.set, code) ? [node.to] : [];
      });
      return keep(after, extent === 'part' ? [...next, first] : next);
    },
    outcomes: (state) => {
      if (state === FOUND) return TRUE;
      const { before, nodes } = states.get(state)!;
      return reached(nodes, before, 'edge').has(nfa.accept) ? TRUE : FALSE;
    },
  };
}
