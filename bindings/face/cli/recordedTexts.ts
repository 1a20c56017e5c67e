import { comparedTexts, type Expression } from '../../languages/expression/index.js';

/** A text that a predicate compares a field with, where steps have others and never this one. */
export interface NeverRecorded {
  /** The field, as `signal.aspect`. */
  readonly field: string;
  readonly text: string;
  /** The first ten different texts that steps have there. */
  readonly recorded: readonly string[];
}

/** How many different texts of a field are remembered. */
const REMEMBERED = 10;

interface Field {
  readonly path: readonly string[];
  /** The texts that predicates compare it with, and whether a step has them. */
  readonly compared: Map<string, boolean>;
  readonly others: Set<string>;
}

/** Collects the texts that steps have in fields which predicates compare with texts in quotes. What a recording spells otherwise is never met. */
export class RecordedTexts {
  readonly #fields = new Map<string, Field>();
  readonly #compared = new Map<string, readonly { readonly path: string; readonly text: string }[]>();

  /** Fields of the state are looked at, not those of actions or of elements of lists. */
  add(predicate: string, expression: Expression): void {
    const compared = comparedTexts(expression).filter(
      ({ path }) => !path.includes('[]') && !/^action(\.|$)/.test(path),
    );
    this.#compared.set(predicate, compared);
    for (const { path, text } of compared) {
      const field = this.#fields.get(path) ?? {
        path: path.split('.'),
        compared: new Map(),
        others: new Set(),
      };
      field.compared.set(text, false);
      this.#fields.set(path, field);
    }
  }

  /** Looks at the state of a step. */
  take(state: Readonly<Record<string, unknown>>): void {
    for (const { path, compared, others } of this.#fields.values()) {
      const text = valueAt(state, path);
      if (typeof text !== 'string') continue;
      if (compared.has(text)) compared.set(text, true);
      else if (others.size < REMEMBERED) others.add(text);
    }
  }

  /** The texts that a predicate compares in vain: steps have other texts there, and never this one. */
  neverRecorded(predicate: string): NeverRecorded[] {
    return (this.#compared.get(predicate) ?? []).flatMap(({ path, text }) => {
      const { compared, others } = this.#fields.get(path)!;
      const recorded = [...[...compared].flatMap(([one, isMet]) => (isMet ? [one] : [])), ...others];
      return compared.get(text) || recorded.length === 0 ? [] : [{ field: path, text, recorded }];
    });
  }
}

/** The value at a path of fields; undefined if there is none. */
export function valueAt(state: unknown, path: readonly string[]): unknown {
  let value = state;
  for (const field of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, field)) return undefined;
    value = (value as Record<string, unknown>)[field];
  }
  return value;
}
