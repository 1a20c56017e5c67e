import type { Node } from 'yaml';
import { ForeguardError } from '../../base/errors.js';
import type { PredicateWords, ReadRuleOptions } from '../../languages/english/index.js';
import { type Formula, parseFormula, printFormula } from '../../languages/logic/index.js';
import type { ConstraintDefinitions, PredicateDefinition } from '../../observations/abstraction/index.js';
import { constraintFormula } from '../../runtime/explanation/index.js';
import type { Entry, SpecificationDocument } from './document.js';
import type { RuleSpecification } from './specification.js';

/**
 * Reads the sentence of a rule: `readRule` of `foreguard/english`. It is given, not imported, so that guards and pages which read specifications do not contain a reader of
 * English: a sentence with its formula beside it needs none.
 */
export type RuleReader = (sentence: string, options: ReadRuleOptions) => Formula;

/** What sentences of rules may speak of, and who reads them. */
export interface RuleSentences {
  /** Null: sentences need a formula beside them, which is taken as it is. */
  readonly readRule: RuleReader | null;
  readonly predicates: readonly PredicateDefinition[];
  readonly words: Readonly<Record<string, PredicateWords>>;
  readonly constraints: readonly Formula[];
  readonly samplingPeriod: string | null;
  /** False after problems with the predicates: then sentences are left unread. */
  readonly isReadable: boolean;
}

/** The formula of a rule, and where it comes from. */
export interface RuleFormula
  extends Pick<RuleSpecification, 'formula' | 'formulaText' | 'english' | 'provenance'> {
  /** What problems of the formula are reported at. */
  readonly formulaNode: Node;
}

/** The constraints as a formula. None if they cannot be read, which is reported at their place: then more readings are told apart, not fewer. */
export function constraintsOf(document: SpecificationDocument): readonly Formula[] {
  const { constraints } = (document.content ?? {}) as { readonly constraints?: ConstraintDefinitions | null };
  try {
    const formula = constraintFormula(constraints ?? {});
    return formula === null ? [] : [formula];
  } catch (error) {
    if (error instanceof ForeguardError || error instanceof TypeError) return [];
    throw error;
  }
}

/** The formula of a rule: as written, as its sentence is read, or as written if the sentence says the same. Undefined after a problem. */
export function parseRuleFormula(
  document: SpecificationDocument,
  what: string,
  entries: ReadonlyMap<string, Entry>,
  sentences: RuleSentences,
): RuleFormula | undefined {
  const [english, written] = [entries.get('english'), entries.get('formula')];
  const sentence = english && document.text(english.value, `${what}: english`);
  const formulaText = written && document.text(written.value, `${what}: formula`);
  if ((english && sentence === undefined) || (written && formulaText === undefined)) return undefined;
  const formula =
    formulaText === undefined
      ? undefined
      : document.attempt(written?.value ?? null, () => parseFormula(formulaText, { name: what }));
  if (formulaText !== undefined && formula === undefined) return undefined;
  if (sentence === undefined) {
    if (formula === undefined || formulaText === undefined) return undefined;
    const formulaNode = written?.value as Node;
    const translated = entries.get('translated');
    if (translated === undefined)
      return { formula, formulaText, formulaNode, english: null, provenance: 'formula' };
    const said = document.text(translated.value, `${what}: translated`);
    if (said === undefined) return undefined;
    return { formula, formulaText, formulaNode, english: oneLine(said), provenance: 'translated' };
  }
  const node = english?.value as Node;
  const read = readSentence(document, what, node, sentence, formula, sentences);
  if (read === undefined) return undefined;
  return {
    formula: read,
    formulaText: formulaText ?? printFormula(read),
    formulaNode: written?.value ?? node,
    english: oneLine(sentence),
    provenance: formula === undefined ? 'english' : 'locked',
  };
}

const oneLine = (sentence: string): string => sentence.replace(/\s+/g, ' ').trim();

/** @param formula the one beside the sentence, if there is one */
function readSentence(
  document: SpecificationDocument,
  what: string,
  node: Node,
  sentence: string,
  formula: Formula | undefined,
  { readRule, predicates, words, constraints, samplingPeriod, isReadable }: RuleSentences,
): Formula | undefined {
  if (!isReadable) return formula;
  if (formula?.kind === 'probability') {
    document.problem(
      node,
      `${what}: a sentence says what runs must do, and the formula beside it bounds a probability; write english with a threshold, or the formula alone`,
    );
    return undefined;
  }
  if (readRule === null) {
    if (formula === undefined)
      document.problem(
        node,
        `${what} is a sentence without its formula, and no reader of English is given; write the formula beside it by foreguard english --lock --spec ${document.source}, or give parseSpecification { readRule } of foreguard/english`,
        'formula',
      );
    return formula;
  }
  const named = predicates.map(({ name }) => [name, {}] as const);
  return document.attempt(node, () =>
    readRule(sentence, {
      predicates: { ...Object.fromEntries(named), ...words },
      definitions: predicates,
      constraints,
      samplingPeriod,
      name: what,
      ...(formula !== undefined && { formula }),
    }),
  );
}

/** The content with the formula of each rule beside its sentence, as if it were locked: locking changes no hash. */
export function withFormulas(content: unknown, rules: readonly RuleSpecification[]): unknown {
  const read = rules.filter(({ provenance }) => provenance === 'english');
  if (read.length === 0) return content;
  const { rules: written, ...rest } = content as { readonly rules: Readonly<Record<string, object>> };
  const formulas = read.map(({ name, formulaText }) => [name, { ...written[name], formula: formulaText }]);
  return { ...rest, rules: { ...written, ...Object.fromEntries(formulas) } };
}
