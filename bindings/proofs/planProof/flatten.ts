import type { ExpressionNode } from '../../languages/expression/index.js';
import type { Input, Inputs, InputType } from '../../languages/inputs/index.js';
import type { ValueType } from '../contract/index.js';
import { NOWHERE, type Term } from './terms.js';
import { fieldType, type SymbolTypes } from './termTypes.js';

/** Where a flat input stands: a symbol and a path of fields. */
export interface FlatInput {
  /** Its name: an @ with a number, which no variable of a macro is called, so that questions that differ in symbols alone are one. */
  readonly name: string;
  readonly symbol: string;
  readonly path: readonly (string | number)[];
  /** Null where no input of the decider has such values: then nothing is known of what is read. */
  readonly type: ValueType | null;
}

/** Writes terms over flat inputs, as the decider reads them: `@mail.from` becomes an input of its own. */
export class Flattener {
  /** By symbol and path, as JSON: names of fields may be any text. */
  readonly found = new Map<string, FlatInput>();
  readonly #types: SymbolTypes;
  readonly #hasValues: (type: ValueType) => boolean;
  #isThere: (list: Term, index: number) => boolean = () => true;

  /** @param hasValues whether a type is known to have values; what is said of others may be said of what is nowhere, such as the elements of an empty list, and nothing follows from it */
  constructor(types: SymbolTypes, hasValues: (type: ValueType) => boolean = () => true) {
    this.#types = types;
    this.#hasValues = hasValues;
  }

  /** @param isThere whether a list is known to have an element of this number; by default that is taken for granted, as of what is known to be true */
  of(term: Term, isThere: (list: Term, index: number) => boolean = () => true): Term {
    this.#isThere = isThere;
    return this.#visit(term, []);
  }

  /** The inputs that the terms read which were given to `of`. */
  inputs(): Inputs {
    const inputs: Record<string, Input> = {};
    for (const { name, type } of this.found.values()) {
      const found = type === null ? null : inputTypeOf(type);
      if (found !== null) inputs[name] = { type: found };
    }
    return inputs;
  }

  #visit(term: ExpressionNode, bound: readonly string[]): ExpressionNode {
    const path = this.#pathOf(term, bound);
    if (path !== null) return this.#input(path);
    const copy = { ...term } as Record<string, unknown>;
    for (const [key, part] of Object.entries(term)) {
      const inner = term.kind === 'macro' && key === 'body' ? [...bound, term.variable] : bound;
      if (Array.isArray(part)) copy[key] = part.map((one) => (isNode(one) ? this.#visit(one, inner) : one));
      else if (isNode(part)) copy[key] = this.#visit(part, inner);
    }
    return copy as unknown as ExpressionNode;
  }

  #pathOf(term: ExpressionNode, bound: readonly string[]): [string, ...(string | number)[]] | null {
    if (term.kind === 'name') return bound.includes(term.name) ? null : [term.name];
    if (term.kind !== 'field' && term.kind !== 'index') return null;
    const path = this.#pathOf(term.object, bound);
    if (path === null || term.kind === 'field') return path && [...path, (term as { field: string }).field];
    const place = term.index.kind === 'literal' ? term.index.value : null;
    const isPlace = typeof place === 'number' && Number.isInteger(place) && place >= 0;
    return isPlace && this.#isThere(term.object, place) ? [...path, place] : null;
  }

  #input([symbol, ...path]: readonly [string, ...(string | number)[]]): ExpressionNode {
    const key = JSON.stringify([symbol, ...path]);
    let input = this.found.get(key);
    if (input === undefined) {
      let type: ValueType | null = this.#types.get(symbol) ?? null;
      for (const part of path) type = type && partType(type, part);
      if (type !== null && !this.#hasValues(type)) type = null;
      input = { name: `@${this.found.size}`, symbol, path, type };
      this.found.set(key, input);
    }
    return { kind: 'name', name: input.name, place: NOWHERE };
  }
}

/** The type of a part that is there; null if it is not known. */
function partType(type: ValueType, key: string | number): ValueType | null {
  if (typeof key === 'number') return type.kind === 'list' ? type.of : null;
  const field = fieldType(type, key);
  return field === undefined || field.optional ? null : field.type;
}

function isNode(value: unknown): value is ExpressionNode {
  return typeof value === 'object' && value !== null && 'kind' in value && 'place' in value;
}

const MOST_TEXT = 100_000;
const MOST_ELEMENTS = 2 ** 32 - 1;

/** The type as the decider has it, with at least its values; null if it has none. */
function inputTypeOf(type: ValueType): InputType | null {
  if (type.kind !== 'list') return elementTypeOf(type);
  const of = elementTypeOf(type.of) ?? { kind: 'record' as const, fields: {}, others: 'ignored' as const };
  // Of elements that are no scalars the decider follows the number alone.
  return { kind: 'list', of, most: type.most ?? MOST_ELEMENTS };
}

function elementTypeOf(type: ValueType): Exclude<InputType, { kind: 'list' }> | null {
  switch (type.kind) {
    case 'boolean':
      return { kind: 'boolean' };
    case 'integer':
      return {
        kind: 'integer',
        least: type.least ?? Number.MIN_SAFE_INTEGER,
        most: type.most ?? Number.MAX_SAFE_INTEGER,
      };
    case 'number':
      return { kind: 'number' };
    case 'text':
      return type.values && type.values.length > 0
        ? { kind: 'enum', values: type.values }
        : { kind: 'text', most: type.most ?? MOST_TEXT };
    default:
      return null;
  }
}
