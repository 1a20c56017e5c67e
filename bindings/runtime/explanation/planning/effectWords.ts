import { printableName } from '../../../base/words.js';
import { createLexicon, type Lexicon, type PredicateWords } from '../../../languages/english/index.js';
import { type Formula, predicatesOf, printFormula } from '../../../languages/logic/index.js';
import type { ActionModel } from '../../../observations/effects/index.js';
import type { ForeseenBreach } from './partialRun.js';

/** Says what calls lead to: predicates that have words by them, others by their names. */
export class EffectWords {
  readonly #words: Readonly<Record<string, PredicateWords>>;
  readonly #lexicon: Lexicon;

  constructor(words: Readonly<Record<string, PredicateWords>>) {
    this.#words = words;
    this.#lexicon = createLexicon(words);
  }

  /** Such as `the stove is on`, or `stoveOn` and `not stoveOn` without words. */
  fact(predicate: string, value: boolean): string {
    if (!Object.hasOwn(this.#words, predicate)) return value ? predicate : `not ${predicate}`;
    const { holds, not } = this.#lexicon.phrasesOf(predicate);
    return value ? holds : not;
  }

  /** Why a call is refused: what of the rule's predicates it changes, and the rule. */
  broken(
    tool: string,
    { name, formula }: { readonly name: string; readonly formula: Formula },
    { certain, after, values, known }: ForeseenBreach,
    { predicates }: ActionModel,
  ): string {
    const bit = (words: readonly number[], i: number): boolean => ((words[i >>> 5] >>> (i & 31)) & 1) === 1;
    const facts = predicatesOf(formula).flatMap((predicate) => {
      const i = predicates.indexOf(predicate);
      const isChanged = !bit(known, i) || bit(values, i) !== bit(after, i);
      return isChanged ? [this.fact(predicate, bit(after, i))] : [];
    });
    const leads =
      facts.length === 0 ? 'leaves no way on' : `${certain ? 'leads' : 'may lead'} to: ${facts.join(', ')}`;
    return `${printableName(tool)} ${leads}; rule "${name}" (${printFormula(formula)}) can then no longer be kept.`;
  }
}
