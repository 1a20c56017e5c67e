import { type Grammar, grammarOf, type Rule, type Tree } from './chart.js';

/**
 * The sentences that are read, as data. Sources: the mission patterns of Menghi et al. (2019), the property patterns of Dwyer, Avrunin and Corbett (1999) with their scopes, and
 * the templates of Declare, each in everyday wording. A reading is a tree of lists that begin with their kind; `meaning.ts` makes the formula of it.
 */
const PHRASES: Readonly<Record<string, readonly string[]>> = {
  please: [
    ...'please|you must|you have to|you should|you need to|make sure to|make sure you|make sure that you|ensure that you|ensure you|be sure to|robot must|the robot must|the robot should'.split(
      '|',
    ),
    ...'the agent must|the agent should|please make sure to|must|the robot|the agent|you will|make sure that|make sure|ensure that|always make sure to'.split(
      '|',
    ),
  ],
  goto: 'go to|go into|go in|go in to|go through|head to|walk to|travel to|move to|move into|move on to|make your way to|drive to|navigate to|proceed to|visit|reach|find|enter|approach|stop by|stop at|get to|arrive at|come to|pass through|pass by|go straight to|head straight to|head over to|go directly to|run to|go by|return to|reaches|enters|visits|goes to'.split(
    '|',
  ),
  toward:
    'to|into|in to|to get to|to reach|to go to|to get into|and into|to enter|to get in|to go into'.split('|'),
  through: 'go through|pass through|move through|travel through|walk through|head through|go via'.split('|'),
  going:
    'going to|visiting|reaching|entering|heading to|passing through|going through|seeing|finding|moving to|traveling to|travelling to|passing|you visit|you have visited|you visited|you reach|you have reached|you go to|you have been to|you have gone to|you see|you have seen|you observe|observing|you enter|you have entered|you are in|you are at|visits to'.split(
      '|',
    ),
  been: 'visited|reached|entered|seen|observed|passed through'.split('|'),
  avoid:
    'avoid|stay away from|keep away from|keep out of|stay out of|bypass|always avoid|always keep away from|always stay away from|avoid going to|avoid visiting|avoid reaching|avoid entering|keep avoiding|stay clear of'.split(
      '|',
    ),
  avoiding:
    'while avoiding|avoiding|while staying away from|while keeping away from|and avoid|without going to|without visiting|without passing|without passing through|without entering|without going through|without reaching|but avoid|but keep avoiding|but keep away from|but not through|while not visiting|but bypass|while bypassing|staying away from|and keep away from|and stay away from|but stay away from'.split(
      '|',
    ),
  never:
    'never|do not|do not ever|you must never|you must not|you should never|you should not|you can not|you may not|you are not allowed to|never ever|make sure to never|make sure to not|make sure not to|ensure that you never|ensure that you do not|make sure you never|make sure that you never|make sure you do not|be sure not to|you can never|please do not|please never|the robot must not|the robot must never|the agent must not|the agent must never|you are forbidden to|it is forbidden to|you shall not|you will not|not to|you do not'.split(
      '|',
    ),
  may: 'you can|you may|you are allowed to|you can only|you may only|you are permitted to|you are only allowed to|only'.split(
    '|',
  ),
  sep: ['.', ', and', 'and', ',', '. and', 'but', ', but', '. also', ', also'],
  then: 'then|and then|finally|and finally|lastly|and lastly|and then finally|, then|, finally|, and then|, and finally|after that|and after that|afterwards|and afterwards|next|, and after that'.split(
    '|',
  ),
  anyorder:
    'in any order|in arbitrary order|in an arbitrary order|in no particular order|in any order you like|at least once|in any order required|at some point|eventually|sooner or later|once at least|at least one time'.split(
      '|',
    ),
  inorder:
    'in order|in that order|in this order|in sequence|sequentially|one after another|one after the other|consecutively|in that specific order|in this specific order|in that exact order|in the given order|in this exact order|in the order given'.split(
      '|',
    ),
  holds:
    'holds|hold|is true|occurs|occur|happens|happen|is enabled|holds true|becomes true|are true|is the case|has happened|has occurred|happened|happend|occurred|has held|held|is active'.split(
      '|',
    ),
  fails:
    'does not hold|do not hold|is false|does not occur|does not happen|is not true|is not enabled|is disabled|is not active'.split(
      '|',
    ),
  together: 'at the same time|at once|together|simultaneously|at the same step|both'.split('|'),
  whenever:
    'whenever|every time|every time that|at any time if|if at any time|at any point in time if|each time|each time that|any time'.split(
      '|',
    ),
  when: 'when|once|as soon as|after|only once'.split('|'),
  until: 'until|till|unless'.split('|'),
  later:
    'eventually|at some point|at some point in the future|in the future|sooner or later|at least once in the future|some time in the future|at a later time'.split(
      '|',
    ),
  after:
    'later|after that|afterwards|afterward|some time later|sometime after|sometime later|at some point after|after it|then|at some point later|at least once|at some point afterwards|too'.split(
      '|',
    ),
  now: 'immediately|at the same time|at once|in the same step|at the same step|right then|simultaneously'.split(
    '|',
  ),
  next: 'in the next step|at the next step|right after|immediately after|immediately afterwards|next|in the next time step|one step later|at the next time step|right afterwards|directly after'.split(
    '|',
  ),
  keep: 'keep going to|keep visiting|keep on visiting|keep on going to|never stop visiting|do not stop visiting|do not ever stop visiting|continue to visit|continue visiting|continuously visit|repeatedly visit|patrol|frequent|cycle through|keep going between|keep patrolling|always keep visiting|continue to stop at|continue going to|repeatedly keep visiting|continuously move to|repeatedly go to|never stop going to|continue to go to|you are always visiting'.split(
    '|',
  ),
  forever:
    'infinitely often|infinitely|an infinite number of times|infinite times|infinitely many times|over and over|over and over again|again and again|repeatedly|forever|without stopping|always|indefinitely|in any order forever|infinitely in any order'.split(
      '|',
    ),
  atalltimes:
    'always|forever|at all times|at any time|ever|in every step|at every step|throughout|all the time|at all instances|in every time step|at any instant'.split(
      '|',
    ),
  itis: 'it is always the case that|it always holds that|at all times|it must always hold that|it is always true that'.split(
    '|',
  ),
  itisnever:
    'it is never the case that|it never holds that|it must never be the case that|it is never true that|it must never happen that'.split(
      '|',
    ),
  shouldbe: 'must|should|can|may|has to|have to|needs to|will|is to'.split('|'),
  atmost: 'at most|no more than|a maximum of|up to'.split('|'),
  atleast: 'at least|no fewer than|no less than|a minimum of'.split('|'),
  exactly: 'exactly|precisely'.split('|'),
  place:
    'locations|locations ,|places|places ,|the following locations|the following locations ,|the following|the following ,|the following places|all locations|all locations ,|all of|each of|the locations|all|the following :|the following locations :|the following places :'.split(
      '|',
    ),
};

