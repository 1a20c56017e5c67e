import { InvalidArgumentError } from '../../base/errors.js';
import { Language } from '../../languages/regular/index.js';
import { type Contracts, languageOfFormat, type ReaderTerm, type ValueType } from '../contract/index.js';
import { textSets } from './languageOf.js';
import type { Prover } from './prover.js';
import { constantOf, equality, NOWHERE, partOf, type Term } from './terms.js';
import { type SymbolTypes, typeOfTerm } from './termTypes.js';

/** Readers: those in one of the groups, those with one of the names, and those that one of the terms is, or lists. */
export interface ReaderSet {
  /** Equal for equal sets. */
  readonly key: string;
  readonly groups: readonly string[];
  readonly names: readonly string[];
  readonly values: readonly Term[];
  /** The sources whose data these alone may read, for messages; no part of what the set is. */
  readonly of?: ReadonlySet<string>;
}

/** What values paths of reader terms are resolved with. */
export interface ReaderContext {
  argument(name: string): Term | undefined;
  readonly result: Term | null;
  /** The element of the result that is meant by `*`; null: any. */
  readonly element: Term | null;
}

/** The readers that a term of a contract means; `everyone`, or a set. Readers that cannot be named are left out, unless `isAudience`: then the answer is `unknown`. */
export function resolveReaders(
  term: ReaderTerm | null,
  context: ReaderContext,
  prover: Prover,
): ReaderSet | 'everyone' {
  if (term === null) return readerSet([], [], [], prover);
  const groups: string[] = [];
  const names: string[] = [];
  const values: Term[] = [];
  const visit = (one: ReaderTerm): boolean => {
    switch (one.kind) {
      case 'everyone':
        return true;
      case 'group':
        groups.push(one.name);
        return false;
      case 'names':
        names.push(...one.of);
        return false;
      case 'union':
        return one.of.map(visit).includes(true);
      case 'value': {
        const value = valueAt(one.path, context);
        if (value !== null) addValue(value, names, values);
        return false;
      }
    }
  };
  return visit(term) ? 'everyone' : readerSet(groups, names, values, prover);
}

/** Whether a term of readers speaks of the elements of a result, each for itself. */
export function speaksOfElements(term: ReaderTerm | null): boolean {
  if (term?.kind === 'value') return term.path[0] === 'result' && term.path[1] === '*';
  return term?.kind === 'union' && term.of.some(speaksOfElements);
}

/** Whether all paths of a term of readers can be followed. */
export function isResolvable(term: ReaderTerm | null, context: ReaderContext): boolean {
  if (term?.kind === 'value') return valueAt(term.path, context) !== null;
  return term?.kind === 'union' ? term.of.every((one) => isResolvable(one, context)) : true;
}

function valueAt([first, ...rest]: readonly string[], context: ReaderContext): Term | null {
  let value: Term | null | undefined = first === 'result' ? context.result : context.argument(first);
  for (const [i, key] of rest.entries()) {
    if (value === null || value === undefined) return null;
    if (key !== '*') value = partOf(value, key);
    else value = first === 'result' && i === 0 ? context.element : null;
  }
  return value ?? null;
}

function addValue(value: Term, names: string[], values: Term[]): void {
  const constant = constantOf(value);
  if (constant === undefined && value.kind === 'list') {
    for (const one of value.elements) addValue(one, names, values);
    return;
  }
  const known = constant?.value;
  if (typeof known === 'string') names.push(known);
  else if (Array.isArray(known) && known.every((one) => typeof one === 'string')) names.push(...known);
  else values.push(value);
}

function readerSet(
  groups: readonly string[],
  names: readonly string[],
  values: readonly Term[],
  prover: Prover,
): ReaderSet {
  const key = JSON.stringify([
    [...groups].sort(),
    [...names].sort(),
    values.map((one) => prover.print(one)).sort(),
  ]);
  return { key, groups, names, values };
}

/** The set without the values that a test refuses: fewer readers. */
export function withoutValues(set: ReaderSet, keep: (value: Term) => boolean, prover: Prover): ReaderSet {
  if (set.values.every(keep)) return set;
  const fewer = readerSet(set.groups, set.names, set.values.filter(keep), prover);
  return set.of === undefined ? fewer : { ...fewer, of: set.of };
}

/** Whether all of an audience may read, and who may not, in words. */
export type MayRead =
  | { readonly kind: 'yes' }
  | { readonly kind: 'no'; readonly who: string }
  | { readonly kind: 'unknown'; readonly who: string };

const YES: MayRead = { kind: 'yes' };

/** What parts the addresses of a list, or a name from an address, as mail programs read them: ASCII, and what is written or normalized like it (commas of Arabic and East Asian scripts, full-width and small signs). */
const SEPARATORS = [
  '\\x00-\\x20,;:<>"()@\\\\',
  '\u060c\u061b\u3001\ufe10-\ufe14\ufe50-\ufe55\ufe59\ufe5a\ufe64\ufe65\ufe68\ufe6b\uff02\uff08\uff09\uff0c\uff1a\uff1b\uff1c\uff1e\uff20\uff3c\uff64',
].join('');
/** Spaces, line breaks, controls, and signs that nobody sees. */
const UNSEEN =
  '\x7f-\xa0\xad\u034f\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff9-\ufffb';
