import type { Bounds } from '../../../base/bounds.js';
import {
  ForeguardError,
  InvalidArgumentError,
  NotConvergedError,
  NotSupportedError,
} from '../../../base/errors.js';
import { describeValue, type OptionNames, refuseUnknownOptions } from '../../../base/suggest.js';
import {
  type GivenConstants,
  type PrismExpression,
  type Property,
  type PropertyFile,
  parseProperties,
} from '../../../languages/logic/index.js';
import { BitSet, type SolveOptions } from '../../kernel/index.js';
import type { ExactOptions } from '../exact/index.js';
import { openContext, type PropertyContext, requireConstants, type Subject } from './context.js';
import { remedy } from './decide.js';
import { Engines } from './engines.js';
import { Evaluation } from './evaluation.js';
import { applyFilter, type FilterResult } from './filters.js';
import { type PropertyResult, resultOf } from './propertyResult.js';

/** Options for checking properties. */
export interface PropertyOptions extends SolveOptions {
  /** Read `precision` as absolute: `upper - lower <= 2 * precision` for every value. Default false. */
  readonly absolute?: boolean;
  /**
   * Compute with fractions of whole numbers instead of bounds. The fractions are those of the model's source, which is explored
   * again unless it was built with `exact`. Default false.
   */
  readonly exact?: boolean;
  /** Values of constants that the properties leave open; the model's own constants keep their values. */
  readonly constants?: GivenConstants;
}

const propertyOptions: OptionNames<PropertyOptions & { readonly file?: PropertyFile }> = {
  precision: true,
  relative: true,
  absolute: true,
  method: true,
  maxIterations: true,
  exact: true,
  constants: true,
  file: true,
  onProgress: true,
  signal: true,
};

/** The outcome of checking one property: its result or its error. */
export type PropertyOutcome = { readonly property: Property; readonly seconds: number } & (
  | { readonly result: PropertyResult }
  | { readonly error: ForeguardError }
);

/** Bounds get no narrower than rounding allows. */
const FINEST_PRECISION = 1e-15;

/**
 * Checks one property in PRISM's syntax on a model: `P=? [ F "goal" ]`, `R{"cost"}max<=10 [ C<=5 ]`, `filter(…)`, `A [ G safe ]`,
 * combined and nested as PRISM allows.
 *
 * A property that is not a filter is answered for the initial states: a number (the smallest and the largest if there are
 * several states), or whether it holds in all of them. Numbers come with certified bounds, `upper - lower <= 2 * precision *
 * max(1,
 * |value|)`; if its bounds leave a nested formula open, the outer bounds cover both answers. On decision processes a threshold
 * must be met under every scheduler, or under some scheduler after `<<*>>`. Questions that the bounds leave open are decided in
 * exact arithmetic, on the fractions of the source, if that takes at most seconds.
 *
 * @param subject the result of `build`, or a model
 * @param property text with one property and the declarations it needs; or a parsed property, with its `file` if the file has
 * those declarations
 * @param options default precision 1e-6, default method `auto`
 * @throws ParseError on syntax, types and names, with the line and a caret
 * @throws UndecidedError if a threshold lies within the tightest bounds and exact arithmetic would take too long
 * @throws NotSupportedError for multi-objective properties and for operators without a meaning on the model's type
 * @throws InvalidArgumentError for a constant without a value; NotConvergedError as the solvers
 * @source PRISM manual, "Property Specification"
 */
export function check(
  subject: Subject,
  property: Property | string,
  options: PropertyOptions & { readonly file?: PropertyFile } = {},
): PropertyResult {
  if (typeof property !== 'string' && typeof property?.text !== 'string') {
    throw new InvalidArgumentError(
      `the property is ${describeValue(property)}; expected text such as P=? [ F "goal" ]`,
    );
  }
  const {
    file = parseProperties(typeof property === 'string' ? property : property.text, { name: 'property' }),
  } = options;
  const given = typeof property !== 'string' && options.file ? property : file.properties[0];
  if (given === undefined || (given !== property && file.properties.length !== 1)) {
    throw new InvalidArgumentError(
      `${file.properties.length} properties are given; expected one (checkAll takes a file of them)`,
    );
  }
  using checker = openChecker(subject, file, options);
  return checker.check(given);
}

/**
 * Checks the properties of a file, one after the other, on one copy of the model.
 *
 * @returns one outcome per property, in order; an error in one does not stop the others
 * @throws InvalidArgumentError for given constants that are not declared; ParseError for wrong constants
 */
export function checkAll(
  subject: Subject,
  file: PropertyFile,
  options: PropertyOptions = {},
): PropertyOutcome[] {
  using checker = openChecker(subject, file, options);
  return file.properties.map((property) => {
    const started = performance.now();
    const seconds = (): number => (performance.now() - started) / 1000;
    try {
      const result = checker.check(property);
      return { property, result, seconds: seconds() };
    } catch (error) {
      if (!(error instanceof ForeguardError)) throw error;
      return { property, error, seconds: seconds() };
    }
  });
}

