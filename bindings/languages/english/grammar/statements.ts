import type { Rule, Tree } from './chart.js';
import { ruleList, same, THEM } from './rule.js';

const all = (parts: Tree): readonly Tree[] => parts as readonly Tree[];

/** What holds when, what may come before what, and what answers what, where the rules of missions do not say it. `formula T`: T is the formula itself. */
export function statementRules(): readonly Rule[] {
  const { rules, rule } = ruleList();
  orders(rule);
  avoidance(rule);
  waiting(rule);
  reactions(rule);
  states(rule);
  return rules;
}

type Add = ReturnType<typeof ruleList>['rule'];

/** Visits one after the other. */
function orders(rule: Add): void {
  rule('Lead', '%please? start|begin|starting|beginning off|out? with|at|in|from|by %going? List', (list) => [
    'and',
    ['visit', list, null, null],
  ]);
  rule(
    'Rest',
    '.? ,? and? then? end|finish|conclude|ending|finishing up|off? at|in|with|by %going? Bare Rest?',
    (unit, rest) => [['then', unit], ...all(rest ?? [])],
  );
  rule('Rest', ',? and that %please? Unit Rest?', (unit, rest) => [['and', unit], ...all(rest ?? [])]);
  rule('Rest', ',? %endless .?\n,? and repeat .?', () => [['and', ['endless']]]);
  rule('Unit', '%goto List %fairly', (list) => ['fair', list]);
  rule(
    'Unit',
    '%keep List ,? %fairly\n%keep Name ,? then Name\n%keep Name ,? then Name ,? and? then Name',
    () => ['endless'],
  );
  rule('Unit', '%anyorder ,? %goto List ,? Order', (list, order) => ['visit', list, order, null]);
  rule('Unit', '%goto List , %anyorder', (list) => ['visit', list, 'any', null]);
  rule(
    'Unit',
    'the? locations|places|waypoints|rooms|stops to visit|reach are List Order?',
    (list, order) => ['visit', list, order, null],
  );
  rule('Unit', '%never stop|rest|finish|end|halt|quit before|unless|until %going? List', (list) => [
    'visit',
    list,
    'any',
    null,
  ]);
  rule('List', 'Names as well as Name\nNames along|together with Name\nNames plus Name', (names, last) => [
    'and',
    ...all(names),
    last,
  ]);
  rule('Unit', '%goto all|both|each of them\n%goto them all|both?\n%goto everything', () => [
    'visit',
    ['and', THEM],
    'any',
    null,
  ]);
  // The mission before it is in strict order.
  rule(
    'Unit',
    '%never %goto any|a|the? later? places|place|locations|location|waypoints|waypoint|rooms|room|them|anything? out of turn|order|sequence\n%never %goto a later place|location|waypoint|room|one before an? earlier|previous one|place|location|waypoint|room\n%never skip ahead|any? of? them?',
    () => ['strictly'],
  );
  rule('Pair', 'Name before Name', (one, other) => [one, other]);
  rule('Pairs', 'Pair ,? and|nor|or Pair', (one, other) => [one, other]);
  rule('Pairs', 'Pair , Pairs', (one, rest) => [one, ...all(rest)]);
  rule('Unit', '%goto Pairs', (pairs) => ['all', ...all(pairs).map((pair) => ['path?', ...all(pair)])]);
  rule('Unit', '%never %goto Pairs\nnever Pairs\nno Pair', (pairs) => [
    'all',
    ...(typeof all(pairs)[0] === 'string' ? [pairs] : all(pairs)).map((pair) => [
      'precede',
      ['one', all(pair)[0]],
      all(pair)[1],
      'before',
      null,
    ]),
  ]);
  rule('Unit', 'always Pair', (pair) => [
    'precede',
    ['one', all(pair)[1]],
    all(pair)[0],
    'before',
    'perhaps',
  ]);
  rule(
    'Unit',
    '%goto Name ,? but? only via|through Name\n%goto Name by first|only|always? %going Name\n%goto Name on your|the way from Name',
    (to, via) => ['path', via, to],
  );
  rule('Unit', '%goto Name on your|the way to Name', (via, to) => ['path', via, to]);
  rule('Unit', 'Name after|once Cond', (name, c) => ['after', ['one', name], c]);
  rule(
    'Rest',
    '.? ,? and? %please? %goto List %after Rest?\n.? ,? and? then? Bare %after Rest?',
    (list, rest) => [
      ['then', all(list)[0] === 'visit' ? list : ['visit', list, null, null]],
      ...all(rest ?? []),
    ],
  );
  rule(
    'Rest',
    '.? ,? but? there can|may be other locations|places|stops|waypoints|rooms in between .?\n.? ,? but? you can|may visit other locations|places|stops|waypoints|rooms in between .?\n.? ,? with? other locations|places|stops|waypoints|rooms in between are? allowed|permitted? .?',
    () => [['and', ['loosely']]],
  );
  rule('Rest', ',? without skipping|omitting any|one one? of? them? .?', () => [['and', ['strictly']]]);
  rule('Unit', '%goto Name before %going? Names ,? and Name', (one, names, last) => [
    'all',
    ...[...all(names), last].map((other) => ['path?', one, other]),
  ]);
  rule('Unit', '%goto List ,? but|and? not before|until|unless|without Cond', (list, c) => [
    'precede',
    list,
    c,
    'only',
    'perhaps',
  ]);
  rule('Unit', '%may %goto Name ,? but|and then? %please %goto Name Timing', (one, other, t) => [
    'react',
    ['whenever', one],
    ['do', other, t],
  ]);
  rule('Unit', 'Name ,? but? only after|once|if|when Cond', (name, c) => [
    'precede',
    ['one', name],
    c,
    'only',
    'perhaps',
  ]);
  // Once, and not again before the next.
  rule(
    'Unit',
    '%goto Name ,? but? %exactly once|1 times|time? before %going? Name\n%goto Name ,? but? only? once|1 before %going? Name\nName only? once before %going? Name\n%exactly once before %going? Name ,? %goto Name',
    (one, other) => ['onceBefore', one, other],
  );
  rule('Unit', '%goto Name then|and Name ,? but Name only? once before Name', (a, b, one, other) =>
    a === one && b === other ? ['onceBefore', a, b] : ['nope'],
  );
  rule(
    'Unit',
    '%goto Name ,? and|but|then without|before %going Name again? ,? %goto Name\n%goto Name ,? then? and? without again? returning|going back? to Name again? ,? %goto Name',
    (one, again, other) => (one === again ? ['onceBefore', one, other] : ['nope']),
  );
  rule(
    'Unit',
    '%never %goto Name again before|until|till %going? Name\n%never %goto Name twice before|until %going? Name\nwithout|no %going Name again before|until %going? Name',
    (one, other) => ['againBefore', one, other],
  );
  rule('Rest', ',? without %going Name again? before %going? Cond .?', (one, other) => [
    ['and', ['againBefore', one, other]],
  ]);
}