const rules: Rule[] = [];
/** Adds a rule for each line of `right`. */
const rule = (left: string, right: string, make: (...parts: Tree[]) => Tree): void => {
  for (const line of right.trim().split(/\s*\n\s*/)) rules.push({ left, right: line, make });
};
const same = (part: Tree): Tree => part;

// A text: clauses one after the other, each with how it goes on from the last.
rule('Text', 'Item .?', (item) => [item]);
rule('Text', 'Item %sep Text\nItem Then', (item, rest) => [item, ...(rest as Tree[])]);
rule('Text', 'Then', same);
rule('Then', 'ThenItem .?', (item) => [item]);
rule('Then', 'ThenItem %sep Text\nThenItem Then', (item, rest) => [item, ...(rest as Tree[])]);
rule('Text', 'Item %sep Then', (item, rest) => [item, ...(rest as Tree[])]);
rule('Item', 'first? ,? %please? first? Unit', (unit) => ['and', unit]);
rule('ThenItem', '%then ,? %please? Unit\n%then ,? to? Bare', (unit) => ['then', unit]);
rule('Bare', 'List', (list) => ['visit', list, null, null]);

// Places and what holds.
rule('Name', 'the|a|an|any|location? @place', same);
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
rule('Atom', '@state', same);
rule(
  'Atom',
  'Name\nName %holds\n%going Name\nName is|was %been\nName has been %been\nName are? true',
  (name) => name,
);
rule('Atom', 'Name %fails\nnot Name\nName is|are not %been\n%never? you are not in Name', (name) => [
  'not',
  name,
]);
rule('Cond', 'Atom', same);
rule('Cond', 'Atom and Cond', (one, other) => ['&', one, other]);
rule(
  'Cond',
  'both Name and Name %holds?\nName and Name %holds\nName and Name are both? %been',
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
  '%keep List Order? %forever?\n%goto List Order? %forever\nalways? %forever %goto List\n%goto? List %been %forever',
  (list) => ['endless', list],
);
rule(
  'Unit',
  'List is|are? %been %forever\nList %holds %forever\nName %holds? infinitely often as? well?',
  (list) => ['endless', list],
);

