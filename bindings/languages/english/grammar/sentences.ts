import { scopeRules } from './chains.js';
import { type Grammar, grammarOf, type Tree } from './chart.js';
import { countRules } from './counts.js';
import { PHRASES } from './phrases.js';
import { ruleList, same } from './rule.js';
import { statementRules } from './statements.js';

/**
 * The sentences that are read, as data. Sources: the mission patterns of Menghi et al. (2019), the property patterns of Dwyer, Avrunin and Corbett (1999) with their scopes, and
 * the templates of Declare, each in everyday wording. A reading is a tree of lists that begin with their kind; `meaning.ts` makes the formula of it.
 */
const { rules, rule } = ruleList();

// A text: clauses one after the other, each with how it goes on from the last: `and` after a sign, `join` after a bare "and", `then` after a word of time.
rule('Text', 'Lead', (item) => [item]);
rule('Text', 'Lead Rest', (item, rest) => [item, ...(rest as Tree[])]);
rule('Lead', 'first|firstly|globally? ,? %please? first? Unit', (unit) => ['and', unit]);
rule('Rest', '.', () => []);
rule('Rest', '.? %sep %please? Unit Rest?', (unit, rest) => [['and', unit], ...((rest ?? []) as Tree[])]);
rule('Rest', 'and %please? Unit Rest?', (unit, rest) => [['join', unit], ...((rest ?? []) as Tree[])]);
rule('Rest', '%please? Unit Rest?', (unit, rest) => [['join', unit], ...((rest ?? []) as Tree[])]);
rule('Rest', '.? %then ,? %please? Unit Rest?\n.? %then ,? to|into|through? Bare Rest?', (unit, rest) => [
  ['then', unit],
  ...((rest ?? []) as Tree[]),
]);
rule('Bare', 'List', (list) => ['visit', list, null, null]);

// Places and what holds.
rule('Name', '%determiner? @place', same);
rule('Names', 'Name', (name) => [name]);
rule('Names', 'Name , Names', (name, rest) => [name, ...(rest as Tree[])]);
rule('List', 'Name', (name) => ['one', name]);
rule('List', 'Names ,? and Name', (names, last) => ['and', ...(names as Tree[]), last]);
rule(
  'List',
  'Names ,? or Name\neither Names ,? or Name\neither one? of|among? Names ,? or Name\nany of Names ,? or Name\none of Names ,? or Name',
  (names, last) => ['or', ...(names as Tree[]), last],
);
rule('List', 'both Name and Name', (one, other) => ['both', one, other]);
rule('List', 'Name , Names', (first, rest) => ['and', first, ...(rest as Tree[])]);
rule('List', '%place Names ,? and Name\nany of Names ,? and Name', (names, last) => [
  'and',
  ...(names as Tree[]),
  last,
]);
rule('List', '%place Name , Names', (first, rest) => ['and', first, ...(rest as Tree[])]);
rule('Atom', '%article? @state', same);
rule(
  'Atom',
  'Name\nName %holds\n%going Name\nName is|was|are %been\nName has been %been\nName gets %been\nName are? true',
  (name) => name,
);
rule(
  'Atom',
  'Name %fails\nnot Name\nName is|are not %been\nyou|robot are|is not in|at Name\nthe robot is not in|at Name',
  (name) => ['not', name],
);
rule('State', '%article? @state\nName %holds\nName are? true', same);
rule('State', 'Name %fails', (name) => ['not', name]);
rule('State', 'you|robot are|is in|at Name\nthe robot is in|at Name', same);
rule('Cond', 'Atom', same);
rule('Cond', 'Atom and Cond', (one, other) => ['&', one, other]);
rule(
  'Cond',
  'both Name and Name %holds?\nName and Name both? %holds\nName and Name are both? %been\n%going both? Name and Name',
  (one, other) => ['&', one, other],
);
rule('Cond', 'Names , and Name are both|all? %been', (names, last) => ['&', ...(names as Tree[]), last]);
rule('Cond', 'Atom or Cond\neither Atom or Cond', (one, other) => ['|', one, other]);

