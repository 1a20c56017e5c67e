import type { ValueType } from '../../contract/index.js';
import { isPlanName } from '../names.js';
import type { Scope } from '../typeOf.js';

/** What a name of the code stands for. */
export type Binding =
  | { readonly kind: 'name'; readonly name: string }
  /** A name that has no value here yet: why, for messages. */
  | { readonly kind: 'pending'; readonly reason: string };

/**
 * The names of code and those of the plan. Blocks hide names of those around them, and give the same name again beside each other: a plan does neither, so that
 * some names get a number.
 */
export class CodeScope implements Scope {
  readonly #blocks: Map<string, Binding>[] = [new Map()];
  readonly #types = new Map<string, ValueType>();
  readonly #known = new Set<string>();
  /** Every word of the source: none is made up for another name. */
  readonly #words: ReadonlySet<string>;

  constructor(source: string) {
    this.#words = new Set(source.match(/[A-Za-z_$][\w$]*/g));
  }

  type(name: string): ValueType | undefined {
    return this.#known.has(name) ? this.#types.get(name) : undefined;
  }

  isTaken(name: string): boolean {
    return this.#types.has(name);
  }

  names(): Iterable<string> {
    return this.#known;
  }

  /** The names of the code that have a value here. */
  *written(): Iterable<string> {
    for (const block of this.#blocks) for (const [name, { kind }] of block) if (kind === 'name') yield name;
  }

  find(written: string): Binding | undefined {
    for (let i = this.#blocks.length - 1; i >= 0; i--) {
      const found = this.#blocks[i].get(written);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Whether the innermost block has the name already. */
  isGivenHere(written: string): boolean {
    return this.#blocks.at(-1)?.get(written)?.kind === 'name';
  }

  within<T>(run: () => T): T {
    const block = new Map<string, Binding>();
    this.#blocks.push(block);
    try {
      return run();
    } finally {
      this.#blocks.pop();
      for (const binding of block.values()) if (binding.kind === 'name') this.#known.delete(binding.name);
    }
  }

  /** Gives a name of the code in the innermost block, and the name of the plan for it. */
  give(written: string, type: ValueType): string {
    const name = this.reserve(written);
    this.bind(written, name, type);
    return name;
  }

  bind(written: string, name: string, type: ValueType): void {
    this.#types.set(name, type);
    this.#known.add(name);
    this.#blocks.at(-1)!.set(written, { kind: 'name', name });
  }

  /** Lets another name of the code stand for what is named already. */
  alias(written: string, binding: Binding): void {
    this.#blocks.at(-1)!.set(written, binding);
  }

  /** A name of the plan for a name of the code, which is not known yet. */
  reserve(written: string, isOther = false): string {
    const isUsable = isPlanName(written) && !this.#types.has(written) && !isOther;
    const name = isUsable ? written : this.#fresh(written);
    this.#types.set(name, { kind: 'any' });
    return name;
  }

  pending(written: string, reason: string): void {
    this.#blocks.at(-1)!.set(written, { kind: 'pending', reason });
  }

  /** A variable of an expression. */
  variable(written: string): string {
    return isPlanName(written) && !this.#known.has(written) ? written : this.#fresh(written);
  }

  #fresh(written: string): string {
    const base =
      written
        .replace(/[^A-Za-z0-9_]/g, '')
        .slice(0, 50)
        .replace(/^[_0-9]+/, '') || 'value';
    for (let number = 2; ; number++) {
      const name = `${base}${number}`;
      if (!this.#words.has(name) && !this.#types.has(name) && isPlanName(name)) return name;
    }
  }
}
