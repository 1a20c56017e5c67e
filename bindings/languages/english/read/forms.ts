import type { NamedPhrase, Tree } from '../grammar/chart.js';
import { ARTICLES, numberOf, type Token, tokensOf } from '../grammar/tokens.js';
import {
  type Clause,
  causes,
  clauseOf,
  createLexicon,
  isEvent,
  moving,
  passives,
  progressive,
} from '../lexicon/index.js';
import { spoken, type Vocabulary } from './vocabulary.js';

/** Verbs of modes, apart by `|`, that stand before a base form. */
const MODES = {
  must: 'must|should|shall|has to|have to|needs to|need to|will|ought to|is to|are to|must also|should also',
  may: 'may|can|could|is allowed to|are allowed to|is permitted to|may only|can only|must only|should only|is only allowed to|are only allowed to',
  mustnot:
    'must not|should not|shall not|can not|may not|will not|is not allowed to|are not allowed to|is not permitted to|is not to|are not to|is forbidden to|has not to',
  never:
    'must never|should never|shall never|can never|may never|will never|must not ever|is never allowed to|are never allowed to|is never to|has to never|never has to',
  always: 'must always|should always|shall always|has to always|always has to|will always|have to always',
  no: 'may|must|shall|should|can|will|is allowed to|are allowed to',
} as const;
const STAY = 'stay|remain|be kept';

/**
 * The forms of verbs in which a sentence may say its predicates: of "the agent sends a mail" also "send a mail", "sending a mail", "has sent", "must not send". Only those are
 * made whose words the sentence has.
 */
