import type { Bounds } from './bounds.js';
/**
 * Every error Foreguard throws on purpose. A message says what was found, what was expected and what to try;
 * the fields carry the same facts for programs.
 */

/** Base of all errors thrown by Foreguard; `code` is stable and meant for programs. */
export class ForeguardError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** An argument outside its domain: wrong length, wrong range, wrong combination of options, or a handle that was already freed. */
export class InvalidArgumentError extends ForeguardError {
  constructor(message: string, options?: ErrorOptions) {
    super('invalid-argument', message, options);
  }
}

/** An invalid model: a row that does not sum to 1, a column out of range, or a probability that is NaN. */
export class InvalidModelError extends ForeguardError {
  /** The state whose row is wrong, if there is a single one. */
  readonly state: number | undefined;
  /** The actual sum, if a row does not sum to 1. */
  readonly rowSum: number | undefined;

  constructor(message: string, details: { state?: number; rowSum?: number; cause?: unknown } = {}) {
    super('invalid-model', message, 'cause' in details ? { cause: details.cause } : undefined);
    this.state = details.state;
    this.rowSum = details.rowSum;
  }
}

/** Text that does not follow its grammar or schema. Lines and columns count from 1. */
export class ParseError extends ForeguardError {
  /** File name, or a description such as `predicate "doorOpen"`. */
  readonly source: string;
  readonly line: number;
  readonly column: number;
  /** The input that would have been accepted at that place. */
  readonly expected: string | undefined;

  constructor(
    message: string,
    place: { source: string; line: number; column: number; expected?: string; cause?: unknown },
  ) {
    super(
      'parse-error',
      `${place.source}:${place.line}:${place.column}: ${message}`,
      'cause' in place ? { cause: place.cause } : undefined,
    );
    this.source = place.source;
    this.line = place.line;
    this.column = place.column;
    this.expected = place.expected;
  }
}

/** Evaluating an expression failed: a missing field, a value of the wrong type, an index out of range. */
export class EvaluationError extends ForeguardError {
  /** The predicate being evaluated, if any. */
  readonly predicate: string | undefined;
  /**
   * The absent field, if that is the cause, as a dotted path from the state or the step: `ego.speed`, and `objects.isOpen` for one of the
   * `objects`. A computed value is shown as its expression.
   */
  readonly missingField: string | undefined;
  /** The message without what the data hold, for those from whom values are hidden: the place, and what was expected there. Empty if nothing can be said without. */
  readonly withoutValues: string;

  constructor(
    message: string,
    details: { predicate?: string; missingField?: string; withoutValues?: string; cause?: unknown } = {},
  ) {
    super('evaluation-error', message, 'cause' in details ? { cause: details.cause } : undefined);
    this.predicate = details.predicate;
    this.missingField = details.missingField;
    this.withoutValues = details.withoutValues ?? '';
  }
}

/** Data that contradicts its specification, e.g. an observed transition that a constraint forbids. */
export class InvalidDataError extends ForeguardError {
  constructor(message: string, options?: ErrorOptions) {
    super('invalid-data', message, options);
  }
}

/** A meaningful request that this version does not support. */
export class NotSupportedError extends ForeguardError {
  constructor(message: string, options?: ErrorOptions) {
    super('not-supported', message, options);
  }
}

/** A solver stopped before it reached the requested precision; carries the certified bounds reached so far. */
export class NotConvergedError extends ForeguardError {
  readonly lower: Float64Array;
  readonly upper: Float64Array;

  constructor(message: string, bounds: Bounds) {
    super('not-converged', message);
    this.lower = bounds.lower;
    this.upper = bounds.upper;
  }
}

/** The WebAssembly kernel could not be loaded, ran out of memory, or was used after it was freed. */
export class KernelError extends ForeguardError {
  constructor(message: string, options?: ErrorOptions) {
    super('kernel-error', message, options);
  }
}

/** A yes/no question that the bounds reached do not decide: `lower <= true value <= upper`, and the threshold lies between the bounds. */
export class UndecidedError extends ForeguardError {
  readonly lower: number;
  readonly upper: number;

  constructor(message: string, bounds: Bounds<number>) {
    super('undecided', message);
    this.lower = bounds.lower;
    this.upper = bounds.upper;
  }
}

/** An outside solver failed: it is absent, crashed, said what cannot be read, or contradicts another one. Nothing counts as proved by it. */
export class SolverError extends ForeguardError {
  /** The solver's name; of a contradiction both. */
  readonly solver: string;
  /** The script that it was asked, in SMT-LIB 2.6. */
  readonly script: string;

  constructor(message: string, details: { solver: string; script: string; cause?: unknown }) {
    super('solver-error', message, 'cause' in details ? { cause: details.cause } : undefined);
    this.solver = details.solver;
    this.script = details.script;
  }
}

/** A language model gave no answer, or none that can be read; or its budget is spent. */
export class ModelError extends ForeguardError {
  constructor(message: string, options?: ErrorOptions) {
    super('model-failed', message, options);
  }
}
