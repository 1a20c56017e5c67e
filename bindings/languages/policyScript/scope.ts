import type { ExpressionNode } from '../expression/index.js';
import type { ValueType } from './types.js';

/** A value of a script: its tree and type. */
export interface Value {
  readonly node: ExpressionNode;
  readonly type: ValueType;
  /** The optional input that it is, which may be null. */
  readonly optional?: string;
  /** Of a text's length in UTF-16 units: the text. */
  readonly lengthOf?: ExpressionNode;
  /** What is known where it is true and where it is false. */
  readonly known?: Known;
}

/** Optional inputs that are not null where a condition is true, and where it is false. */
export interface Known {
  readonly whenTrue: readonly string[];
  readonly whenFalse: readonly string[];
}

export const NOTHING_KNOWN: Known = { whenTrue: [], whenFalse: [] };

/** What names stand for at a place of a script. */
export class Scope {
  readonly #names: Map<string, Value | 'inputs'>;
  readonly #present: ReadonlySet<string>;

  constructor(
    names: ReadonlyMap<string, Value | 'inputs'> = new Map(),
    present: ReadonlySet<string> = new Set(),
  ) {
    this.#names = new Map(names);
    this.#present = present;
  }

  find(name: string): Value | 'inputs' | undefined {
    return this.#names.get(name);
  }

  get names(): Iterable<string> {
    return this.#names.keys();
  }

  declare(name: string, value: Value | 'inputs'): void {
    this.#names.set(name, value);
  }

  /** Whether an optional input is known not to be null. */
  isPresent(input: string): boolean {
    return this.#present.has(input);
  }

  /** A scope within this one, where these optional inputs are not null. */
  within(present: readonly string[] = []): Scope {
    return new Scope(
      this.#names,
      present.length === 0 ? this.#present : new Set([...this.#present, ...present]),
    );
  }
}

export function bothKnown(all: readonly Known[], operator: '&&' | '||'): Known {
  const union = (lists: readonly (readonly string[])[]) => [...new Set(lists.flat())];
  const common = ([first, ...rest]: readonly (readonly string[])[]) =>
    first.filter((name) => rest.every((list) => list.includes(name)));
  const whenTrue = all.map((known) => known.whenTrue);
  const whenFalse = all.map((known) => known.whenFalse);
  return operator === '&&'
    ? { whenTrue: union(whenTrue), whenFalse: common(whenFalse) }
    : { whenTrue: common(whenTrue), whenFalse: union(whenFalse) };
}
