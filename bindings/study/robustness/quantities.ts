import { NotSupportedError } from '../../base/errors.js';
import { type Expression, parseExpression, printExpression } from '../../languages/expression/index.js';
import {
  type Formula,
  printFormula,
  strongForm,
  type Temporal,
  type Window,
  windowInSteps,
} from '../../languages/logic/index.js';
import {
  checkRanges,
  compileMargin,
  type Equality,
  type EqualityReading,
  type Margin,
  marginRange,
  type Range,
} from './margin.js';
import type { Signals } from './samples.js';
import { WholeNumberFields } from './wholeNumbers.js';

/** How the conditions and windows of a formula are evaluated. */
export interface RobustnessOptions {
  /** Seconds between samples, for windows in time. */
  readonly samplingPeriod?: number | string;
  /** Expressions of the predicates named in the formula; a name without an expression is a Boolean field of the state. */
  readonly predicates?: readonly { readonly name: string; readonly expression: string }[];
  /**
   * The meaning of `==` between numbers: `distance`, `-|left - right|`, which is 0 if the equation holds; `truth`, ∞ or -∞; or `whole`
   * (default), a truth between whole-number fields and whole constants, which are codes, and a distance between others.
   */
  readonly equality?: Equality;
  /**
   * The whole-number fields, by name or dotted path, for `whole`. Default: the fields that the formula compares by `==` or `!=`, if it
   * compares them only with whole constants or other fields, and no arithmetic uses them. Given signals are searched, and a field with a
   * fractional number is excluded; for signals still to come, a sample with a fractional number is refused.
   */
  readonly wholeNumbers?: readonly string[];
  /** Least and greatest value of fields of the state, by name; default: unbounded. */
  readonly ranges?: Readonly<Record<string, Range>>;
}

/** A condition on single states. */
export interface Atom {
  readonly text: string;
  readonly expression: Expression;
  readonly margin: Margin;
  readonly range: Range;
}

/**
 * A robustness defined at every position, with its parts by number. All other operators are expressed by these: X as `eventually` of the
 * window [1,1], G as the negative of `eventually` of negatives, and so on.
 */
export type Quantity =
  | { readonly kind: 'constant'; readonly value: number }
  | { readonly kind: 'atom'; readonly atom: number }
  /** The negative. */
  | { readonly kind: 'not'; readonly operand: number }
  /** The smaller (`and`) or the larger (`or`). */
  | { readonly kind: 'and' | 'or'; readonly left: number; readonly right: number }
  /** The largest over the existing positions i + from .. i + to, for the past i - to .. i - from; `to` may be infinite. */
  | {
      readonly kind: 'eventually';
      readonly operand: number;
      readonly past: boolean;
      readonly from: number;
      readonly to: number;
    }
  /** Unbounded until; for the past, since. */
  | { readonly kind: 'until'; readonly left: number; readonly right: number; readonly past: boolean };

/** The quantities of a formula; each comes after its parts. */
export interface Quantities {
  readonly atoms: readonly Atom[];
  readonly list: readonly Quantity[];
  readonly root: number;
  readonly ranges: ReadonlyMap<string, Range>;
  /** Paths of the fields that are read as whole numbers. */
  readonly codes: readonly (readonly string[])[];
}

/**
 * The quantities of a formula; equal parts are shared.
 *
 * Windows of until cost no more than those of `eventually`, as φ U[a,b] ψ = F[a,b] ψ ∧ φ U[a,∞) ψ, and φ U[a,∞) ψ at i is G[0,a-1] φ at i
 * and φ U ψ at i + a. This holds for numbers as for truth values, because `>= c` commutes with minimum and maximum.
 *
 * @throws NotSupportedError on P and on windows of X; ParseError on a malformed predicate; InvalidArgumentError as `windowInSteps`.
 * @see A. Donzé, T. Ferrère, O. Maler, Efficient robust monitoring for STL, CAV 2013, doi:10.1007/978-3-642-39799-8_19
 */
export function quantitiesOf(
  formula: Formula,
  options: RobustnessOptions = {},
  signals?: Signals,
): Quantities {
  const ranges = checkRanges(options.ranges);
  return new Builder(options, ranges, readingOf(formula, options, signals)).build(formula);
}

/** The meaning of `==`, from the options, and from the signals if they are given. */
function readingOf(
  formula: Formula,
  { equality = 'whole', wholeNumbers, predicates }: RobustnessOptions,
  signals: Signals | undefined,
): EqualityReading {
  if (equality !== 'whole') return equality;
  if (wholeNumbers !== undefined) return new Set(wholeNumbers);
  const found = new WholeNumberFields([formula], predicates);
  if (signals !== undefined) found.observe(signals);
  return found.fields;
}

class Builder {
  readonly #atoms: Atom[] = [];
  readonly #list: Quantity[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #expressions: ReadonlyMap<string, string>;
  readonly #options: RobustnessOptions;
  readonly #ranges: ReadonlyMap<string, Range>;
  readonly #equality: EqualityReading;

  constructor(options: RobustnessOptions, ranges: ReadonlyMap<string, Range>, equality: EqualityReading) {
    this.#options = options;
    this.#ranges = ranges;
    this.#equality = equality;
    this.#expressions = new Map(options.predicates?.map(({ name, expression }) => [name, expression]));
  }