/** What must not be visited, always or before something. */
function avoidance(rule: Add): void {
  const never = (list: Tree): Tree => ['never', list, 'passive'];
  const both = (one: Tree, other: Tree): Tree => ['never', ['or', one, other], 'avoid'];
  rule(
    'Unit',
    'neither Name nor Name may|must|can|should|is|are|will to? ever? be? %been\nneither Name nor Name may|must|can|should|will|shall? ever? hold|holds|happen|happens|occur|occurs\nneither %goto Name nor %goto? Name\n%never %goto Name nor Name\n%never %goto neither Name nor Name\n%never either? %goto Name nor|or %goto Name',
    both,
  );
  rule(
    'Unit',
    'at no point|time|moment|stage ,? %please? %goto List\nunder no circumstances ,? %please? %goto List\nin no case ,? %please? %goto List',
    (list) => ['never', list, 'never'],
  );
  rule(
    'Unit',
    '%going List is|are never|not|strictly? %banned\nthere must|should|may be no visits|visit to List\nno visits|visit to List are? is? allowed|permitted?\nit is %banned to %goto List\nList are|is strictly|absolutely|always? %banned\nList must|should|shall|has|have to? always|never be avoided\nList are|is to be avoided %atalltimes?\nList are|is no place to be',
    never,
  );
  rule(
    'NotYet',
    'you have not yet? %been Cond yet?\nyou have not yet? been to|in|at Cond yet?\nName has not yet? %been yet?\nName has not been %been yet?\nName has not happened|occurred|held yet?\nName has yet to happen|occur|hold',
    same,
  );
  rule('CondDone', 'Cond\nName is|has|does|was\nName has been', same);
  rule(
    'NoGo',
    '%never %goto List\n%avoid List\nList are|is %banned\nList %mustnot be? %been\nList %mustnot hold|happen|occur\nthe robot|agent? %never %goto List',
    same,
  );
  rule(
    'Unit',
    'while|until|unless|as|so long? as? NotYet ,? NoGo\n%until %going? CondDone ,? NoGo\nbefore %going? Cond ,? NoGo',
    (c, list) => ['precede', list, c, 'until', null],
  );
  rule(
    'Unit',
    'NoGo while|as|so|if long? as? NotYet\nList are|is %banned Before CondDone\nList %mustnot be? %been Before CondDone\nList %mustnot hold|happen|occur Before CondDone\nList can|may not be %been Before CondDone\n%never %goto List Before Name is|has|does|was\nList %mustnot be? %been Before Name is|has|does|was',
    (list, c, d) =>
      d === undefined || d === null
        ? ['precede', list, c, 'until', null]
        : ['precede', list, d, 'until', null],
  );
  rule(
    'Unit',
    '%goto Name requires|needs Name first|beforehand|before|earlier\nName requires|needs Name first|beforehand|before|earlier\n%going Name requires|needs %going Name first|beforehand|before|earlier',
    (name, c) => ['precede', ['one', name], c, 'only', null],
  );
  rule(
    'Unit',
    'every|each|any? Event must|has|should|is|are to? always? be? preceded by a|an? Event\nif Name %holds ,? at some point? ,? then? Name must|has|should to? have? %holds? at? some? point? somewhere|sometime? %earlier\nwhenever|if Event %holds? ,? then? Event must|should have happened|occurred|held %earlier\nName %holds? only if Name %holds? %earlier',
    (one, other) => ['preceded', one, other],
  );
}