// Visits.
rule('Unit', '%goto List Order? Avoiding?', (list, order, avoid) => ['visit', list, order, avoid]);
rule('Unit', '%anyorder ,? %goto List', (list) => ['visit', list, 'any', null]);
rule('Unit', 'List are? is? must|should|can? all|both|be? be? %been Order?', (list, order) => [
  'visit',
  list,
  order,
  null,
]);
rule('Order', '%anyorder', () => 'any');
rule('Order', ',? %inorder', () => 'order');
rule('Avoiding', '%avoiding List', same);
rule('Unit', '%avoid List while|when|before %going Name', (avoid, to) => ['visit', ['one', to], null, avoid]);
rule('Unit', '%through Name %toward Name', (one, other) => ['path', one, other]);
rule(
  'Unit',
  '%goto Name via|through|by Name\n%goto Name by going|passing|moving|walking through Name\nto reach|enter Name ,? go through Name',
  (to, via) => ['path', via, to],
);
rule('Unit', '%goto Name followed by Names', (one, rest) => ['path', one, ...(rest as Tree[])]);
rule('Unit', 'travel|go|move|walk from Name to Name', (one, other) => ['fromto', one, other]);
rule('Unit', '%goto Name then Name\n%goto Name and? then on? to? Name', (one, other) => ['path', one, other]);

// Patrols, and other sentences that have no meaning on finite runs.
rule(
  'Unit',
  '%keep List Order? ,? %forever?\n%goto List Order? ,? %forever\nalways? %forever %goto List\nalways %goto List %endless\n%goto? List are|is|be? %been %forever',
  (list) => ['endless', list],
);
rule(
  'Unit',
  'List is|are? %been %forever\nList %holds %endless\nName %holds? infinitely often as? well?',
  (list) => ['endless', list],
);

// Avoidance.
rule('Unit', '%never %goto List %atalltimes?', (list) => ['never', list, 'never']);
rule('Unit', '%avoid List %atalltimes?', (list) => ['never', list, 'avoid']);
rule(
  'Unit',
  'List %mustnot be? %been %atalltimes?\nList are|is never %been\nList must|should|shall|has be avoided %atalltimes?\nyou can|may go anywhere but|except List\n%never make any|a single? visit to List\nList is|are off limits\nList is|are forbidden',
  (list) => ['never', list, 'passive'],
);
rule('Unit', 'never let? List hold|happen|occur\n%never let List hold|happen|occur', (list) => [
  'never',
  list,
  'passive',
]);
rule('Unit', '%itisnever Cond %together?\nnever Cond', (c) => ['nowhere', c]);
rule('Unit', 'List %mustnot be|become|hold|happen|occur true?', (list) => ['never', list, 'passive']);
rule(
  'Unit',
  'Name never|not %holds\nName must|should never hold|happen|occur\nName should never become true\nName must|should never be true',
  (c) => ['nowhere', c],
);
rule(
  'Unit',
  'Name and Name never|not hold|occur|happen %together\nName and Name do|will|must|can not hold|occur|happen %together\nName and Name must|can never hold|occur|happen %together',
  (one, other) => ['nowhere', ['&', one, other]],
);

// Order between two.
rule('Unit', '%never %goto List Before Cond\n%avoid List Before Cond', (list, word, c) => [
  'precede',
  list,
  c,
  word,
  null,
]);
rule('Before', 'before', () => 'before');
rule('Before', 'without first?', () => 'before');
rule('Before', 'prior to', () => 'before');
rule('Before', '%until', () => 'until');
rule('Before', 'if you have not been to', () => 'before');
rule(
  'Unit',
  '%may %goto List only? after|if|once|when Cond before|already?\n%may? %goto List ,? but only after|once|if|when Cond\n%goto List only after|if|once|when Cond\nList can|may|must|should only be %been after|once|if|when Cond\nonly %goto List after|once|if|when Cond',
  (list, c) => ['precede', list, c, 'only', 'perhaps'],
);
rule(
  'Unit',
  'only after|once|if|when Cond ,? %please? %goto List\nonly once|after|if|when Cond are|is|may|can|should|must you allowed? to? %goto List\nonly after Cond ,? you can|may|should %goto List\nonly after Cond can|may|should you %goto List',
  (c, list) => ['precede', list, c, 'only', 'perhaps'],
);
rule(
  'Unit',
  'Name must|should|needs|has to? be %been before|until %going? List\nName must|should|needs|has to? be %been prior to %going? List\n%goto Name before %going List\nsee|observe Name before %going List\nyou see|observe|visit|reach Name before %going List',
  (c, list) => ['precede', list, c, 'before', 'perhaps'],
);
rule(
  'Unit',
  'Name can|may|must only happen|occur|hold if Cond before\nName only holds|happens|occurs after Cond',
  (name, c) => ['precede', ['one', name], c, 'only', null],
);
rule('Unit', 'if Atom ,? then? Atom before or holds at the same time', (p, s) => ['atoms', p, s]);
rule('Unit', '%goto List %anyorder? after|once Cond', (list, c) => ['after', list, c]);
rule('Unit', 'after|once Cond ,? %please? %goto List', (c, list) => ['after', list, c]);
rule('Unit', '%goto Name before %going? Name', (one, other) => ['path?', one, other]);

