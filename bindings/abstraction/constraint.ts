import { ParseError } from '../errors.js';
import {
  compileConstraint,
  compilePredicate,
  type EvaluationContext,
  type Expression,
  freePaths,
  type PartialEvaluate,
  parseExpression,
} from '../expression/index.js';
import { nearestName } from '../suggest.js';
import { ValuationView } from './valuationView.js';

type Evaluate = (state: Readonly<Record<string, unknown>>, context: EvaluationContext) => boolean;

const NO_CONTEXT: EvaluationContext = {};

/** A Boolean combination of predicate names, compiled to read packed valuations. */
export class ValuationConstraint {
  /** Predicates it reads, each once. */
  readonly mentioned: readonly string[];
  /** The same in three values, for valuations known in part. */
  readonly partially: PartialEvaluate;
  readonly #view: ValuationView;
  readonly #holds: Evaluate;

  /**
   * @param name what messages call it, e.g. `constraints.state`.
   * @throws ParseError if `source` is malformed or names anything else: with the nearest name
   * @throws NotSupportedError if it is no Boolean combination of names
   */
  constructor(name: string, source: string, predicates: readonly string[]) {
    const expression = parseOver(name, source, predicates);
    this.mentioned = freePaths(expression).map(({ path }) => path);
    this.partially = compileConstraint(expression);
    this.#view = new ValuationView(predicates);
    this.#holds = compilePredicate(expression, name);
  }

  /** Whether the valuation that starts at `offset` satisfies the expression. */
  allows(valuation: Uint32Array, offset: number): boolean {
    this.#view.moveTo(valuation, offset);
    return this.#holds(this.#view.fields, NO_CONTEXT);
  }
}

/** A Boolean combination of `from.<predicate>` and `to.<predicate>`, compiled to read two packed valuations. */
export class TransitionConstraint {
  readonly #from: ValuationView;
  readonly #to: ValuationView;
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #holds: Evaluate;

  /**
   * @param name what messages call it, e.g. `constraints.transition`.
   * @throws ParseError if `source` is malformed or names anything else: with the nearest name
   * @throws NotSupportedError if it is no Boolean combination of names
   */
  constructor(name: string, source: string, predicates: readonly string[]) {
    const paths = ['from', 'to'].flatMap((side) => predicates.map((predicate) => `${side}.${predicate}`));
    const expression = parseOver(name, source, paths);
    compileConstraint(expression);
    this.#from = new ValuationView(predicates);
    this.#to = new ValuationView(predicates);
    this.#fields = { from: this.#from.fields, to: this.#to.fields };
    this.#holds = compilePredicate(expression, name);
  }

  /** Whether a step may lead from one valuation to the other. */
  allows(from: Uint32Array, fromOffset: number, to: Uint32Array, toOffset: number): boolean {
    this.#from.moveTo(from, fromOffset);
    this.#to.moveTo(to, toOffset);
    return this.#holds(this.#fields, NO_CONTEXT);
  }
}

/** Parses a Boolean combination of `known` names; evaluating it on Boolean values cannot fail. */
function parseOver(name: string, source: string, known: readonly string[]): Expression {
  const expression = parseExpression(source, { name });
  for (const { path, place } of freePaths(expression)) {
    if (known.includes(path)) continue;
    const nearest = known.find((candidate) => candidate.endsWith(`.${path}`)) ?? nearestName(path, known);
    const hint = nearest ? `did you mean "${nearest}"?` : `known: ${known.join(', ') || 'none'}`;
    throw new ParseError(`unknown predicate "${path}"; ${hint}`, {
      source: name,
      ...place,
      expected: 'a predicate',
    });
  }
  return expression;
}
