import { ParseError } from '../../base/errors.js';
import { readEnglish, sayFormula } from '../../languages/english/index.js';
import { type Formula, parseFormula, predicatesOf } from '../../languages/logic/index.js';
import { vocabularyOf } from '../specification/index.js';
import type { NotAnswered } from './answers.js';
import type { Knowledge } from './knowledge.js';
import { eventually, literal } from './literals.js';

/** What is asked to happen: a formula; or why it is not one. */
export type Wish = { readonly kind: 'one'; readonly formula: Formula } | NotAnswered;

/** Reads what is asked to happen: "the stove be on", "you go to the kitchen before the bathroom", or a formula. Nothing is guessed. */
export function readWish(knowledge: Knowledge, text: string): Wish {
  const { predicates } = knowledge;
  const wanted = plain(text);
  for (const name of predicates) {
    const { holds, not, also } = knowledge.lexicon.phrasesOf(name);
    if (wanted === plain(name) || [holds, ...also].some((phrase) => isSaid(wanted, phrase)))
      return { kind: 'one', formula: eventually(literal(name, true)) };
    if (isSaid(wanted, not)) return { kind: 'one', formula: eventually(literal(name, false)) };
  }
  const formula = formulaIn(text, predicates);
  if (formula !== null) return { kind: 'one', formula };
  const read = readEnglish(text, { predicates: vocabularyOf(knowledge.specification).predicates });
  if (read.kind === 'one') return { kind: 'one', formula: read.formula };
  if (read.kind === 'refused')
    return {
      kind: 'refused',
      message: read.message,
      offers: read.offers,
      text: `I cannot answer: ${read.message}. Instead: ${read.offers.join('; ')}`,
    };
  const offers = read.readings.map((one) => sayFormula(one.formula, knowledge.lexicon));
  return {
    kind: 'ask',
    message: `"${text}" can be meant in ${offers.length} ways`,
    offers,
    text: `What do you mean? "${text}" can be: ${offers.join(' Or: ')}`,
  };
}

/** A formula, if the text is one over the predicates. */
function formulaIn(text: string, predicates: readonly string[]): Formula | null {
  try {
    const formula = parseFormula(text.replace(/^`|`$/g, ''), { name: 'the question' });
    return predicatesOf(formula).every((name) => predicates.includes(name)) ? formula : null;
  } catch (error) {
    if (error instanceof ParseError) return null;
    throw error;
  }
}

function isSaid(wanted: string, phrase: string): boolean {
  const said = plain(phrase);
  return (
    wanted === said ||
    wanted ===
      said
        .replace(/ (?:is|are) /, ' be ')
        .replace(/ holds$/, ' hold')
        .replace(/ has /, ' have ')
  );
}

/** Words in lower case, with one word for whoever acts. */
function plain(text: string): string {
  return ` ${text.toLowerCase().replace(/[`"]/g, '').replace(/\s+/g, ' ').trim()} `
    .replace(/ (?:the robot|the agent|you|i|it|we) (?:am|are|is) /, ' the agent is ')
    .replace(/ (?:the robot|the agent|you|i|it|we) (?=be |have |hold )/, ' the agent ')
    .trim();
}