// Reactions.
rule('Trigger', '%whenever Cond', (c) => ['whenever', c]);
rule('Trigger', '%when Cond', (c) => ['when', c]);
rule('Trigger', '%while State', (c) => ['while', c]);
rule('Trigger', 'after|once|only once? Cond', (c) => ['after', c]);
rule('Trigger', 'if Cond', (c) => ['if', c]);
rule('Effect', '%please? %goto Name Timing?\nName %mustbe be %been Timing?', (n, t) => ['do', n, t]);
rule('Effect', 'Timing ,? %please? %goto Name', (t, n) => ['do', n, t]);
rule('Loose', 'Cond Timing?', (c, t) => ['be', c, t]);
rule('Effect', 'State Timing?', (c, t) => ['be', c, t]);
rule('Effect', 'Name %later holds|hold\nName will %later hold\nName must %later hold', (c) => [
  'be',
  c,
  'later',
]);
rule('Effect', 'Name must|should|will hold|happen|occur Timing?', (c, t) => ['be', c, t]);
rule(
  'Effect',
  '%never ever? %goto Name afterwards|again|anymore|ever?\n%avoid Name afterwards|forever|then?\nName %mustnot hold|happen|occur again|afterwards?\nName %mustnot be %been again|afterwards|anymore?\nName is|are forbidden|prohibited',
  (n) => ['ban', n],
);
rule('Effect', '%never ever? %goto it again|anymore?\nit is|becomes locked|forbidden', () => ['ban', null]);
rule('Timing', '%later', () => 'later');
rule('Timing', '%after', () => 'after');
rule('Timing', '%now', () => 'now');
rule('Timing', '%too', () => null);
rule('Timing', '%next', () => 'next');
rule('Timing', 'within # steps|step', (n) => ['within', n]);
rule('Timing', '# steps|step later', (n) => ['later', n]);
rule('Unit', 'Trigger ,? then? Effect\nTrigger ,? then? Loose', (trigger, effect) => [
  'react',
  trigger,
  effect,
]);
rule('Unit', 'always Trigger ,? then? Effect\nalways Trigger ,? then? Loose', (trigger, effect) => [
  'react',
  trigger,
  effect,
]);
rule('Unit', 'Effect ,? Trigger', (effect, trigger) => ['react', trigger, effect]);
rule('Unit', 'every Name is %later? followed by a? Name', (one, other) => [
  'react',
  ['whenever', one],
  ['be', other, 'follow'],
]);
rule('Unit', 'every Name is eventually followed by a? Name', (one, other) => [
  'react',
  ['whenever', one],
  ['be', other, 'later'],
]);
rule('Unit', '%going Name means that? you have to|must? %goto Name Timing?', (one, other, t) => [
  'react',
  ['if', one],
  ['do', other, t],
]);

