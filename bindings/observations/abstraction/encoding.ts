import {
  compileCondition,
  type Evaluate,
  type EvaluationContext,
  type Expression,
} from '../../languages/expression/runtime/index.js';
import { bit } from './bit.js';
import type * as Constraint from './constraint.js';
import type { ConstraintDefinitions } from './definition.js';
import { checkPredicateNames } from './predicateName.js';

/** What compiles constraints, which only some abstractions have. */
export type Constraints = Pick<typeof Constraint, 'TransitionConstraint' | 'ValuationConstraint'>;

/** Predicates in the order of their bits, and constraints on them, as syntax trees whose types have been checked. */
export interface EncodingExpressions {
  readonly predicates: readonly { readonly name: string; readonly expression: Expression }[];
  readonly constraints: { readonly [kind in keyof ConstraintDefinitions]?: Expression };
}

/**
 * Maps a step to its abstract state, the packed valuation of its predicates, and checks constraints on valuations. Predicate i is bit
 * `i & 31` of word `i >>> 5`; unused bits are 0.
 */
export class Encoding {
  /** Names, in the order of their bits. */
  readonly predicates: readonly string[];
  /** 32-bit words a packed valuation takes: max(1, ceil(predicates / 32)). */
  readonly words: number;
  /** @internal */
  protected readonly stateConstraint: Constraint.ValuationConstraint | undefined;
  readonly #evaluate: readonly Evaluate<boolean>[];
  readonly #transition: Constraint.TransitionConstraint | undefined;
  readonly #end: Constraint.ValuationConstraint | undefined;

  /**
   * Compiles predicates and constraints; an absent constraint allows everything.
   *
   * @param compilers required if there are constraints
   * @throws ParseError if a constraint names an unknown predicate (the message suggests the nearest one)
   * @throws NotSupportedError if a constraint is not a Boolean combination of names
   * @throws InvalidArgumentError if a predicate's name is not an identifier, is reserved, or occurs twice
   */
  constructor({ predicates, constraints }: EncodingExpressions, compilers: Constraints | null) {
    this.predicates = predicates.map(({ name }) => name);
    checkPredicateNames(this.predicates);
    this.words = Math.max(1, Math.ceil(this.predicates.length / 32));
    this.#evaluate = predicates.map(({ name, expression }) => compileCondition(expression, name));
    const { state, transition, end } = constraints;
    const given = (): Constraints => compilers ?? missing();
    if (state !== undefined) this.stateConstraint = new (given().ValuationConstraint)(state, this.predicates);
    if (transition !== undefined)
      this.#transition = new (given().TransitionConstraint)(transition, this.predicates);
    if (end !== undefined) this.#end = new (given().ValuationConstraint)(end, this.predicates);
  }

  /**
   * Evaluates predicate number i alone.
   * @throws EvaluationError, naming the predicate, if it fails
   */
  holds(i: number, state: Readonly<Record<string, unknown>>, context: EvaluationContext): boolean {
    return this.#evaluate[i](state, context);
  }

  /**
   * Abstracts one step: evaluates every predicate and packs the values into `words` words of `into` from `offset` on.
   * Allocates nothing itself. After an error the contents of these words are undefined.
   *
   * @param state the step's state; predicates read its fields by name.
   * @param context `time` and `action` of the step; a trace's step serves as its own context.
   * @throws EvaluationError naming the predicate that failed
   */
  encode(
    state: Readonly<Record<string, unknown>>,
    context: EvaluationContext,
    into: Uint32Array,
    offset = 0,
  ): void {
    const evaluate = this.#evaluate;
    let word = 0;
    let at = offset;
    for (let i = 0; i < evaluate.length; i++) {
      if (evaluate[i](state, context)) word |= 1 << (i & 31);
      if ((i & 31) === 31) {
        into[at++] = word;
        word = 0;
      }
    }
    if (at < offset + this.words) into[at] = word;
  }

  /** The valuation that starts at `offset`, as an object with one Boolean per predicate. */
  decode(valuation: Uint32Array, offset = 0): Record<string, boolean> {
    return Object.fromEntries(this.predicates.map((name, i) => [name, bit(valuation, offset, i)]));
  }

  /**
   * Describes the valuation that starts at `offset` in words: `forkInMicrowave, microwaveOn; not doorOpen`.
   *
   * @param count how many predicates, default all
   * @param said how those that have words are said, that they hold and that they do not: `the microwave is on; the door is closed`
   */
  describe(
    valuation: Uint32Array,
    offset = 0,
    count = this.predicates.length,
    said: Readonly<Record<string, { readonly holds: string; readonly not: string }>> = {},
  ): string {
    const described = this.predicates.slice(0, count);
    const holding = described.filter((_, i) => bit(valuation, offset, i));
    const failing = described.filter((_, i) => !bit(valuation, offset, i));
    const hasWords = (name: string): boolean => Object.hasOwn(said, name);
    const named = failing.filter((name) => !hasWords(name));
    return (
      [
        holding.map((name) => (hasWords(name) ? said[name].holds : name)),
        failing.filter(hasWords).map((name) => said[name].not),
        named.length > 1 ? [`none of ${named.join(', ')}`] : named.map((name) => `not ${name}`),
      ]
        .filter((part) => part.length > 0)
        .map((part) => part.join(', '))
        .join('; ') || 'no predicates'
    );
  }

  /** Whether `constraints.state` allows the valuation that starts at `offset`. */
  validState(valuation: Uint32Array, offset = 0): boolean {
    return this.stateConstraint === undefined || this.stateConstraint.allows(valuation, offset);
  }

  /** Whether `constraints.transition` allows a transition between two valuations. Does not check `constraints.state`. */
  validTransition(from: Uint32Array, fromOffset: number, to: Uint32Array, toOffset: number): boolean {
    return this.#transition === undefined || this.#transition.allows(from, fromOffset, to, toOffset);
  }

  /** Whether `constraints.end` allows a run to end in the valuation that starts at `offset`. */
  validEnd(valuation: Uint32Array, offset = 0): boolean {
    return this.#end === undefined || this.#end.allows(valuation, offset);
  }
}

function missing(): never {
  throw new TypeError('the constraints of an abstraction need what compiles them');
}