// Avoidance.
rule('Unit', '%never %goto List %atalltimes?', (list) => ['never', list, 'never']);
rule('Unit', '%avoid List %atalltimes?', (list) => ['never', list, 'avoid']);
rule(
  'Unit',
  'List must|should|can|may|will never|not ever? be %been %atalltimes?\nList must be avoided %atalltimes?\nyou can go anywhere but|except List\ndo not make any single? visit to List',
  (list) => ['never', list, 'passive'],
);
rule('Unit', 'never let? List hold|happen|occur', (list) => ['never', list, 'never']);
rule('Unit', '%itisnever Cond %together?\nnever Cond', (c) => ['nowhere', c]);
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
rule('Before', '%until', () => 'until');
rule('Before', 'if you have not been to', () => 'before');
rule(
  'Unit',
  '%may %goto List only? after|if|once Cond before|already?\n%may %goto List ,? but only after Cond\n%please? %goto List only after|if|once Cond\nList can|may|must|should only be %been after|once Cond',
  (list, c) => ['precede', list, c, 'only', 'perhaps'],
);
rule(
  'Unit',
  'only after Cond ,? %please? %goto List\nonly after Cond ,? you can|may|should %goto List\nonly after Cond can|may|should you %goto List',
  (c, list) => ['precede', list, c, 'only', 'perhaps'],
);
rule(
  'Unit',
  'Cond must|should be %been before|until %going? List\nCond has to be %been before %going? List\n%please? %goto Cond before %going List',
  (c, list) => ['precede', list, c, 'before', 'perhaps'],
);
rule(
  'Unit',
  'Name can|may|must only happen|occur|hold if Cond before\nName only holds|happens|occurs after Cond',
  (name, c) => ['precede', ['one', name], c, 'only', null],
);
rule('Unit', 'if Atom ,? then? Atom before or holds at the same time', (p, s) => ['atoms', p, s]);
rule('Unit', '%goto List after Cond\n%goto List once Cond', (list, c) => ['after', list, c]);
rule('Unit', 'after Cond ,? %please? %goto List\nonce Cond ,? %please? %goto List', (c, list) => [
  'after',
  list,
  c,
]);
rule('Unit', '%goto Name before %going? Name', (one, other) => ['path?', one, other]);

// How often.
rule('Times', 'once\nonce only', () => 1);
rule('Times', 'twice', () => 2);
rule('Times', 'thrice', () => 3);
rule(
  'Times',
  '# time\n# times\n# separate|distinct|different times\n# separate|distinct|different? occasions|occasion',
  same,
);
rule('Unit', '%may? %goto Name %atmost Times\n%may? %goto Name but Times %atmost', (name, n) => [
  'count',
  name,
  'most',
  n,
]);
rule('Unit', '%may %goto Name but only? Times at most\n%may? %goto Name Times at most', (name, n) => [
  'count',
  name,
  'most',
  n,
]);
rule(
  'Unit',
  '%never %goto Name any? more than Times\n%never %goto Name on? any? more than Times',
  (name, n) => ['count', name, 'most', n],
);
rule('Unit', 'visiting|entering Name more than Times is prohibited|forbidden', (name, n) => [
  'count',
  name,
  'most',
  n,
]);
rule('Unit', '%never %goto Name Times or more times?\n%never %goto Name # or more times', (name, n) => [
  'count',
  name,
  'less',
  n,
]);
rule(
  'Unit',
  '%never %goto Name again after %going? Name? it? Times?\n%never %goto Name again once you have been there Times',
  (name, _n, n) => (n === null ? ['nope'] : ['count', name, 'most', n]),
);
rule('Unit', '%goto Name %atleast Times', (name, n) => ['count', name, 'least', n]);
rule('Unit', '%goto Name %exactly Times', (name, n) => ['count', name, 'exact', n]);
rule(
  'Unit',
  'Name holds|happens|occurs %atmost Times\nName must hold|happen|occur %atmost Times',
  (name, n) => ['counted', name, n],
);
rule('Unit', 'Name holds during %atmost # separate? stretches', (name, n) => ['count', name, 'most', n]);