/** Waiting: what holds until something else. */
function waiting(rule: Add): void {
  rule('Until', 'up to the moment|point|time that|when|at? which?', () => 'until');
  rule(
    'Stay',
    'stay|remain|wait|keep|be|linger|hold in|at|inside Name\n%never leave|exit|abandon Name\n%never move|go|depart|walk|budge away|out? from|of Name\nkeep Name true|active|on\nAtom\nName must|should|has|will|shall to? hold|stay|remain|be true|active?\nName stays|remains|keeps true|active|holding?\nyou|robot must|should be in|at Name',
    same,
  );
  rule(
    'Unit',
    'Stay Until CondDone\nStay as|so|while long? as? NotYet\n%never leave|exit Name before %going? Cond\nkeep Atom Until CondDone',
    (c, word, d) => ['until', c, d ?? word, 'until'],
  );
  rule(
    'Unit',
    'Until CondDone ,? %please? Stay\nwhile|as|so long? as? NotYet ,? %please? Stay',
    (word, d, c) => (c === undefined ? ['until', d, word, 'until'] : ['until', c, d, 'until']),
  );
  rule(
    'Unit',
    'stay|remain|wait in|at|inside Name and|, %never leave|move|go away? Until CondDone\nstay|remain|wait in|at|inside Name and|, %never leave|move|go away? before %going? Cond',
    (c, word, d) => ['until', c, d ?? word, 'until'],
  );
  rule('Unit', 'wait for Name in|at|inside Name\nawait Name in|at|inside Name', (d, c) => [
    'until',
    c,
    d,
    'until',
  ]);
  rule('Unit', 'wait in|at|inside Name for Name to? happen|occur|hold?', (c, d) => ['until', c, d, 'until']);
}

