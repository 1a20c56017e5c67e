import { Language } from '../../languages/regular/index.js';
import type { Contracts, Effect, ToolContract } from '../contract/index.js';
import { textSets } from './languageOf.js';
import type { ReaderChecks } from './readers.js';
import { instantiate, symbolsOf, type Term, termOf } from './terms.js';

/** The keys of a store that a step may touch, and those that it touches for certain. */
export interface Touch {
  readonly step: string;
  readonly kind: Effect['kind'];
  readonly store: string;
  readonly may: Language;
  readonly must: Language;
  /** Whether the call removes keys by what they are, and not by a list of them. */
  readonly isPattern: boolean;
  readonly isKnown: boolean;
}

type Removed = ReadonlyMap<string, Language>;

/** What the calls of a plan do to stores: what they may do on some way, and what they do on every way that comes to its end. */
export class EffectLog {
  readonly touches: Touch[] = [];
  /** What is removed for certain where the walk stands. */
  #removed: Removed = new Map();
  /** The same at each `return`. */
  readonly #ends: Removed[] = [];
  readonly #contracts: Contracts;
  readonly #readers: ReaderChecks;

  constructor(contracts: Contracts, readers: ReaderChecks) {
    this.#contracts = contracts;
    this.#readers = readers;
  }

  /** @param isUncertain whether the run goes on if the call fails */
  call(
    step: string,
    tool: ToolContract,
    argument: (name: string) => Term | undefined,
    facts: readonly Term[],
    isUncertain: boolean,
  ): void {
    for (const effect of tool.effects) this.#touch(this.#keys(step, effect, argument, facts), isUncertain);
    const named = new Set(tool.effects.map(({ store }) => store));
    for (const store of tool.writes)
      if (!named.has(store))
        this.#touch(
          {
            step,
            kind: 'writes',
            store,
            may: Language.all,
            must: Language.none,
            isPattern: false,
            isKnown: true,
          },
          isUncertain,
        );
  }

  #touch(touch: Touch, isUncertain: boolean): void {
    this.touches.push(touch);
    const { store, kind, may, must } = touch;
    const before = this.#removed.get(store) ?? Language.none;
    const after = kind === 'removes' ? (isUncertain ? before : before.union(must)) : before.minus(may);
    if (after !== before) this.#removed = new Map([...this.#removed, [store, after]]);
  }

  #keys(
    step: string,
    effect: Effect,
    argument: (name: string) => Term | undefined,
    facts: readonly Term[],
  ): Touch {
    const { kind, store } = effect;
    const keys = instantiate(effect.keys.root, (name) => (name === 'key' ? undefined : argument(name)));
    const open = symbolsOf(keys).filter((name) => name !== 'key');
    const isPattern = this.#listed(keys) === null;
    const common = { step, kind, store, isPattern, isKnown: open.length === 0 };
    if (open.length === 0) {
      const { sure, possible } = textSets(keys, 'key');
      return { ...common, may: possible, must: sure };
    }
    const values = open.length === 1 ? this.#readers.valuesOf(open[0], facts) : undefined;
    if (values !== undefined && values.length > 0) {
      const sets = values.map((value) =>
        textSets(
          instantiate(keys, (name) => (name === open[0] ? termOf(value) : undefined)),
          'key',
        ),
      );
      return {
        ...common,
        may: sets.reduce((all, { possible }) => all.union(possible), Language.none),
        must: sets.map(({ sure }) => sure).reduce((all, one) => all.intersection(one)),
      };
    }
    const listed = this.#listed(keys);
    const may = listed === null ? Language.all : this.#readers.textsOf(listed, facts);
    return { ...common, may, must: Language.none };
  }

  /** The term that lists the keys, in `key == term` and `key in term`. */
  #listed(keys: Term): Term | null {
    if (keys.kind !== 'binary') return null;
    const isKey = (term: Term) => term.kind === 'name' && term.name === 'key';
    if (keys.operator === '==') return isKey(keys.left) ? keys.right : isKey(keys.right) ? keys.left : null;
    return keys.operator === 'in' && isKey(keys.left) ? keys.right : null;
  }

  /** Looks at both branches; null for one that is never taken. */
  either<T extends { readonly end: number }>(...branches: readonly ((() => T) | null)[]): T[] {
    const before = this.#removed;
    const after: Removed[] = [];
    const found: T[] = [];
    for (const branch of branches) {
      if (branch === null) continue;
      this.#removed = before;
      const one = branch();
      found.push(one);
      if (one.end >= 0) after.push(this.#removed);
    }
    if (after.length > 0) this.#removed = after.reduce(inBoth);
    return found;
  }

  /** Looks at what may happen any number of times. */
  repeatedly(work: () => void): void {
    const before = this.#removed;
    const count = this.touches.length;
    const ends = this.#ends.length;
    work();
    // An earlier round may have written again what was removed before.
    const written = this.touches.slice(count).filter(({ kind }) => kind !== 'removes');
    this.#removed = without(before, written);
    for (let i = ends; i < this.#ends.length; i++) this.#ends[i] = without(this.#ends[i], written);
  }

  /** A run may return here. */
  mayEnd(): void {
    this.#ends.push(this.#removed);
  }

  /** What every run that comes to its end has removed from a store. */
  removed(store: string): Language {
    const ends = this.#ends.map((one) => one.get(store) ?? Language.none);
    return ends.length === 0 ? Language.all : ends.reduce((all, one) => all.intersection(one));
  }

  /** All stores of the contracts. */
  get stores(): string[] {
    return [...this.#contracts.stores.keys()];
  }
}

function without(removed: Removed, touches: readonly Touch[]): Removed {
  const after = new Map(removed);
  for (const { store, may } of touches) {
    const known = after.get(store);
    if (known !== undefined) after.set(store, known.minus(may));
  }
  return after;
}

function inBoth(a: Removed, b: Removed): Removed {
  const stores = [...a.keys()].filter((store) => b.has(store));
  return new Map(
    stores.map((store) => [store, (a.get(store) as Language).intersection(b.get(store) as Language)]),
  );
}
