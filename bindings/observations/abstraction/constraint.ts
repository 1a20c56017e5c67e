import { ParseError } from '../../base/errors.js';
import { nearestName } from '../../base/suggest.js';
import {
  compileConstraint,
  type Expression,
  freePaths,
  type PartialEvaluate,
} from '../../languages/expression/runtime/index.js';
import { bit } from './bit.js';

/** A Boolean combination of predicate names, evaluated on packed valuations. */
export class ValuationConstraint {
  /** The predicates that it reads, each once. */
  readonly mentioned: readonly string[];
  /** The same constraint in three-valued logic, for partial valuations. */
  readonly partially: PartialEvaluate;
  readonly #lookup: (path: string) => boolean;
  #valuation: Uint32Array = new Uint32Array(0);
  #offset = 0;

  /**
   * @throws ParseError if it names anything else (the message suggests the nearest name)
   * @throws NotSupportedError if it is not a Boolean combination of names
   */
  constructor(expression: Expression, predicates: readonly string[]) {
    requireKnown(expression, predicates);
    this.mentioned = freePaths(expression).map(({ path }) => path);
    this.partially = compileConstraint(expression);
    const bits = new Map(predicates.map((predicate, i) => [predicate, i]));
    this.#lookup = (path) => bit(this.#valuation, this.#offset, bits.get(path)!);
  }

  /** Whether the valuation that starts at `offset` satisfies the expression. */
  allows(valuation: Uint32Array, offset: number): boolean {
    this.#valuation = valuation;
    this.#offset = offset;
    return this.partially(this.#lookup) === true;
  }
}

/** A Boolean combination of `from.<predicate>` and `to.<predicate>`, evaluated on two packed valuations. */
export class TransitionConstraint {
  readonly #evaluate: PartialEvaluate;
  readonly #lookup: (path: string) => boolean;
  #from: Uint32Array = new Uint32Array(0);
  #fromOffset = 0;
  #to: Uint32Array = new Uint32Array(0);
  #toOffset = 0;

  /**
   * @param name the name used in messages, e.g. `constraints.transition`.
   * @throws ParseError if `source` is malformed or names anything else (the message suggests the nearest name)
   * @throws NotSupportedError if it is not a Boolean combination of names
   */
  constructor(expression: Expression, predicates: readonly string[]) {
    const paths = ['from', 'to'].flatMap((side) => predicates.map((predicate) => `${side}.${predicate}`));
    requireKnown(expression, paths);
    this.#evaluate = compileConstraint(expression);
    const count = predicates.length;
    const bits = new Map(paths.map((path, i) => [path, i]));
    this.#lookup = (path) => {
      const i = bits.get(path)!;
      return i < count ? bit(this.#from, this.#fromOffset, i) : bit(this.#to, this.#toOffset, i - count);
    };
  }

  /** Whether a step may lead from one valuation to the other. */
  allows(from: Uint32Array, fromOffset: number, to: Uint32Array, toOffset: number): boolean {
    this.#from = from;
    this.#fromOffset = fromOffset;
    this.#to = to;
    this.#toOffset = toOffset;
    return this.#evaluate(this.#lookup) === true;
  }
}

/** Refuses an expression that reads a name outside `known`. */
function requireKnown(expression: Expression, known: readonly string[]): void {
  for (const { path, place } of freePaths(expression)) {
    if (known.includes(path)) continue;
    const nearest = known.find((candidate) => candidate.endsWith(`.${path}`)) ?? nearestName(path, known);
    const hint = nearest ? `did you mean "${nearest}"?` : `known: ${known.join(', ') || 'none'}`;
    throw new ParseError(`unknown predicate "${path}"; ${hint}`, {
      source: expression.name,
      ...place,
      expected: 'a predicate',
    });
  }
}
