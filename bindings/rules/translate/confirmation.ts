import { InvalidArgumentError, InvalidDataError } from '../../base/errors.js';
import {
  type ComparedTrace,
  type CompareOptions,
  distinguish,
  sampleTraces,
} from '../../languages/automaton/compare/index.js';
import { allows } from '../../languages/automaton/index.js';
import { inWords, type Lexicon } from '../../languages/english/index.js';
import { type Formula, printFormula } from '../../languages/logic/index.js';

/** A run of which a person says whether the rule allows it. */
export interface ConfirmationQuestion {
  readonly trace: ComparedTrace;
  /** The run and the question in words. */
  readonly text: string;
}

/** Runs by which a person sees what a translated rule means. What the formula says of them is not told before they have answered. */
export interface Confirmation {
  readonly questions: readonly ConfirmationQuestion[];
}

/** A translated rule that a person has confirmed: what belongs beside its formula in a specification. */
export interface ConfirmedRule {
  readonly formula: string;
  readonly confirmed: {
    /** Who said so. */
    readonly by: string;
    /** Runs that the rule must allow, each a list of the predicates that are true at each step. */
    readonly allowed: readonly (readonly string[])[][];
    readonly forbidden: readonly (readonly string[])[][];
  };
}

/** Runs of each kind that are shown. */
const EACH = 2;

/**
 * Two short runs that a formula allows and two that it forbids; those that also tell it from its strongest rival come first. Fewer where there are no more.
 *
 * @param rivals other formulas that were voted for, the strongest first
 */
export function confirmationFor(
  formula: Formula,
  rivals: readonly Formula[],
  lexicon: Lexicon,
  options: CompareOptions,
): Confirmation {
  const telling = rivals
    .slice(0, EACH)
    .map((rival) => distinguish(formula, rival, options)?.trace)
    .filter((trace) => trace !== undefined);
  const runs = [true, false].flatMap((holds) => {
    const own = telling.filter((trace) => allows(formula, trace) === holds);
    const others = sampleTraces(formula, { ...options, count: EACH + own.length, holds });
    return distinct([...own, ...others]).slice(0, EACH);
  });
  // In the order of their length, so that the order does not tell the answers.
  const questions = runs
    .sort((one, other) => one.length - other.length)
    .map((trace) => ({ trace, text: `Is this run allowed: ${inWords(trace, lexicon)}?` }));
  return { questions };
}

function distinct(traces: readonly ComparedTrace[]): ComparedTrace[] {
  return [...new Map(traces.map((trace) => [JSON.stringify(trace), trace])).values()];
}

/**
 * A rule that a person has confirmed, to be written into a specification. The runs stay with it as tests.
 *
 * @param answers for each question whether the run is allowed
 * @param by who answered
 * @throws InvalidDataError if the formula says otherwise of a run; InvalidArgumentError if there is not one answer a question, or nobody who gave them
 */
export function confirmRule(
  formula: Formula,
  { questions }: Confirmation,
  answers: readonly boolean[],
  by: string,
): ConfirmedRule {
  if (answers.length !== questions.length || answers.some((answer) => typeof answer !== 'boolean'))
    throw new InvalidArgumentError(
      `confirmRule was given ${answers.length} answers to ${questions.length} questions; give true or false for each`,
    );
  if (by.trim() === '') throw new InvalidArgumentError('confirmRule was not told who gave the answers');
  questions.forEach(({ trace, text }, i) => {
    if (allows(formula, trace) !== answers[i])
      throw new InvalidDataError(
        `the answer to "${text}" is ${answers[i] ? 'yes' : 'no'}, but ${printFormula(formula)} ${answers[i] ? 'forbids' : 'allows'} that run: it is not what is meant; say the sentence in other words, or write the formula yourself`,
      );
  });
  const of = (answer: boolean) =>
    questions.filter((_, i) => answers[i] === answer).map(({ trace }) => trace.map(trueOf));
  return { formula: printFormula(formula), confirmed: { by, allowed: of(true), forbidden: of(false) } };
}

const trueOf = (step: ComparedTrace[number]): string[] => Object.keys(step).filter((name) => step[name]);