/** One reader: no list of addresses in one text, no display name, no line breaks. */
const PART = `[^${SEPARATORS}${UNSEEN}]+`;
const SINGLE = Language.matching(`${PART}(@${PART})?`);

/** Answers whether audiences may read. */
export class ReaderChecks {
  readonly #contracts: Contracts;
  readonly #prover: Prover;
  readonly #types: SymbolTypes;

  constructor(contracts: Contracts, prover: Prover, types: SymbolTypes) {
    this.#contracts = contracts;
    this.#prover = prover;
    this.#types = types;
  }

  /** Whether everyone in the audience is in the set. */
  mayRead(audience: ReaderSet | 'everyone', readers: ReaderSet, facts: readonly Term[]): MayRead {
    if (audience === 'everyone')
      return this.#language(readers).includes(Language.all) ? YES : { kind: 'no', who: 'everyone' };
    if (audience.key === readers.key) return YES;
    for (const group of audience.groups) {
      if (readers.groups.includes(group)) continue;
      if (!this.#language(readers).includes(this.#group(group))) return { kind: 'no', who: `group ${group}` };
    }
    for (const name of audience.names) {
      if (readers.names.includes(name) || this.#hasName(readers, name)) continue;
      return { kind: readers.values.length > 0 ? 'unknown' : 'no', who: JSON.stringify(name) };
    }
    for (const value of audience.values)
      if (!this.#mayReadValue(value, readers, facts))
        return { kind: 'unknown', who: this.#prover.print(value).replaceAll('@', '') };
    return YES;
  }

  #mayReadValue(value: Term, readers: ReaderSet, facts: readonly Term[]): boolean {
    const { values } = readers;
    const printed = this.#prover.print(value);
    if (values.some((one) => this.#prover.print(one) === printed)) return true;
    for (const one of values) {
      const type = typeOfTerm(one, this.#types);
      const term: Term =
        type.kind === 'list'
          ? { kind: 'binary', operator: 'in', left: value, right: one, place: value.place }
          : equality(value, one);
      if (this.#prover.proves(facts, term).kind === 'proved') return true;
    }
    return this.#language(readers).intersection(SINGLE).includes(this.textsOf(value, facts));
  }

  /** The texts that a term can be, or that can be its elements, as far as its type and facts tell. */
  textsOf(value: Term, facts: readonly Term[]): Language {
    const type = typeOfTerm(value, this.#types);
    const isList = type.kind === 'list';
    let texts = languageOfType(isList ? type.of : type);
    const printed = this.#prover.print(value);
    const visit = (fact: Term): void => {
      if (fact.kind === 'logical' && fact.operator === '&&') fact.operands.forEach(visit);
      else if (isList) {
        if (fact.kind !== 'macro' || fact.macro !== 'all' || this.#prover.print(fact.list) !== printed)
          return;
        texts = texts.intersection(textSets(fact.body, fact.variable).possible);
      } else if (this.#prover.print(fact).includes(printed)) {
        const over = replaced(fact, printed, this.#prover);
        texts = texts.intersection(textSets(over, SUBJECT).possible);
      }
    };
    facts.forEach(visit);
    return texts;
  }

  /** The values that a symbol may have, if its type has few; undefined otherwise. */
  valuesOf(name: string, facts: readonly Term[]): readonly string[] | undefined {
    const type = this.#types.get(name);
    if (type?.kind !== 'text' || type.values === undefined || type.values.length > MOST_VALUES)
      return undefined;
    const possible = this.textsOf({ kind: 'name', name, place: NOWHERE }, facts);
    return type.values.filter((value) => possible.has(value));
  }

  #hasName(readers: ReaderSet, name: string): boolean {
    return SINGLE.has(name) && readers.groups.some((group) => this.#group(group).has(name));
  }

  #language({ groups, names }: ReaderSet): Language {
    // A name with half a character is nobody.
    let found = Language.of(...names.filter((name) => !/\p{Surrogate}/u.test(name)));
    for (const group of groups) found = found.union(this.#group(group));
    return found;
  }

  #group(name: string): Language {
    return this.#contracts.readers.get(name) ?? Language.none;
  }
}

/** Most values of a symbol that are looked at one by one. */
const MOST_VALUES = 16;

const SUBJECT = '(subject)';

/** The fact with the subject in place of a term. */
function replaced(fact: Term, printed: string, prover: Prover): Term {
  if (prover.print(fact) === printed) return { kind: 'name', name: SUBJECT, place: fact.place };
  const copy = { ...fact } as Record<string, unknown>;
  for (const [key, part] of Object.entries(fact)) {
    if (Array.isArray(part))
      copy[key] = part.map((one) => (isTerm(one) ? replaced(one, printed, prover) : one));
    else if (isTerm(part)) copy[key] = replaced(part, printed, prover);
  }
  return copy as unknown as Term;
}

function isTerm(value: unknown): value is Term {
  return typeof value === 'object' && value !== null && 'kind' in value && 'place' in value;
}

/** At least the texts of a type. */
export function languageOfType(type: ValueType): Language {
  if (type.kind !== 'text') return Language.all;
  if (type.values === undefined)
    return type.format === undefined ? Language.all : languageOfFormat(type.format);
  try {
    return Language.of(...type.values);
  } catch (error) {
    // A text with half a character is in no set.
    if (error instanceof InvalidArgumentError) return Language.all;
    throw error;
  }
}