  build(formula: Formula): Quantities {
    const root = this.#of(formula);
    const codes =
      typeof this.#equality === 'string' ? [] : [...this.#equality].map((path) => path.split('.'));
    return { atoms: this.#atoms, list: this.#list, root, ranges: this.#ranges, codes };
  }

  #of(formula: Formula): number {
    switch (formula.kind) {
      case 'constant':
        return this.#constant(formula.value);
      case 'predicate':
        return this.#atom(this.#expressionOf(formula));
      case 'comparison':
        return this.#atom(formula.expression);
      case 'not':
        return this.#not(this.#of(formula.operand));
      case 'and':
        return this.#and(this.#of(formula.left), this.#of(formula.right));
      case 'or':
        return this.#or(this.#of(formula.left), this.#of(formula.right));
      case 'implies':
        return this.#or(this.#not(this.#of(formula.left)), this.#of(formula.right));
      case 'iff': {
        const left = this.#of(formula.left);
        const right = this.#of(formula.right);
        return this.#and(this.#or(this.#not(left), right), this.#or(left, this.#not(right)));
      }
      case 'unary':
      case 'binary':
        return this.#temporal(formula);
      case 'count':
        throw new NotSupportedError(
          `${printFormula(formula)} has no robustness here: a count changes by whole steps, so how far it is from its bound says nothing of how far a signal is from changing it; judge the rule by its verdict, or ask with O or H whether it ever held`,
        );
      default:
        throw new NotSupportedError(
          `${printFormula(formula)} is a probability; robustness is that of one trace, take the path formula inside`,
        );
    }
  }

  #temporal(formula: Temporal): number {
    const { kind, left, right, window, negated } = strongForm(formula);
    const past = kind === 'since' || kind === 'previous';
    const [from, to] = kind === 'next' || kind === 'previous' ? [1, 1] : this.#steps(window);
    const before = left === null ? null : this.#of(left);
    const reached = this.#of(right);
    const strong =
      before === null
        ? this.#eventually(reached, past, from, to)
        : this.#until(before, reached, past, from, to);
    return negated ? this.#not(strong) : strong;
  }

  #until(left: number, right: number, past: boolean, from: number, to: number): number {
    let result = this.#number(`until ${left} ${right} ${past}`, { kind: 'until', left, right, past });
    if (from > 0) {
      const before = this.#not(this.#eventually(this.#not(left), past, 0, from - 1));
      result = this.#and(before, this.#eventually(result, past, from, from));
    }
    return to === Number.POSITIVE_INFINITY
      ? result
      : this.#and(this.#eventually(right, past, from, to), result);
  }

  #eventually(operand: number, past: boolean, from: number, to: number): number {
    if (to === 0) return operand;
    const key = `eventually ${operand} ${past} ${from} ${to}`;
    return this.#number(key, { kind: 'eventually', operand, past, from, to });
  }

  #and(left: number, right: number): number {
    return this.#number(`and ${left} ${right}`, { kind: 'and', left, right });
  }

  #or(left: number, right: number): number {
    return this.#number(`or ${left} ${right}`, { kind: 'or', left, right });
  }

  #not(operand: number): number {
    const inner = this.#list[operand];
    return inner.kind === 'not' ? inner.operand : this.#number(`not ${operand}`, { kind: 'not', operand });
  }

  #constant(truth: boolean): number {
    const value = truth ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
    return this.#number(`${truth}`, { kind: 'constant', value });
  }

  #atom(expression: Expression): number {
    const text = printExpression(expression);
    const known = this.#numbers.get(`atom ${text}`);
    if (known !== undefined) return known;
    const margin = compileMargin(expression, this.#equality);
    const range = marginRange(expression, this.#ranges, this.#equality);
    this.#atoms.push({ text, expression, margin, range });
    return this.#number(`atom ${text}`, { kind: 'atom', atom: this.#atoms.length - 1 });
  }

  #expressionOf({ name, place }: Extract<Formula, { kind: 'predicate' }>): Expression {
    const source = this.#expressions.get(name);
    const of = `predicate "${name}"`;
    return source === undefined
      ? { name: of, root: { kind: 'name', name, place } }
      : parseExpression(source, { name: of });
  }

  #steps(window: Window | null): [number, number] {
    const { from, to } = windowInSteps(window, this.#options.samplingPeriod);
    return [from, to ?? Number.POSITIVE_INFINITY];
  }

  #number(key: string, quantity: Quantity): number {
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#list.push(quantity) - 1;
      this.#numbers.set(key, number);
    }
    return number;
  }
}

/** The numbers of the parts of a quantity. */
export function partsOf(quantity: Quantity): readonly number[] {
  switch (quantity.kind) {
    case 'constant':
    case 'atom':
      return [];
    case 'not':
    case 'eventually':
      return [quantity.operand];
    default:
      return [quantity.left, quantity.right];
  }
}

/** Bounds on each quantity at a position of which only the existence is known. */
export function rangesOf({ atoms, list }: Quantities): Range[] {
  const ranges: Range[] = [];
  for (const quantity of list) {
    ranges.push(rangeOf(quantity, ranges, atoms));
  }
  return ranges;
}

function rangeOf(quantity: Quantity, ranges: readonly Range[], atoms: readonly Atom[]): Range {
  switch (quantity.kind) {
    case 'constant':
      return [quantity.value, quantity.value];
    case 'atom':
      return atoms[quantity.atom].range;
    case 'not': {
      const [lower, upper] = ranges[quantity.operand];
      return [0 - upper, 0 - lower];
    }
    case 'and':
    case 'or': {
      const choose = quantity.kind === 'or' ? Math.max : Math.min;
      const [a, b] = ranges[quantity.left];
      const [c, d] = ranges[quantity.right];
      return [choose(a, c), choose(b, d)];
    }
    case 'eventually': {
      // A window from 0 contains the position itself; other windows may contain no position.
      const [lower, upper] = ranges[quantity.operand];
      return [quantity.from === 0 ? lower : Number.NEGATIVE_INFINITY, upper];
    }
    case 'until':
      return ranges[quantity.right];
  }
}
