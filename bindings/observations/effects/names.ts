import { InvalidArgumentError } from '../../base/errors.js';
import { nearestName } from '../../base/suggest.js';
import type { ArgumentValue, DeclaredAction } from './declaration.js';

type Arguments = NonNullable<DeclaredAction['arguments']>;

/** A predicate named by itself (`argument` is null), by an argument's value, or all that are so named (`*`). */
export interface NamedTarget {
  readonly name: string;
  readonly argument: string | null;
}

const TARGET = /^([A-Za-z_][A-Za-z0-9_]*)(?:\[([A-Za-z_][A-Za-z0-9_]*|\*)\])?$/;

/** Finds in[to] in the text of an expression; texts in quotes match too, without a group. */
export const TARGETS_IN_TEXT =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|(?<![\w.])([A-Za-z_]\w*\[[A-Za-z_]\w*\])/g;

/** The predicates that effects and requirements may name. */
export class PredicateIndex {
  readonly names: readonly string[];
  /** The predicates by the letters and digits of their names, in lower case. */
  readonly #byLetters = new Map<string, string[]>();

  constructor(names: readonly string[]) {
    this.names = names;
    for (const name of names) {
      const letters = lettersOf(name);
      this.#byLetters.set(letters, [...(this.#byLetters.get(letters) ?? []), name]);
    }
  }

  has(name: string): boolean {
    return this.names.includes(name);
  }

  /**
   * Reads `doorOpen`, `in[to]` or `in[*]`, and checks that each predicate that it can stand for exists.
   *
   * @throws InvalidArgumentError if it is none, or names an unknown predicate or argument (the message suggests the nearest name)
   */
  target(text: string, args: Arguments): NamedTarget {
    const [, name, argument = null] = TARGET.exec(text) ?? [];
    if (name === undefined)
      throw new InvalidArgumentError(
        `found "${text}", expected the name of a predicate, or one with an argument such as in[to] or in[*]`,
      );
    if (argument === null) this.#require(name);
    else if (argument !== '*')
      for (const value of listedValues(argument, args, text)) this.valued(name, value);
    return { name, argument };
  }

  /** The predicate that `name[argument]` is where the argument has this value. @throws InvalidArgumentError unless there is exactly one */
  valued(name: string, value: ArgumentValue): string {
    const wanted = lettersOf(`${name}${value}`);
    const found = this.#byLetters.get(wanted) ?? [];
    if (found.length === 1) return found[0];
    const what = `${name}[${value}]`;
    if (found.length > 1)
      throw new InvalidArgumentError(
        `${what} may be ${found.join(' or ')}: predicates that a value names must differ in letters or digits`,
      );
    const nearest = nearestName(wanted, this.#byLetters.keys());
    const [near] = (nearest !== undefined && this.#byLetters.get(nearest)) || [];
    throw new InvalidArgumentError(
      `${what} is no predicate: expected one named as ${name}, then ${value}${near === undefined ? this.#known() : `; did you mean "${near}"?`}`,
    );
  }

  #require(name: string): void {
    if (this.has(name)) return;
    const nearest = nearestName(name, this.names);
    throw new InvalidArgumentError(
      `unknown predicate "${name}"${nearest === undefined ? this.#known() : `; did you mean "${nearest}"?`}`,
    );
  }

  #known(): string {
    const shown = this.names.slice(0, 10).join(', ') + (this.names.length > 10 ? ', …' : '');
    return `; known: ${shown || 'none'}`;
  }
}

/** The values that an argument is declared to have. @throws InvalidArgumentError if it is not declared, or its values are not listed */
export function listedValues(argument: string, args: Arguments, what: string): readonly ArgumentValue[] {
  const values = Object.hasOwn(args, argument) ? args[argument] : undefined;
  if (values !== undefined && typeof values !== 'string') return values;
  if (values !== undefined)
    throw new InvalidArgumentError(
      `${what} needs the values of the argument "${argument}", which is declared as ${values}; list them: ${argument}: [VALUE, …]`,
    );
  const nearest = nearestName(argument, Object.keys(args));
  throw new InvalidArgumentError(
    `${what} names the argument "${argument}", which is not declared; ${
      nearest === undefined
        ? `list its values: arguments: { ${argument}: [VALUE, …] }`
        : `did you mean "${nearest}"?`
    }`,
  );
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