/** What answers what. */
function reactions(rule: Add): void {
  rule('Event', 'Name\nvisit|trip|visits|trips to Name\noccurrence|occurrences of Name\n%going Name', same);
  rule('Trigger', 'having %been Cond', (c) => ['after', c]);
  rule(
    'Trigger',
    'from the? moment|point|time|step|instant that|when|at? which? Cond onwards|onward|on|forward?',
    (c) => ['after', c],
  );
  rule('Trigger', 'after|upon|on|for|with each|every|any Event\nfollowing each|every|any Event', (c) => [
    'whenever',
    c,
  ]);
  rule(
    'Trigger',
    'in|at every|each|any|all step|steps|moment|time|instant|state in|at|on? which|where|when|that Cond',
    (c) => ['whenever', c],
  );
  rule('Trigger', '%whenever Cond and Name %holds %next', (c, name) => ['whenever', ['&', c, ['X', name]]]);
  rule('Trigger', '%whenever Cond but not Name', (c, name) => ['whenever', ['&', c, ['not', name]]]);
  rule('Effect', '%too ,? Effect', same);
  rule('Effect', '%please Timing %goto Name', (t, c) => ['do', c, t]);
  rule('Effect', 'Name %mustbe Timing be %been', (c, t) => ['do', c, t]);
  rule('Effect', '%please? %goto Names ,? and Name Timing?', (names, last, t) => [
    'doAll',
    [...all(names), last],
    t,
  ]);
  rule('Effect', 'Timing ,? State', (t, c) => ['be', c, t]);
  rule('Effect', 'Name Timing %holds\nName %mustbe Timing hold|happen|occur|follow|come', (c, t) => [
    'be',
    c,
    t,
  ]);
  rule(
    'Effect',
    'Name %mustbe be true|active Timing?\nName must|has|should|will|shall to? hold|happen|occur|follow|come Timing?',
    (c, t) => ['be', c, t],
  );
  rule('Effect', 'the very? next place|thing|step|location|event|visit must|should|has to? be Name', (c) => [
    'be',
    c,
    'next',
  ]);
  rule('Effect', 'Name holds|remains|stays always|forever true?\nName must|should|will always hold', (c) => [
    'be',
    c,
    'always',
  ]);
  rule(
    'Effect',
    'it stays|remains|holds|is true? %atalltimes?\nit must|should|will stay|remain|hold true? %atalltimes?',
    () => ['be', null, 'always'],
  );
  rule('Effect', 'Cond Until Cond\nName must|should|will hold Until Cond', (c, _word, d) => [
    'be',
    c,
    ['until', d],
  ]);
  rule(
    'Effect',
    '%never ever? %goto Name %evermore\n%avoid Name %evermore\nName is|are %banned %evermore?\nName never %holds again|afterwards|anymore?\nName %mustnot be %been %evermore\nName %fails again|anymore|afterwards\nName %mustnot hold|happen|occur %evermore',
    (n) => ['ban', n],
  );
  rule('Timing', 'Timing1 from the next step on|onwards', (t) => ['then', t]);
  rule('Timing1', '%later', () => 'later');
  rule('Timing1', 'always|forever', () => 'always');
  rule('Timing', 'always|forever', () => 'always');
  rule(
    'Timing',
    'no later than # steps|step after? that|afterwards?\nin at most # steps|step\nat most # steps|step later|afterwards',
    (n) => ['within', n],
  );
  rule(
    'Timing',
    'exactly|precisely? # steps|step later|after|afterwards|on|thereafter\nafter|in exactly|precisely? # steps|step',
    (n) => ['later', n],
  );
  rule('Timing', 'a|one step later|after|on', () => 'next');
  rule('Timing', '# steps|step after Name', (n, name) => ['from', n, name]);
  rule(
    'Unit',
    '%next after? each|every|any? Event ,? Effect\nright|immediately|directly|just after each|every|any? Event ,? Effect',
    (c, effect) => ['react', ['whenever', c], timed(effect, 'next')],
  );
  rule('Unit', 'right|immediately|directly|just after %going Cond ,? Effect', (c, effect) => [
    'react',
    ['whenever', c],
    timed(effect, 'next'),
  ]);
  rule('Unit', 'Effect right|immediately|directly|just after each|every|any? Event', (effect, c) => [
    'react',
    ['whenever', c],
    timed(effect, 'next'),
  ]);
  rule(
    'Unit',
    'every|each|any|all Event Followed Timing? by a|an|another? Event Timing?\nEvent Followed Timing? by a|an|another? Event Timing?',
    (one, _f, before, other, after) => [
      'react',
      ['whenever', one],
      ['be', other, before ?? after ?? 'follow'],
    ],
  );
  rule(
    'Followed',
    'must|should|has|have|is|are|will|shall to? always? Timing? be? always? followed',
    (t) => t,
  );
  rule('Followed', 'must|should|has|have|is|are|will|shall to? always? be? followed', () => null);
  rule(
    'Unit',
    'a|an? Event must|should|has|will|shall to? Timing? follow after|on|upon? every|each|any|all? Event Timing?',
    (other, before, one, after) => ['react', ['whenever', one], ['be', other, before ?? after ?? 'follow']],
  );
  rule(
    'Unit',
    'every|each|any? Event requires|entails|demands|triggers|causes|means a|an? Event Timing?\nNameGoing requires|means %going Name Timing?',
    (one, other, t) => ['react', ['if', one], ['do', other, t]],
  );
  rule('NameGoing', '%going Name', same);
  rule(
    'Unit',
    'Name always implies|entails Name\nName implies|entails Name %atalltimes?\nName %holds? only if|when Name %holds',
    (one, other) => ['react', ['if', one], ['be', other, null]],
  );
  // In both directions.
  rule(
    'Iff',
    'if|when|whenever and only if|when|whenever\nexactly|just|precisely if|when\nalways|every time? and only when|if|whenever|then\nonly and always|exactly when|if',
    () => null,
  );
  rule('Unit', 'Effect Iff Cond now?\nLoose Iff Cond now?', (effect, _iff, c) => ['iffThen', c, effect]);
  rule('Unit', 'Iff Cond now? ,? then? Effect\nIff Cond now? ,? then? Loose', (_iff, c, effect) => [
    'iffThen',
    c,
    effect,
  ]);
  rule(
    'Unit',
    'Trigger ,? then? Effect ,? and|but only then\nTrigger ,? then? Loose ,? and|but only then',
    (trigger, effect) => ['iffThen', all(trigger)[1], effect],
  );
  rule(
    'Unit',
    'Effect Trigger ,? and|but only then\nLoose Trigger ,? and|but only then',
    (effect, trigger) => ['iffThen', all(trigger)[1], effect],
  );
  rule(
    'Unit',
    'Name and Name always hold|occur|happen together|simultaneously\nName and Name always hold|occur|happen at the same time\nName and Name are equivalent',
    (one, other) => ['iff', one, other],
  );
  rule(
    'Unit',
    'if Name %holds ,? then? Name must|has|should|will to? hold|happen|occur|holds|happens|occurs too|also? ,? either? before or after|afterwards|later it|that?\nif Name %holds at some point ,? then? Name %holds at some point too|also|as? well?\nif Event ever %holds ,? then? Event ever? %holds',
    (one, other) => ['formula', ['->', ['F', one], ['F', other]]],
  );
}

