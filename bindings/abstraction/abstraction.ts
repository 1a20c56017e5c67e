import { InvalidArgumentError } from '../errors.js';
import { compilePredicate, type EvaluationContext, parseExpression } from '../expression/index.js';
import { bit, TransitionConstraint, ValuationConstraint } from './constraint.js';
import type { AbstractionDefinition } from './definition.js';
import { enumerateValuations } from './enumerate.js';
import type { ValuationTable } from './valuationTable.js';

type Evaluate = (state: Readonly<Record<string, unknown>>, context: EvaluationContext) => boolean;

/** Names that expressions and learnt models use themselves. */
const RESERVED = new Set([
  'start',
  'end',
  'phase',
  'init',
  'initial',
  'deadlock',
  'time',
  'action',
  'true',
  'false',
  'null',
  'in',
]);

/** Largest number of valuations `validStates` makes unless told otherwise. */
const DEFAULT_LIMIT = 1_000_000;

/**
 * An ordered list of named predicates over a step, with constraints, compiled once. The abstract state of a step is the
 * packed valuation of its predicates: predicate i is bit `i & 31` of word `i >>> 5`; unused bits are 0.
 *
 * The five operations that the papers ask of a domain are `encode`, `decode`, `validTransition` (their can_reach),
 * `filter`, and `validStates` (their get_state_space).
 */
export class Abstraction {
  readonly definition: AbstractionDefinition;
  /** Names, in the order of their bits. */
  readonly predicates: readonly string[];
  /** 32-bit words a packed valuation takes: max(1, ceil(predicates / 32)). */
  readonly words: number;
  readonly #evaluate: readonly Evaluate[];
  readonly #state: ValuationConstraint | undefined;
  readonly #transition: TransitionConstraint | undefined;
  readonly #end: ValuationConstraint | undefined;

  /**
   * Compiles predicates and constraints; an absent constraint allows everything.
   * @throws ParseError if an expression is malformed, or if a constraint names an unknown predicate: with the nearest one
   * @throws NotSupportedError if a constraint is no Boolean combination of names
   * @throws InvalidArgumentError if a predicate's name is no identifier, is reserved, or occurs twice
   */
  constructor(definition: AbstractionDefinition) {
    this.definition = definition;
    this.predicates = definition.predicates.map(({ name }) => name);
    checkNames(this.predicates);
    this.words = Math.max(1, Math.ceil(this.predicates.length / 32));
    this.#evaluate = definition.predicates.map(({ name, expression }) =>
      compilePredicate(parseExpression(expression, { name: `predicate "${name}"` }), name),
    );
    const { state, transition, end } = definition.constraints ?? {};
    if (state !== undefined) {
      this.#state = new ValuationConstraint('constraints.state', state, this.predicates);
    }
    if (transition !== undefined) {
      this.#transition = new TransitionConstraint('constraints.transition', transition, this.predicates);
    }
    if (end !== undefined) this.#end = new ValuationConstraint('constraints.end', end, this.predicates);
  }

  /**
   * Abstracts one step: evaluates every predicate and packs the values into `words` words of `into` from `offset` on.
   * Allocates nothing itself. On an error the words written are undefined.
   *
   * @param state the step's state; predicates see its fields by name.
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

  /** The valuation that starts at `offset` in words: `forkInMicrowave, microwaveOn; not doorOpen`. */
  describe(valuation: Uint32Array, offset = 0): string {
    const holding = this.predicates.filter((_, i) => bit(valuation, offset, i));
    const failing = this.predicates.filter((_, i) => !bit(valuation, offset, i));
    const words = failing.length > 1 ? `none of ${failing.join(', ')}` : failing.map((name) => `not ${name}`);
    return [holding.join(', '), words].filter((part) => part.length > 0).join('; ') || 'no predicates';
  }

  /** Whether `constraints.state` allows the valuation that starts at `offset`. */
  validState(valuation: Uint32Array, offset = 0): boolean {
    return this.#state === undefined || this.#state.allows(valuation, offset);
  }

  /** Whether `constraints.transition` allows a step between two valuations, each of them valid or not by itself. */
  validTransition(from: Uint32Array, fromOffset: number, to: Uint32Array, toOffset: number): boolean {
    return this.#transition === undefined || this.#transition.allows(from, fromOffset, to, toOffset);
  }

  /** Whether `constraints.end` lets a run end in the valuation that starts at `offset`. */
  validEnd(valuation: Uint32Array, offset = 0): boolean {
    return this.#end === undefined || this.#end.allows(valuation, offset);
  }

  /**
   * All valuations that `constraints.state` allows, each once, in a fixed order. They are found through the constraint: a
   * partial valuation is given up as soon as the constraint is false whatever the remaining predicates are, so that the
   * effort follows the number of valid valuations, not 2^k, wherever the constraint decides early.
   *
   * `limit` is the number of valuations at most; default 1,000,000.
   *
   * @throws InvalidArgumentError if there are more, with the count so far
   */
  validStates({ limit = DEFAULT_LIMIT }: { limit?: number } = {}): ValuationTable {
    return enumerateValuations(this.predicates, this.#state, limit);
  }

  /**
   * The valuations of `states` that satisfy a Boolean expression over predicate names, such as `microwaveOn && !doorOpen`.
   *
   * @returns their indices in `states`, ascending
   * @throws ParseError if the expression is malformed or names an unknown predicate: with the nearest one
   */
  filter(states: ValuationTable, condition: string): number[] {
    const constraint = new ValuationConstraint('the condition', condition, this.predicates);
    const { valuations, size, words } = states;
    const satisfying: number[] = [];
    for (let i = 0; i < size; i++) if (constraint.allows(valuations, i * words)) satisfying.push(i);
    return satisfying;
  }
}

/** @throws InvalidArgumentError if `name` cannot name a predicate. */
export function checkPredicateName(name: string): void {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    throw new InvalidArgumentError(
      `predicate "${name}": a name is a letter or _, followed by letters, digits and _`,
    );
  }
  if (RESERVED.has(name)) {
    throw new InvalidArgumentError(
      `predicate "${name}": this name is reserved (${[...RESERVED].join(', ')}); choose another`,
    );
  }
}

function checkNames(names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    checkPredicateName(name);
    if (seen.has(name)) throw new InvalidArgumentError(`predicate "${name}" is defined twice`);
    seen.add(name);
  }
}
