import {
  createLexicon,
  type Lexicon,
  type PredicateWords,
  sayClause,
} from '../../languages/english/index.js';
import { parseExpression, printExpression } from '../../languages/expression/index.js';
import { type Formula, mapChildren, predicatesOf, printFormula } from '../../languages/logic/index.js';
import type { PredicateDefinition } from '../../observations/abstraction/index.js';

/** The words of predicates, by their names. */
export type PredicateWordsByName = Readonly<Record<string, PredicateWords>>;

/**
 * Translates between a formula as a rule states it and one over predicate names: comparisons become the predicates that read them, and in text predicates that
 * read a comparison become that comparison.
 */
export class PredicateNames {
  readonly #nameOf = new Map<string, string>();
  readonly #sourceOf = new Map<string, string>();

  readonly #lexicon: Lexicon;
  readonly #words: PredicateWordsByName;

  /** @param words how people say those predicates that have words */
  constructor(predicates: readonly PredicateDefinition[], words: PredicateWordsByName = {}) {
    this.#words = words;
    const names = predicates.map(({ name }) => [name, {}] as const);
    this.#lexicon = createLexicon({ ...Object.fromEntries(names), ...words });
    for (const { name, expression } of predicates) {
      this.#nameOf.set(canonical(expression), name);
      this.#sourceOf.set(name, expression.trim());
    }
  }

  /** Translates a formula to predicate names; a comparison that no predicate reads is a predicate named by its source. */
  resolve(formula: Formula): Formula {
    if (formula.kind !== 'comparison') return mapChildren(formula, (part) => this.resolve(part));
    const name = this.#nameOf.get(printExpression(formula.expression)) ?? formula.source;
    return { kind: 'predicate', name, place: formula.place };
  }

  /** The formula as text for people. */
  show(formula: Formula): string {
    return printFormula(this.#withSources(formula, {}));
  }

  /** The formula in words, in quotes; null if none of its predicates has words. */
  say(formula: Formula): string | null {
    const speaks = predicatesOf(formula).some((name) => Object.hasOwn(this.#words, name));
    return speaks ? `"${sayClause(this.#withSources(formula), this.#lexicon)}"` : null;
  }

  /** The formula as it stands in a sentence: in words and quotes, or as code. */
  quote(formula: Formula): string {
    return this.say(formula) ?? `\`${this.show(formula)}\``;
  }

  /** Predicates with words keep their names. */
  #withSources(formula: Formula, words = this.#words): Formula {
    if (formula.kind !== 'predicate') return mapChildren(formula, (part) => this.#withSources(part, words));
    if (Object.hasOwn(words, formula.name)) return formula;
    const source = this.#sourceOf.get(formula.name) ?? formula.name;
    return isShort(source) ? comparison(source, formula) : formula;
  }
}

/** A comparison of a field with a number or another field; a longer expression says less than the name a person gave it. */
function isShort(source: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_.]* *(?:<=?|>=?|==|!=) *-?[\p{L}\p{N}_.]+$/u.test(source);
}

function comparison(source: string, { place }: Formula): Formula {
  return { kind: 'comparison', source, expression: parseExpression(source), place };
}

function canonical(expression: string): string {
  return printExpression(parseExpression(expression));
}
