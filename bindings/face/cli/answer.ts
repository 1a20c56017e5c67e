import { type ForeguardError, NotConvergedError, UndecidedError } from '../../base/errors.js';
import type { PrismExpression } from '../../languages/logic/index.js';
import type { PropertyResult, StatesResult } from '../../solvers/checker/index.js';
import { type StateValuation, stateText } from './stateText.js';
import { formatNumber, plural } from './terminal.js';

/** The result of one property: an answer, or why there is none. */
export interface Answer {
  readonly name: string;
  readonly property: string;
  /** Undefined if the property cannot be parsed. */
  readonly expression?: PrismExpression;
  readonly seconds: number;
  readonly result?: PropertyResult;
  readonly error?: ForeguardError;
}

/** The description of states used by answers. */
export interface AnsweredModel {
  readonly initial: readonly number[];
  readonly states: number;
  readonly valuation?: ((state: number) => StateValuation) | undefined;
  /** The states in listing order. */
  readonly ordered: (states: Iterable<number>) => number[];
}

export function answerAsJson(answer: Answer, model: AnsweredModel): object {
  const { name, property, result, error, seconds } = answer;
  if (result === undefined) {
    const what = { code: error?.code, message: error?.message, ...boundsOf(error, model.initial) };
    return { name, property, error: what, seconds };
  }
  const { accuracy, method, iterations } = result;
  return { name, property, ...valueAsJson(result, answer, model), accuracy, method, iterations, seconds };
}

/** A value as JSON; for states, those that the filter lists, with their values. */
function valueAsJson(result: PropertyResult, answer: Answer, model: AnsweredModel): object {
  switch (result.kind) {
    case 'number': {
      const { value, lower, upper, exact } = result;
      return { value, lower, upper, ...(exact && { exact: exact.toString() }) };
    }
    case 'range': {
      const { value, lower, upper, exact } = result;
      return { value, lower, upper, ...(exact && { exact: { min: `${exact.min}`, max: `${exact.max}` } }) };
    }
    case 'truth':
      return { value: result.value };
    case 'states': {
      const { value, states } = result;
      const listed = listedStates(result, answer, model).map((state) => ({
        state,
        ...(model.valuation && { valuation: model.valuation(state) }),
        ...(result.holds
          ? { value: truthAt(state, result) }
          : { lower: result.lower?.[state], upper: result.upper?.[state], ...exactOf(state, result) }),
      }));
      return { value, states: listed, of: states.count() };
    }
  }
}

function exactOf(state: number, { exactAt }: StatesResult): { exact?: string } {
  const exact = exactAt?.(state);
  return exact ? { exact: `${exact}` } : {};
}

/** The states that a filter lists, in PRISM's order; `print` leaves out states with the value false or 0. */
function listedStates(
  { states, holds, open, lower, upper }: StatesResult,
  { expression }: Answer,
  { ordered }: AnsweredModel,
): number[] {
  const all = ordered(states);
  if (expression?.kind === 'filter' && expression.operator === 'printall') return all;
  return all.filter((s) => (holds ? holds.has(s) || open?.has(s) : lower?.[s] !== 0 || upper?.[s] !== 0));
}

function truthAt(state: number, { holds, open }: StatesResult): boolean | 'undecided' {
  return open?.has(state) ? 'undecided' : (holds?.has(state) ?? false);
}

/** Maximal number of states listed as text. */
const MAX_LISTED = 20;

/** An answer as text, below its property. */
export function answerAsText(answer: Answer, model: AnsweredModel): string {
  return `${answer.name}: ${answer.property}\n  ${valueAsText(answer, model)}`;
}

function valueAsText(answer: Answer, model: AnsweredModel): string {
  const { result, error } = answer;
  const { valuation } = model;
  if (result === undefined) return `error: ${error?.message}`;
  const how = `(${result.accuracy}, ${result.method})`;
  switch (result.kind) {
    case 'truth':
      return `${result.value} ${how}`;
    case 'number': {
      const { value, lower, upper, exact } = result;
      if (exact) return `${exact} = ${formatNumber(value)} ${how}`;
      return `${formatNumber(value)}  in [${lower}, ${upper}] ${how}`;
    }
    case 'range': {
      const { value, lower, upper, exact } = result;
      if (exact) return `${exact.min} to ${exact.max} ${how}`;
      return `${formatNumber(value.min)} to ${formatNumber(value.max)}  in [${lower}, ${upper}] ${how}`;
    }
    case 'states': {
      const listed = listedStates(result, answer, model);
      const lines = listed
        .slice(0, MAX_LISTED)
        .map((state) => `${stateText(state, valuation?.(state))}=${valueAt(state, result)}`);
      const count = result.states.count();
      const of = listed.length < count ? ` of ${count}` : '';
      const more = listed.length - lines.length;
      return [
        `${plural(listed.length, 'state')}${of} ${how}`,
        ...lines,
        ...(more > 0 ? [`… ${more} more; --json has all`] : []),
      ].join('\n  ');
    }
  }
}

function valueAt(state: number, result: StatesResult): string {
  if (result.holds) return String(truthAt(state, result));
  const exact = result.exactAt?.(state);
  if (exact) return `${exact}`;
  const [least, most] = [result.lower?.[state] as number, result.upper?.[state] as number];
  if (least === most) return formatNumber(least);
  return `${formatNumber(least + (most - least) / 2)}  in [${least}, ${most}]`;
}

/** 1 if all are yes/no questions and one is false; 3 if something was not finished; 2 for other errors. */
export function exitCodeOf(answers: readonly Answer[]): 0 | 1 | 2 | 3 {
  const codes = answers.flatMap(({ error }) => (error ? [error.code] : []));
  if (codes.some((code) => unfinished.has(code))) return 3;
  if (codes.length > 0) return 2;
  const yesNo = answers.every(({ result }) => result?.kind === 'truth');
  return yesNo && answers.some(({ result }) => result?.value === false) ? 1 : 0;
}

const unfinished: ReadonlySet<string> = new Set(['undecided', 'not-converged', 'kernel-error', 'aborted']);

function boundsOf(error: ForeguardError | undefined, initial: readonly number[]): object {
  if (error instanceof UndecidedError) return { lower: error.lower, upper: error.upper };
  if (!(error instanceof NotConvergedError)) return {};
  return {
    lower: Math.min(...initial.map((state) => error.lower[state])),
    upper: Math.max(...initial.map((state) => error.upper[state])),
  };
}
