import { InvalidArgumentError } from '../../base/errors.js';
import { withContext } from '../../base/words.js';
import type { PartialEvaluate } from '../../languages/expression/index.js';
import { Condition, type GivenArguments } from './condition.js';
import {
  type ArgumentValue,
  type DeclaredAction,
  EFFECTS,
  type EffectKind,
  effectTargets,
} from './declaration.js';
import { listedValues, type NamedTarget, type PredicateIndex } from './names.js';

/** A change of one predicate by a call. */
export interface Change {
  readonly predicate: string;
  /** Null: always. */
  readonly when: PartialEvaluate | null;
}

/** What is declared of a call whose arguments are given, apart from those that are open. */
export interface GroundEffects {
  readonly requires: PartialEvaluate | null;
  /** The predicates that conditions read. */
  readonly reads: readonly string[];
  readonly changes: { readonly [kind in EffectKind]: readonly Change[] };
}

interface Effect {
  readonly kind: EffectKind;
  readonly target: NamedTarget;
  readonly when: Condition | null;
}

/** Combinations of listed values of one tool: beyond that many, nobody means to have them tried one by one. */
const MAX_CALLS = 10_000;

/** What is declared of one tool, checked. */
export class DeclaredTool {
  readonly name: string;
  /** The arguments that are not listed, of which every value is possible. */
  readonly open: readonly string[];
  readonly #index: PredicateIndex;
  readonly #arguments: NonNullable<DeclaredAction['arguments']>;
  readonly #requires: Condition | null;
  readonly #effects: readonly Effect[];

  /** @throws ParseError, NotSupportedError, InvalidArgumentError, each naming the tool and the word under which something is wrong */
  constructor(name: string, action: DeclaredAction, index: PredicateIndex) {
    this.name = name;
    this.#index = index;
    this.#arguments = action.arguments ?? {};
    this.open = Object.keys(this.#arguments).filter((one) => typeof this.#arguments[one] === 'string');
    this.#requires =
      action.requires === undefined ? null : checkRequirement(name, action.requires, index, this.#arguments);
    this.#effects = EFFECTS.flatMap((kind) =>
      effectTargets(action[kind]).map(({ target, when }) => ({
        kind,
        ...checkEffect(name, kind, { target, when }, index, this.#arguments),
      })),
    );
    this.#refuseContradictions();
  }

  /** The predicates that `in[ARGUMENT]` names, for each name such as `in`. */
  *valued(): Iterable<readonly [name: string, predicate: string]> {
    for (const { target } of this.#effects) {
      if (target.argument === null || target.argument === '*') continue;
      for (const value of listedValues(target.argument, this.#arguments, target.name))
        yield [target.name, this.#index.valued(target.name, value)];
    }
  }

  /** Whether arguments have listed values; those that are not declared do not matter. */
  covers(given: GivenArguments): boolean {
    return Object.entries(this.#arguments).every(
      ([name, values]) =>
        typeof values === 'string' || values.some((value) => value === (given[name] as ArgumentValue)),
    );
  }

  /** The declared arguments among those of a call, in the order of their declaration. */
  argumentsOf(given: GivenArguments): GivenArguments {
    const read = Object.keys(this.#arguments).filter((name) => Object.hasOwn(given, name));
    return Object.fromEntries(read.map((name) => [name, given[name]]));
  }

  /** All combinations of listed values; open arguments are left out. @throws InvalidArgumentError if there are more than 10,000 */
  combinations(): GivenArguments[] {
    let combinations: Record<string, ArgumentValue>[] = [{}];
    for (const [name, values] of Object.entries(this.#arguments)) {
      if (typeof values === 'string') continue;
      if (combinations.length * values.length > MAX_CALLS)
        throw new InvalidArgumentError(
          `action "${this.name}": its arguments have more than ${MAX_CALLS} combinations of values; list fewer values, or leave out arguments that nothing depends on`,
        );
      combinations = combinations.flatMap((one) => values.map((value) => ({ ...one, [name]: value })));
    }
    return combinations;
  }

  /** @param all the predicates that `in[*]` names, for each name such as `in` */
  ground(given: GivenArguments, all: ReadonlyMap<string, ReadonlySet<string>>): GroundEffects {
    const of = (kind: EffectKind): Change[] =>
      this.#effects
        .filter((one) => one.kind === kind)
        .flatMap(({ target, when }) =>
          this.#predicates(target, given, all).map((predicate) => ({
            predicate,
            when: when?.given(given) ?? null,
          })),
        );
    return {
      requires: this.#requires?.given(given) ?? null,
      reads: [this.#requires, ...this.#effects.map(({ when }) => when)].flatMap(
        (condition) => condition?.reads(given) ?? [],
      ),
      changes: { clears: of('clears'), sets: of('sets'), may: of('may') },
    };
  }

  #predicates(
    { name, argument }: NamedTarget,
    given: GivenArguments,
    all: ReadonlyMap<string, ReadonlySet<string>>,
  ): readonly string[] {
    if (argument === null) return [name];
    if (argument !== '*') return [this.#index.valued(name, given[argument] as ArgumentValue)];
    const found = all.get(name);
    if (found !== undefined) return [...found];
    throw new InvalidArgumentError(
      `action "${this.name}": ${name}[*] is every predicate that ${name}[ARGUMENT] names under actions, and none does; name the predicates`,
    );
  }

  /** What is changed in two ways without a condition is a slip of the pen, unless one of the ways is about a whole group of predicates. */
  #refuseContradictions(): void {
    const plain = this.#effects.filter(({ target, when }) => target.argument === null && when === null);
    for (const { target, kind } of plain) {
      const other = plain.find((one) => one.target.name === target.name && one.kind !== kind);
      if (other === undefined) continue;
      throw new InvalidArgumentError(
        `action "${this.name}": "${target.name}" is under ${kind} and under ${other.kind}; expected one of them, or conditions: ${kind}: { ${target.name}: CONDITION }`,
      );
    }
  }
}

/** What a call requires, checked. @throws ParseError, NotSupportedError, InvalidArgumentError as `Condition` */
export function checkRequirement(
  tool: string,
  requires: string,
  index: PredicateIndex,
  args: NonNullable<DeclaredAction['arguments']>,
): Condition {
  const what = `action "${tool}": requires`;
  return told(what, () => new Condition(requires, what, index, args));
}

/** One target of an effect, checked. @throws as `checkRequirement` */
export function checkEffect(
  tool: string,
  kind: EffectKind,
  { target, when }: { readonly target: string; readonly when: string | null },
  index: PredicateIndex,
  args: NonNullable<DeclaredAction['arguments']>,
): Omit<Effect, 'kind'> {
  const what = `action "${tool}": ${kind}`;
  return told(what, () => ({
    target: index.target(target, args),
    when: when === null ? null : new Condition(when, `${what}: ${target}`, index, args),
  }));
}

/** Says where something is wrong, of errors that do not say so themselves. */
function told<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof InvalidArgumentError ? withContext(error, what) : error;
  }
}
