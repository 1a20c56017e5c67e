import {
  children,
  type ExpressionNode,
  type NodeOf,
  printExpression,
} from '../../languages/expression/index.js';
import type { Inputs } from '../../languages/inputs/index.js';

/** How many elements a list need have, so that each truth value of the conditions is met by some such list if by any. */
export interface ListBound {
  readonly bound: number;
  /** Whether longer lists are looked at as well, by the theorem or because there are none. */
  readonly isComplete: boolean;
}

/** Longest list that is written out element by element. */
const MOST_WRITTEN = 24;

/** What conditions ask of one list. */
interface Uses {
  /** Elements at its beginning that are read by their place. */
  places: number;
  /** For each count of elements: up to which number it matters, and the lists whose elements it is asked of once each. */
  readonly counts: { readonly most: number; readonly within: readonly string[] }[];
  /** Whether it is read in another way, so that every element may matter. */
  isWhole: boolean;
}

/**
 * The small-list theorem: conditions that only count the elements with a property, each up to a number, have the same values of the list that keeps so many of
 * each kind, in order, and drops the others. The property may read other inputs. A condition within a quantifier over another list is asked once for each of
 * its elements; that list is then shortened first.
 */
export function listBounds(
  conditions: readonly ExpressionNode[],
  inputs: Inputs,
): ReadonlyMap<string, ListBound> {
  const uses = new Map<string, Uses>();
  for (const [name, { type }] of Object.entries(inputs))
    if (type.kind === 'list') uses.set(name, { places: 0, counts: [], isWhole: false });
  const reader = new UsesOfLists(uses);
  for (const condition of conditions) reader.visit(condition, [], 1);
  const found = new Map<string, ListBound>();
  const least = (name: string, open: readonly string[]): number => {
    const { places, counts, isWhole } = uses.get(name)!;
    if (isWhole || open.includes(name)) return Number.POSITIVE_INFINITY;
    return counts.reduce(
      (sum, { most, within }) =>
        sum +
        most *
          within.reduce(
            (product, other) => product * Math.min(least(other, [...open, name]), mostOf(inputs, other)),
            1,
          ),
      places,
    );
  };
  for (const name of uses.keys()) {
    const enough = Math.min(least(name, []), mostOf(inputs, name));
    found.set(name, { bound: Math.min(enough, MOST_WRITTEN), isComplete: enough <= MOST_WRITTEN });
  }
  return found;
}

function mostOf(inputs: Inputs, name: string): number {
  const { type } = inputs[name];
  return type.kind === 'list' ? type.most : 0;
}

class UsesOfLists {
  readonly #uses: Map<string, Uses>;
  /** Conditions that were seen already, and say nothing new. */
  readonly #seen = new Set<string>();

  constructor(uses: Map<string, Uses>) {
    this.#uses = uses;
  }

  /**
   * @param within the lists over whose elements the node is asked
   * @param times how often it is asked for each choice of these
   */
  visit(node: ExpressionNode, within: readonly string[], times: number, bound: readonly string[] = []): void {
    if (bound.length === 0 && (node.kind === 'macro' || node.kind === 'binary')) {
      const key = printExpression({ name: '', root: node });
      if (this.#seen.has(key)) return;
      this.#seen.add(key);
    }
    if (node.kind === 'name') {
      const uses = bound.includes(node.name) ? undefined : this.#uses.get(node.name);
      if (uses !== undefined) uses.isWhole = true;
    } else if (node.kind === 'macro') this.#macro(node, within, times, bound);
    else if (!this.#known(node, within, times, bound))
      for (const part of children(node)) this.visit(part, within, times, bound);
  }

  /** A condition whose need of a list is known. */
  #known(node: ExpressionNode, within: readonly string[], times: number, bound: readonly string[]): boolean {
    if (node.kind === 'index') {
      const at = numberOf(node.index);
      const list = this.#listOf(node.object, bound);
      if (list === null || at === null) return false;
      list.places = Math.max(list.places, at + 1);
      return true;
    }
    if (node.kind !== 'binary') return false;
    if (node.operator === 'in') {
      const list = this.#listOf(node.right, bound);
      if (list === null) return false;
      list.counts.push({ most: times, within });
      this.visit(node.left, within, times, bound);
      return true;
    }
    return (
      this.#comparison(node.left, node.right, within, times, bound) ||
      this.#comparison(node.right, node.left, within, times, bound)
    );
  }

  /** A size, or a list, compared with what is known. */
  #comparison(
    one: ExpressionNode,
    other: ExpressionNode,
    within: readonly string[],
    times: number,
    bound: readonly string[],
  ): boolean {
    const list = this.#listOf(one, bound);
    if (list !== null && other.kind === 'literal') return true;
    if (list !== null && other.kind === 'list') {
      list.places = Math.max(list.places, other.elements.length + 1);
      this.visit(other, within, times, bound);
      return true;
    }
    const most = numberOf(other);
    if (most === null || one.kind !== 'call' || one.function !== 'size') return false;
    this.#elements(one.arguments[0], most + 1, within, times, bound);
    return true;
  }

  #macro(node: NodeOf<'macro'>, within: readonly string[], times: number, bound: readonly string[]): void {
    // Of `all` and `exists` one element that decides and one without a value, of `exists_one` one more.
    const most = node.macro === 'exists_one' ? 3 : 2;
    if (node.macro === 'filter' || node.macro === 'map') {
      this.visit(node.list, within, times, bound);
      this.#body(node, within, times, bound);
      return;
    }
    this.#elements(node.list, most, within, times, bound);
    this.#body(node, within, times, bound);
  }

  #body(node: NodeOf<'macro'>, within: readonly string[], times: number, bound: readonly string[]): void {
    const names = [...bound, node.variable];
    const source = sourceOf(node.list);
    if (source.kind === 'name' && !bound.includes(source.name) && this.#uses.has(source.name))
      this.visit(node.body, [...within, source.name], times, names);
    else this.visit(node.body, within, times * lengthOf(source), names);
  }

  /** Up to `most` elements of a list, perhaps a filtered one, are counted. */
  #elements(
    node: ExpressionNode,
    most: number,
    within: readonly string[],
    times: number,
    bound: readonly string[],
  ): void {
    const list = this.#listOf(node, bound);
    if (list !== null) list.counts.push({ most: most * times, within });
    else if (node.kind === 'macro' && (node.macro === 'filter' || node.macro === 'map')) {
      // One element of which the body has no value makes the whole list have none.
      this.#elements(node.list, most + 1, within, times, bound);
      this.#body(node, within, times, bound);
    } else this.visit(node, within, times, bound);
  }

  #listOf(node: ExpressionNode, bound: readonly string[]): Uses | null {
    if (node.kind !== 'name' || bound.includes(node.name)) return null;
    return this.#uses.get(node.name) ?? null;
  }
}

/** The list that filters and maps begin with. */
function sourceOf(node: ExpressionNode): ExpressionNode {
  return node.kind === 'macro' && (node.macro === 'filter' || node.macro === 'map')
    ? sourceOf(node.list)
    : node;
}

/** How many elements a list that is no input has. */
function lengthOf(node: ExpressionNode): number {
  if (node.kind === 'list') return node.elements.length;
  return node.kind === 'map' ? node.keys.length : Number.POSITIVE_INFINITY;
}

/** A whole number that a node stands for, at least 0; null for any other node. */
function numberOf(node: ExpressionNode): number | null {
  if (node.kind !== 'literal' || typeof node.value !== 'number') return null;
  return Math.max(0, Math.floor(node.value));
}