// States.
rule('Unit', 'Atom always\nAtom %atalltimes\nalways Atom\n%itis Cond\nCond must always hold', (c) => [
  'always',
  c,
]);
rule(
  'Unit',
  'Cond eventually\neventually Cond\nName and? Name? eventually holds|hold\nCond at some point',
  (one, other) => ['sometime', other === undefined || other === null ? one : ['&', one, other]],
);
rule('Unit', 'Name eventually holds\nat some point ,? Cond', (c) => ['sometime', c]);
rule(
  'Unit',
  'stay|remain|wait|keep in|at|inside Name Until Cond\nAtom Until Cond\n%never leave Name Until Cond',
  (c, word, d) => ['until', c, d, word],
);
rule('Until', '%until', () => 'until');
rule('Unit', 'stay|remain in|at|inside Name %atalltimes?\nalways stay|remain in|at|inside Name', (c) => [
  'always',
  c,
]);
rule(
  'Unit',
  'Atom if and only if Atom\n%goto Name if and only if %going Name\n%goto Name if and only if Cond\nif and only if Cond ,? %please? %goto Name\n%goto Name exactly when|if Cond\n%please? %goto Name when and only when Cond',
  (one, other) => ['iff', one, other],
);
rule('Unit', 'Name releases Name', (one, other) => ['release', one, other]);

// More ways to say the same.
rule(
  'Rest',
  '.? ,? and? only then ,? %please? Unit Rest?\n.? ,? and? only after that ,? %please? Unit Rest?',
  (unit, rest) => [['onlyThen', unit], ...((rest ?? []) as Tree[])],
);
rule(
  'Rest',
  '.? ,? but|and? the order is not important|relevant Rest?\n.? ,? but|and? the order does not matter Rest?\n.? ,? but|and? the order can|may be arbitrary|any Rest?',
  (rest) => [['and', ['free']], ...((rest ?? []) as Tree[])],
);
rule('Unit', 'do not stop|rest|finish|end|halt until List are|is all|both? %been', (list) => [
  'visit',
  list,
  'any',
  null,
]);
rule('Atom', '%going Name occur|happen|hold', same);
rule('Trigger', 'if|when|once Cond at any time|point', (c) => ['whenever', c]);
rule('Unit', 'travel|go|move|walk|head|drive from Name To', (one, rest) => [
  'path',
  one,
  ...(rest as Tree[]),
]);
rule('To', 'to Name', (one) => [one]);
rule('To', 'to Name ,? and? then? To', (one, rest) => [one, ...(rest as Tree[])]);
rule('Unit', 'before %going Name ,? %please? %goto Name', (later, first) => [
  'precede',
  ['one', later],
  first,
  'before',
  'perhaps',
]);
rule(
  'Unit',
  '%goto Name first Avoiding?\ntravel|go|head|move|walk first to Name Avoiding?',
  (name, avoid) => ['visit', ['one', name], null, avoid],
);
rule('Unit', '%goto Name by way of Name\n%goto Name by first? %going Name', (to, via) => ['path', via, to]);
rule(
  'Unit',
  '%atalltimes ,? %please? %goto List %later\n%atalltimes ,? %please? %goto List %after',
  (list) => ['endless', list],
);
rule('List', 'all? the? following? # %thing ,|:? Names ,? and? Name', (_n, names, last) => [
  'and',
  ...(names as Tree[]),
  last,
]);
rule('List', 'any|either one? among|of Names ,? and|or|,? Name', (names, last) => [
  'or',
  ...(names as Tree[]),
  last,
]);
rule('Unit', 'none of|among Names ,? and|or Name are|is|may|must|should be? ever? %been', (names, last) => [
  'never',
  ['or', ...(names as Tree[]), last],
  'avoid',
]);
rule('Unit', 'List never %holds', (list) => ['never', list, 'passive']);
rule('Unit', 'once Cond ,? only then are|is|may|can you|it allowed? to? %goto List', (c, list) => [
  'precede',
  list,
  c,
  'only',
  'perhaps',
]);

const all = [...rules, ...countRules(), ...scopeRules(), ...statementRules()];
let made: Grammar | undefined;

/** The grammar of sentences; its start is `Text`. */
export function sentenceGrammar(): Grammar {
  made ??= grammarOf(all, PHRASES);
  return made;
}

let words: ReadonlySet<string> | undefined;

/** All words that the grammar knows. */
export function grammarWords(): ReadonlySet<string> {
  words ??= new Set([
    ...Object.values(PHRASES).flatMap((phrases) => phrases.flatMap((phrase) => phrase.split(' '))),
    ...all.flatMap(({ right }) =>
      right
        .split(' ')
        .filter((symbol) => /^[a-z|?]+$/.test(symbol))
        .flatMap((symbol) => symbol.replace('?', '').split('|')),
    ),
  ]);
  return words;
}
