import { readFileSync } from 'node:fs';
import { parseFormula } from 'foreguard/english';

/** The propositions of corpora that do not list them. */
const PLACEHOLDERS = ['p', 'q', 'r', 's', 't', 'z'];
const byTemplate = ({ template }) => template;

/** Sentences with a formula that says all of them: by what they are counted apart, and the predicates that the reader is told. */
const KNOWN = [
  { corpus: 'lang2ltl-lifted', stratum: byTemplate },
  { corpus: 'cleanup-world', stratum: byTemplate },
  { corpus: 'osm-providence', stratum: byTemplate },
  {
    corpus: 'nl2spec-expert',
    stratum: ({ ambiguous }) => (ambiguous ? 'marked as ambiguous' : 'not marked'),
  },
  { corpus: 'dwyer-patterns', stratum: ({ pattern }) => pattern },
  {
    corpus: 'ibm-nl2ltl',
    stratum: ({ pattern }) => pattern,
    predicates: ({ symbols }) => symbols,
    rule: ibmRule,
  },
];

/** Declare's pattern with the symbols of a sentence, which stand in its order: a reaction whose trigger comes last has them the other way round. */
function ibmRule({ rule, symbols, sentence }) {
  const [one, other = one] = symbols.map((symbol) => ({ kind: 'predicate', name: symbol, source: symbol }));
  const turned = / (?:whenever|every time|when) /.test(sentence);
  const [a, b] = turned ? [other, one] : [one, other];
  const put = (formula) =>
    formula.kind === 'predicate'
      ? formula.name === 'a'
        ? a
        : b
      : Object.fromEntries(
          Object.entries(formula).map(([key, value]) => [
            key,
            value?.kind === undefined ? value : put(value),
          ]),
        );
  return put(parseFormula(rule));
}

export const CORPORA = [
  ...KNOWN.map(({ corpus }) => corpus),
  'osm-berg',
  'fret-requirements',
  'lang2ltl-grounding',
  'lang2ltl-landmarks',
  'model-transcripts',
];

export function recordsOf(path, isShort) {
  const { records } = JSON.parse(readFileSync(path, 'utf8'));
  return isShort ? records.filter((_, i) => i % 10 === 0) : records;
}

/** The sentences with a known formula, by corpus. */
export function knownSentences(pathOf, isShort) {
  return KNOWN.map(({ corpus, stratum, predicates = propositionsOf, rule = ruleOf }) => ({
    corpus,
    sentences: recordsOf(pathOf(corpus), isShort).map((record) => ({
      id: record.id,
      sentence: record.sentence,
      stratum: stratum(record),
      known: rule(record),
      predicates: predicates(record),
    })),
  }));
}

const propositionsOf = ({ propositions = PLACEHOLDERS }) => propositions;
const ruleOf = ({ rule }) => parseFormula(rule);