/** Opens a checker for the properties of one file. Free it with `using`. @throws as `checkAll` */
export function openChecker(
  subject: Subject,
  file: PropertyFile,
  options: PropertyOptions = {},
): PropertyChecker {
  refuseUnknownOptions('check', options, propertyOptions);
  if (!subject?.model) {
    throw new InvalidArgumentError(
      `check is given ${describeValue(subject)}; expected what build returns, or { model } with a model that was read`,
    );
  }
  return new PropertyChecker(subject, openContext(subject, file, options), options);
}

/** Checks the properties of a file one by one on one model. */
export class PropertyChecker implements Disposable {
  readonly #engines: Engines;
  readonly #initial: BitSet;
  readonly #context: PropertyContext;
  readonly #options: PropertyOptions;

  constructor(subject: Subject, context: PropertyContext, options: PropertyOptions) {
    this.#context = context;
    this.#options = options;
    const { states, initial } = subject.model;
    if (initial.length === 0) {
      throw new InvalidArgumentError('the model has no initial state to answer for; give it one');
    }
    this.#initial = BitSet.of(states, initial);
    this.#engines = new Engines(subject);
  }

  /** @throws as `check` */
  check({ expression, text }: Pick<Property, 'expression' | 'text'>): PropertyResult {
    requireConstants(this.#context, expression);
    let precision = this.#options.precision ?? 1e-6;
    const { exact, signal } = this.#options;
    if (exact) return resultOf(this.#evaluate(expression, precision, signal ? { signal } : {}), text);
    let found = this.#evaluate(expression, precision);
    // Bounds computed from several numbers, or around open formulas, can be wider than each number's own.
    for (let tighter = this.#tighter(found, precision); tighter !== undefined; ) {
      precision = tighter;
      try {
        found = this.#evaluate(expression, precision);
      } catch (error) {
        if (error instanceof NotConvergedError) break;
        throw error;
      }
      tighter = this.#tighter(found, precision);
    }
    return resultOf(this.#settled(expression, found), text);
  }

  /** Frees the solvers opened for the answers; call it once. */
  free(): void {
    this.#engines.free();
  }

  /** As `free`: for `using`. */
  [Symbol.dispose](): void {
    this.free();
  }

  /** Decides questions that rounding leaves open, in exact arithmetic if that takes seconds. */
  #settled(expression: PrismExpression, found: FilterResult): FilterResult {
    const { accuracy, doubt } = found.obtained;
    const isOpen = found.kind === 'truth' ? found.value === undefined : doubt !== undefined;
    if (!isOpen || doubt?.final || accuracy !== 'bounded') return found;
    try {
      return this.#evaluate(expression, FINEST_PRECISION, this.#engines.settling(this.#options));
    } catch (error) {
      if (!(error instanceof NotSupportedError)) throw error;
      return { ...found, obtained: { ...found.obtained, doubt: doubt && { ...doubt, why: remedy(error) } } };
    }
  }

  /** @param exact limits of exact arithmetic, if it is to be used instead of bounds */
  #evaluate(expression: PrismExpression, precision: number, exact?: ExactOptions): FilterResult {
    const evaluation = new Evaluation(this.#engines, this.#context, { ...this.#options, precision, exact });
    if (expression.kind === 'filter') return evaluation.filtered(expression);
    const values = evaluation.value(expression, this.#initial);
    if (values.type === 'bool') return applyFilter('forall', values, this.#initial);
    return applyFilter(this.#engines.model.initial.length === 1 ? 'state' : 'range', values, this.#initial);
  }

  /** A finer precision to try if the result is wider than requested and a retry may help; else undefined. */
  #tighter({ obtained, ...found }: FilterResult, precision: number): number | undefined {
    const { accuracy, doubt } = obtained;
    if (accuracy !== 'bounded' || precision <= FINEST_PRECISION || doubt?.final) return undefined;
    if (found.kind === 'truth') return found.value === undefined ? precision / 1000 : undefined;
    if (found.kind === 'states') return undefined;
    const [least, greatest] =
      found.kind === 'number' ? [found.range, found.range] : [found.least, found.greatest];
    const excess = Math.max(this.#excess(least), this.#excess(greatest));
    return excess > 1 ? precision / Math.min(1000, 2 * excess) : undefined;
  }

  /** The ratio of the bounds' width to the requested width. */
  #excess({ lower, upper }: Bounds<number>): number {
    const { precision = 1e-6, relative, absolute } = this.#options;
    const size = Math.min(Math.abs(lower), Math.abs(upper));
    const scale = relative ? size : absolute ? 1 : Math.max(1, size);
    const width = upper - lower;
    return Number.isFinite(width) && width > 0 ? width / (2 * precision * scale) : 0;
  }
}
