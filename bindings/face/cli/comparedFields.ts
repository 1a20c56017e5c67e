import { comparedLiterals, parseExpression } from '../../languages/expression/index.js';
import type { PredicateDefinition } from '../../observations/abstraction/index.js';
import type { Trace } from '../../observations/trace/index.js';
import { valueAt } from './recordedTexts.js';

/** How often something was found in recorded steps, and where first. */
interface Found {
  steps: number;
  first: string;
}

/** A field that predicates compare with literals by `==`, `!=` or `in`. */
interface Field {
  readonly name: string;
  readonly path: readonly string[];
  /** The texts that it is compared with, with the first predicate that does so. */
  readonly texts: Map<string, string>;
  /** The predicates that compare it with anything but null. */
  readonly predicates: Set<string>;
  /** Whether some predicate asks if it is null. */
  asksNull: boolean;
  /** Recorded texts that are spelt otherwise than the text, compared, which they resemble. */
  readonly spellings: Map<string, Found & { readonly compared: string }>;
  /** Recorded texts that resemble none. */
  readonly others: Set<string>;
  readonly nulls: Found;
}

/** Texts of one field that are remembered. */
const REMEMBERED = 20;

/** Null until the first call has returned, whoever recorded. */
const NULL_BEFORE = new Set(['lastResult']);

/** Finds values that predicates compare in vain, most likely because the recording writes them otherwise: texts in another spelling, and null where nothing was measured. */
export class ComparedFields {
  readonly #fields: readonly Field[];
  #steps = 0;

  constructor(predicates: readonly PredicateDefinition[]) {
    const fields = new Map<string, Field>();
    for (const { name, expression } of predicates) {
      const compared = comparedLiterals(parseExpression(expression, { name: `predicate "${name}"` }));
      for (const { path, value } of compared) {
        // The elements of a list may be mixed.
        if (path.includes('[]')) continue;
        const field = fields.get(path) ?? newField(path);
        fields.set(path, field);
        if (value === null) field.asksNull = true;
        else field.predicates.add(name);
        if (typeof value === 'string' && !field.texts.has(value)) field.texts.set(value, name);
      }
    }
    this.#fields = [...fields.values()];
  }

  add({ id, steps }: Trace): void {
    this.#steps += steps.length;
    if (this.#fields.length === 0) return;
    for (const [i, { state, action }] of steps.entries()) {
      for (const field of this.#fields) {
        const [first, ...rest] = field.path;
        const value = first === 'action' ? valueAt(action, rest) : valueAt(state, field.path);
        if (value === null) count(field.nulls, id, i);
        else if (typeof value === 'string' && !field.texts.has(value)) countSpelling(field, value, id, i);
      }
    }
  }

  notes(): string[] {
    const of = `${grouped(this.#steps)} ${this.#steps === 1 ? 'step' : 'steps'}`;
    return this.#fields.flatMap((field) => [
      ...Array.from(field.spellings, ([text, { steps, first, compared }]) => {
        const predicate = field.texts.get(compared);
        return `${grouped(steps)} of ${of} ${have(steps)} ${JSON.stringify(text)} in ${field.name}, the first: ${first}; predicate "${predicate}" compares it with ${JSON.stringify(compared)}, which is another text: correct the recording, or compare it with both`;
      }),
      ...this.#nulls(field, of),
    ]);
  }

  #nulls({ name, predicates, asksNull, nulls }: Field, of: string): string[] {
    if (nulls.steps === 0 || asksNull || predicates.size === 0 || NULL_BEFORE.has(name)) return [];
    const readers = Array.from(predicates, (one) => `"${one}"`).join(', ');
    const subject = predicates.size === 1 ? `predicate ${readers} compares` : `predicates ${readers} compare`;
    return [
      `${grouped(nulls.steps)} of ${of} ${have(nulls.steps)} null in ${name}, the first: ${nulls.first}; ${subject} it, and null says that nothing is there, so == is false: if it was not measured, leave it out and say so in notRecorded of the trace`,
    ];
  }
}

/** `3,200`. */
function grouped(count: number): string {
  return count.toLocaleString('en');
}

function have(steps: number): string {
  return steps === 1 ? 'has' : 'have';
}

function newField(name: string): Field {
  return {
    name,
    path: name.split('.'),
    texts: new Map(),
    predicates: new Set(),
    asksNull: false,
    spellings: new Map(),
    others: new Set(),
    nulls: { steps: 0, first: '' },
  };
}

function count(found: Found, trace: string, step: number): void {
  if (found.steps === 0) found.first = `trace "${trace}", step ${step}`;
  found.steps++;
}

function countSpelling({ texts, spellings, others }: Field, text: string, trace: string, step: number): void {
  if (others.has(text)) return;
  let found = spellings.get(text);
  if (found === undefined) {
    const plain = plainly(text);
    const compared = [...texts.keys()].find((one) => plainly(one) === plain);
    if (compared === undefined) {
      if (others.size < REMEMBERED) others.add(text);
      return;
    }
    if (spellings.size >= REMEMBERED) return;
    found = { steps: 0, first: '', compared };
    spellings.set(text, found);
  }
  count(found, trace, step);
}

/** A text without what spellings differ in: case, width, spaces, hyphens and underscores. */
function plainly(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_-]+/gu, '');
}