/** What holds at which steps. */
function states(rule: Add): void {
  const disjunction = (names: readonly Tree[]): Tree => ['|', ...names];
  rule('NameList', 'Names ,? and|or Name', (names, last) => [...all(names), last]);
  rule('NameList', 'Name , Names', (name, names) => [name, ...all(names)]);
  rule('NameList', 'them', () => [THEM]);
  rule(
    'Things',
    'propositions|predicates|conditions|signals|events|variables|aps|things\natomic propositions',
    () => null,
  );
  rule('Atom', 'at least one of the? NameList %holds\nsome|any of NameList %holds', (names) =>
    disjunction(all(names)),
  );
  rule('Atom', 'one|either of NameList %holds', (names) => ['oneOf', ...all(names)]);
  rule('Atom', 'exactly|only one of NameList %holds', (names) => ['single', ...all(names)]);
  rule('Atom', 'either Name or Name %holds ,? but not both', (one, other) => ['single', one, other]);
  rule('Atom', 'none of NameList %holds', (names) => ['not', disjunction(all(names))]);
  rule('Atom', 'all|each|every of NameList %holds', (names) => ['&', ...all(names)]);
  rule('Atom', 'not both Name and Name %holds', (one, other) => ['not', ['&', one, other]]);
  rule('Atom', 'neither Name nor Name %holds', (one, other) => ['not', ['|', one, other]]);
  rule('Atom', '%isfalse that Atom', (c) => ['not', c]);
  rule(
    'Unit',
    'one of the following Things? will|must|should|shall? hold|holds|be? true? %atalltimes ,|:? Names ,? and|or? Name',
    (_t, names, last) => ['always', ['oneOf', ...all(names), last]],
  );
  rule(
    'Unit',
    'at least one of the following Things? will|must|should|shall? hold|holds|be? true? %atalltimes ,|:? Names ,? and|or? Name',
    (_t, names, last) => ['always', disjunction([...all(names), last])],
  );
  rule('Unit', '%atalltimes ,? Cond\nCond must|will|should? %atalltimes', (c) => ['always', c]);
  rule(
    'Unit',
    'Name must|should|has|will|shall to? always|at? all? times? hold|be true?\nName must|should|has|will|shall to? hold|be true? %atalltimes',
    (c) => ['always', c],
  );
  rule(
    'Unit',
    'Name must|should|has|will|shall to? eventually hold|happen|occur\nName must|should|has|will|shall to? hold|happen|occur %later\n%later ,? Cond',
    (c) => ['sometime', c],
  );
  rule(
    'Unit',
    'Name and Name are mutually exclusive\nName excludes Name\nName and Name exclude each other',
    (one, other) => ['nowhere', ['&', one, other]],
  );
  rule(
    'Unit',
    'Name never|not %holds twice in a row\nName never %holds in|at|for two|2 consecutive|successive steps\nName %mustnot hold|happen|occur in|at|for? two|2 consecutive|successive steps\nName %mustnot hold|happen|occur twice in a row',
    (name) => ['formula', ['G', ['->', name, ['WX', ['not', name]]]]],
  );
  rule('Unit', '%initially ,? Cond\nCond %initially\nName must|should hold %initially', (c) => [
    'formula',
    c,
  ]);
  rule(
    'Unit',
    '%atend ,? Cond\nCond %atend\nName must|should|has to? hold %atend\nfinish|end|stop|be in|at Name %atend',
    (c) => ['formula', ['F', ['&', c, ['not', ['X', ['|', c, ['not', c]]]]]]],
  );
  rule('Unit', 'Cond %next\n%next ,? Cond', (c) => ['formula', ['X', c]]);
  rule(
    'Unit',
    'Cond within # steps|step\nwithin # steps|step ,? Cond\n%goto Name within # steps|step\nwithin # steps|step ,? %please? %goto Name',
    (one, other) => (typeof one === 'number' ? ['soon', other, one] : ['soon', one, other]),
  );
  rule('Unit', 'from the next step on ,? Cond always|forever?\nCond always from the next step on', (c) => [
    'formula',
    ['WX', ['G', c]],
  ]);
}

/** An effect with its timing, if it has none. */
function timed(effect: Tree, timing: string): Tree {
  const [kind, what, own] = effect as readonly Tree[];
  return [kind, what, own ?? timing];
}
