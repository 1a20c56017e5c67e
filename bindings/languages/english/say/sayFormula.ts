import { type AtEnd, buildAutomaton, OPEN } from '../../automaton/index.js';
import type { Formula } from '../../logic/index.js';
import { isBoolean, predicatesOf } from '../../logic/index.js';
import { createLexicon, type Lexicon } from '../lexicon/index.js';
import { Clauses } from './clauses.js';
import { distinctWords } from './distinctWords.js';
import { sayPattern } from './sayPattern.js';
import { sayLength } from './sayWindow.js';

/**
 * Says a formula in English, about a run from its first step on: one sentence, or one for each part of a conjunction. A formula that is equivalent to a known
 * pattern is said by the pattern's sentence, such as "Whenever the stove is on, eventually the agent is in the kitchen."; any other by its structure, with
 * parentheses wherever the words alone would leave open what belongs together. Every formula has sentences, and those of formulas with different meanings differ.
 *
 * @param lexicon how predicates are said; default: by their names
 * @param options.atEnd how the end of a run is judged; if `weak`, a last sentence says that what is then due is not asked for, unless nothing ever is. Default `strong`
 * @param options.samplingPeriod seconds, for windows in time: without it, a formula with such a window is taken to owe something at the end
 * @throws NotSupportedError for a window on X, WX, Y or WY
 */
export function sayFormula(
  formula: Formula,
  lexicon: Lexicon = createLexicon(),
  options: { readonly atEnd?: AtEnd; readonly samplingPeriod?: number | string | null } = {},
): string {
  const clauses = new Clauses(distinctWords(lexicon, predicatesOf(formula)));
  const said = sentencesOf(formula, clauses)
    .map((sentence) => `${capital(sentence)}.`)
    .join(' And: ');
  return options.atEnd === 'weak' && owesAtEnd(formula, options.samplingPeriod ?? null)
    ? `${said} What is still due when the run ends is not asked for.`
    : said;
}

/** Whether a run can end with something due. A formula without an automaton of moderate size is taken to. */
function owesAtEnd(formula: Formula, samplingPeriod: number | string | null): boolean {
  try {
    const { verdict, accepting } = buildAutomaton(formula, { maxStates: 1000, samplingPeriod });
    return Array.from(verdict).some((found, state) => found === OPEN && accepting[state] === 0);
  } catch {
    return true;
  }
}

function sentencesOf(formula: Formula, clauses: Clauses): string[] {
  if (isBoolean(formula) && formula.kind !== 'constant')
    return [`at the first step, ${clauses.clause(formula)}`];
  const pattern = sayPattern(formula, clauses);
  if (pattern !== null) return [pattern];
  if (formula.kind === 'and')
    return [formula.left, formula.right].flatMap((part) => sentencesOf(part, clauses));
  return [byStructure(formula, clauses)];
}

function byStructure(formula: Formula, clauses: Clauses): string {
  if (formula.kind !== 'unary' || formula.operator !== 'G' || formula.window !== null)
    return clauses.clause(formula);
  const { operand } = formula;
  if (operand.kind === 'implies') {
    const { left, right } = operand;
    const answer = right.kind === 'unary' && right.operator === 'F' ? right : null;
    const said =
      answer?.window?.from === '0' && answer.window.to !== null
        ? `${clauses.part(answer.operand)} within ${sayLength(answer.window.to, answer.window.unit)}`
        : clauses.clause(right);
    return `whenever ${clauses.condition(left)}, ${said}`;
  }
  return `at every step, ${clauses.clause(operand)}`;
}

/** A first letter that is no part of a name becomes a capital. */
function capital(sentence: string): string {
  return sentence.replace(/^\(*\p{Ll}/u, (first) => first.toUpperCase());
}