// Reactions.
rule('Trigger', '%whenever Cond', (c) => ['whenever', c]);
rule('Trigger', '%when Cond', (c) => ['when', c]);
rule('Trigger', 'if Cond', (c) => ['if', c]);
rule(
  'Effect',
  '%please? %goto Name Timing?\nName must|should|has|is|will|needs? to? be? %been Timing?',
  (n, t) => ['do', n, t],
);
rule('Effect', 'Timing %please? %goto Name\nTiming ,? %please? visit Name', (t, n) => ['do', n, t]);
rule('Effect', 'Cond Timing?', (c, t) => ['be', c, t]);
rule('Effect', 'Name %later holds|hold\nName will %later hold\nName must %later hold', (c) => [
  'be',
  c,
  'later',
]);
rule('Effect', 'Name must|should|will hold|happen|occur Timing?', (c, t) => ['be', c, t]);
rule(
  'Effect',
  '%never %goto Name again?\n%never ever? %goto Name afterwards|again?\nName must|will|should|does|can not hold|happen|occur again?',
  (n) => ['ban', n],
);
rule('Timing', '%later', () => 'later');
rule('Timing', '%after', () => 'after');
rule('Timing', '%now', () => 'now');
rule('Timing', '%next', () => 'next');
rule('Timing', 'within # steps|step', (n) => ['within', n]);
rule('Timing', '# steps|step later', (n) => ['later', n]);
rule('Unit', 'Trigger ,? then? Effect', (trigger, effect) => ['react', trigger, effect]);
rule('Unit', 'Effect Trigger', (effect, trigger) => ['react', trigger, effect]);
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
rule('Unit', 'one of them? Name? Name? holds %atalltimes', () => ['nope']);
rule(
  'Unit',
  'Cond eventually\neventually Cond\nName and? Name? eventually holds|hold\nCond at some point',
  (one, other) => ['sometime', other === undefined || other === null ? one : ['&', one, other]],
);
rule('Unit', 'Name eventually holds\nat some point ,? Cond', (c) => ['sometime', c]);
rule('Unit', 'stay|remain|wait in|at Name Until Cond\nAtom Until Cond', (c, word, d) => [
  'until',
  c,
  d,
  word,
]);
rule('Until', '%until', () => 'until');
rule('Unit', 'stay|remain in Name\n%never leave Name', (c) => ['always', c]);
rule('Unit', 'Atom if and only if Atom', (one, other) => ['iff', one, other]);
rule('Unit', 'Name releases Name', (one, other) => ['release', one, other]);

// Dwyer's scopes.
rule('Unit', 'Scope ,? Claim', (scope, claim) => ['scope', scope, claim]);
rule('Scope', 'globally\nin every run', () => ['globally']);
rule('Scope', 'before Cond', (r) => ['before', r]);
rule('Scope', 'after Cond', (q) => ['after', q]);
rule('Scope', 'between Name and Name\nbetween Name %holds and Name %holds', (q, r) => ['between', q, r]);
rule('Scope', 'after Name until Name\nafter Name %holds? until Name %holds?', (q, r) => ['afteruntil', q, r]);
rule('Claim', '%itisnever Cond\n%never %goto Name', (c) => ['absence', c]);
rule('Claim', '%itis Cond', (c) => ['universality', c]);
rule('Claim', 'Name eventually holds\n%goto Name', (c) => ['existence', c]);
rule('Claim', 'whenever Name holds , Name eventually holds', (p, s) => ['response', p, s]);
rule('Claim', 'if Name holds , then Name held before or holds at the same time', (p, s) => [
  'precedence',
  p,
  s,
]);

let made: Grammar | undefined;

/** The grammar of sentences; its start is `Text`. */
export function sentenceGrammar(): Grammar {
  made ??= grammarOf(rules, PHRASES);
  return made;
}