export function formsOf(vocabulary: Vocabulary, tokens: readonly Token[]): NamedPhrase[] {
  const words = new Set([...tokens.map(({ text }) => text), ...ARTICLES]);
  const found = new Map<string, NamedPhrase>();
  const add = (kind: string, text: string, tree: Tree): void => {
    if (!text.split(' ').every((word) => words.has(word.replace(/['’]/g, '')))) return;
    const phrase = { kind, words: tokensOf(text).map((token) => token.text), tree };
    if (ARTICLES.has(phrase.words[0]) && phrase.words.length > 1) phrase.words.shift();
    found.set(JSON.stringify(phrase), phrase);
    const withArticle = { ...phrase, words: ['the', ...phrase.words] };
    if (!/^(?:state|event|do|make)$/.test(kind)) found.set(JSON.stringify(withArticle), withArticle);
  };
  const lexicon = createLexicon();
  const clauses = [...spoken(vocabulary)].flatMap(([name, { say, not, also = [] }]) => [
    ...[say ?? lexicon.phrasesOf(name).holds, ...also].flatMap((phrase) => clausesOf(phrase, name)),
    ...(not === undefined ? [] : clausesOf(not, ['not', name])),
  ]);
  for (const { clause, tree } of clauses) {
    for (const text of causes(clause)) add(isEvent(clause) ? 'do' : 'make', text, tree);
    if (clause.bases[0] === 'be') {
      const thing = `${clause.article ?? ''} ${clause.subject} ${clause.rest}`.trim();
      add('always', `keep ${thing}`, tree);
      for (const not of ['never', 'do not'])
        for (const verb of ['leave', 'keep', 'let']) add('never', `${not} ${verb} ${thing}`, tree);
    }
    if (isIn(words, clause.rest)) addForms(add, clause, tree);
    for (const counted of quantities(clause, tokens)) addQuantity(add, counted, tree);
  }
  const here = clauses.filter(({ clause }) => clause.bases[0] === 'be' && isIn(words, clause.subject));
  for (const one of here) for (const other of here) if (one.tree !== other.tree) addPair(add, one, other);
  return [...found.values()];
}

type Add = (kind: string, text: string, tree: Tree) => void;
interface Said {
  readonly clause: Clause;
  readonly tree: Tree;
}

const isIn = (words: ReadonlySet<string>, text: string): boolean =>
  text === '' || text.split(' ').every((word) => words.has(word.replace(/['’]/g, '')));

/** Modes with who is meant before each. */
const ofEach = (who: string, modes: string): string => `${who} ${modes.replaceAll('|', `|${who} `)}`;

function clausesOf(phrase: string, tree: Tree): Said[] {
  // A name as it is has no verb of its own: "`a` holds".
  const clause = phrase.startsWith('`') ? null : clauseOf(phrase);
  if (clause === null) return [];
  return [clause, ...progressive(clause), ...moving(clause), ...passives(clause)].map((one) => ({
    clause: one,
    tree,
  }));
}

function addForms(add: Add, clause: Clause, tree: Tree): void {
  const { subject, article, rest, bases, thirds, gerunds, participles } = clause;
  const isState = bases[0] === 'be';
  const denied: Tree = Array.isArray(tree) ? tree[1] : ['not', tree];
  const behind = rest === '' ? '' : ` ${rest}`;
  const holds = isEvent(clause) ? 'event' : 'state';
  const stays = isState ? STAY.split('|') : [];
  const say = (kind: string, before: string, forms: readonly string[], as = tree): void => {
    for (const mode of before.split('|'))
      for (const form of forms) add(kind, `${mode} ${form}${behind}`.trim(), as);
  };
  say('do', '', [...bases, ...stays]);
  say('doing', '', gerunds);
  say('done', 'having', participles);
  for (const who of [subject, 'it']) {
    const each = (modes: string): string => ofEach(who, modes);
    say('fin', who, thirds);
    say(holds, who, thirds);
    if (isState) {
      say('state', who, ['stays', 'remains', 'is kept', 'keeps']);
      say(holds, each(MODES.must), bases);
      say('state', each(MODES.must), stays);
      say('state', `${who} is|${who} are`, ['not'], denied);
    } else {
      say('state', `${who} does not|${who} do not`, bases, denied);
      say('must', each(MODES.must), bases);
      say('always', `${who} always`, thirds);
      say('never', `${who} never`, thirds);
    }
    say('always', `${each(MODES.always)}`, [...bases, ...stays]);
    say('may', each(MODES.may), bases);
    say('mustnot', each(MODES.mustnot), [...bases, ...stays]);
    say('never', each(MODES.never), bases);
    if (isState)
      for (const is of ['is', 'are'])
        for (const word of ['never', 'always']) say(word, `${who} ${is}`, [word]);
    if (isState) say('always', `${who} must|${who} should`, ['be always']);
    say('doing', who, gerunds);
    say('done', `${who} has|${who} have`, participles);
    if (isState) say('done', `${who} was|${who} were`, ['']);
  }
  if (article !== 'the')
    for (const who of [subject, `${subject}s`]) {
      say('never', `no ${who}`, [...thirds, ...(isState ? ['is ever', 'are ever'] : [])]);
      say('never', ofEach(`no ${who}`, MODES.no), bases);
    }
}

interface Quantity {
  readonly clause: Clause;
  readonly n: number;
}

/** "The agent sends two mails", of "the agent sends a mail" where a sentence has "two"; and "two mails are sent". */
function quantities(clause: Clause, tokens: readonly Token[]): Quantity[] {
  const { rest, subject, article } = clause;
  const thing = /^an? (\S+)(.*)$/.exec(rest);
  return tokens.flatMap(({ text }, at) => {
    const n = numberOf(text);
    const next = tokens[at + 1]?.text;
    if (n === null || next === undefined) return [];
    const many = (one: string): boolean => next === (n === 1 ? one : `${one}s`) || next === `${one}es`;
    if (thing !== null && many(thing[1]))
      return [{ clause: { ...clause, rest: `${text} ${next}${thing[2]}` }, n }];
    return clause.bases[0] === 'be' && article?.startsWith('a') && many(subject)
      ? [{ clause: { ...clause, subject: `${text} ${next}`, article: null }, n }]
      : [];
  });
}

/** How often what happens to things happens: "at most two mails are sent". */
const QUANTIFIERS: readonly (readonly [words: string, kind: string, more: number])[] = [
  ['at most|no more than|not more than|a maximum of|up to', 'most', 0],
  ['fewer than|less than', 'most', -1],
  ['at least|no fewer than|not fewer than', 'least', 0],
  ['more than', 'least', 1],
  ['exactly|only', 'exact', 0],
];

function addQuantity(add: Add, { clause, n }: Quantity, tree: Tree): void {
  const { subject, rest, bases, thirds } = clause;
  const isOfSubject = bases[0] === 'be';
  const say = (kind: string, who: string, what: string, forms: readonly string[], counted: Tree): void => {
    for (const mode of who.split('|'))
      for (const form of forms) add(kind, `${mode} ${form} ${what}`.trim(), counted);
  };
  for (const [words, kind, more] of QUANTIFIERS)
    for (const quantifier of words.split('|')) {
      const counted: Tree = ['counted', tree, kind, n + more];
      const who = isOfSubject ? `${quantifier} ${subject}` : subject;
      const what = isOfSubject ? rest : `${quantifier} ${rest}`;
      if (!isOfSubject) say('quantity', '', what, bases, counted);
      say('quantity', who, what, thirds, counted);
      for (const modes of [MODES.must, MODES.may]) say('quantity', ofEach(who, modes), what, bases, counted);
    }
  const most: Tree = ['counted', tree, 'most', n];
  if (isOfSubject) return;
  say('toomany', '', `more than ${rest}`, bases, most);
  say('notmore', `${subject} never`, `more than ${rest}`, thirds, most);
  for (const modes of [MODES.mustnot, MODES.never])
    say('notmore', ofEach(subject, modes), `more than ${rest}`, bases, most);
}

/** Two that share who it is or what is said of it: "the door is both open and locked"; "the heater and the lamp are on". */
function addPair(add: Add, { clause: one, tree }: Said, { clause: other, tree: second }: Said): void {
  const both: Tree = ['&', tree, second];
  const pair = (who: string, what: string): void => {
    for (const is of ['is', 'are']) {
      add('state', `${who} ${is} ${what}`, both);
      for (const not of ['never', 'not']) add('pair', `${who} ${is} ${not} ${what}`, both);
    }
    for (const not of [...MODES.mustnot.split('|'), ...MODES.never.split('|')])
      add('pair', `${who} ${not} be ${what}`, both);
  };
  if (one.subject === other.subject) {
    for (const what of ['both ', '']) pair(one.subject, `${what}${one.rest} and ${other.rest}`);
    for (const either of ['either ', ''])
      for (const is of ['is', 'are', 'must be', 'should be'])
        add('state', `${one.subject} ${is} ${either}${one.rest} or ${other.rest}`, ['|', tree, second]);
  } else if (one.rest === other.rest)
    for (const what of ['both ', '']) pair(`${one.subject} and the ${other.subject}`, what + one.rest);
}
