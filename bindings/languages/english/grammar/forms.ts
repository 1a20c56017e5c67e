import { BudgetError } from './budget.js';
import type { Rule, Tree } from './chart.js';
import { ruleList, same } from './rule.js';

/**
 * Where the grammar says a verb of movement and a place, `%goto Name`, a sentence may say a predicate with its own verb: `@do` is "send a mail", `@must` "the agent must send a mail".
 * Each slot is followed by what may stand in its place; `$1` is `Name` or `List`.
 */
const SLOTS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^%never (?:ever\? |either\? )?%goto (Name|List)(?= |$)/, ['%never Act$1', 'Ban$1']],
  [/^%may\? %goto (Name|List)(?= |$)/, ['%may? Do$1', 'May$1', 'Fin$1']],
  [/^%may %goto (Name|List)(?= |$)/, ['%may Do$1', 'May$1']],
  [/^%please\? %goto (Name|List)(?= |$)/, ['%please? Do$1', 'Must$1']],
  [/^%goto (Name|List)(?= (?:,\? )?(?:but\? )?only )/, ['Do$1', 'Must$1', 'Fin$1']],
  [/^%goto (Name|List)(?= |$)/, ['Do$1', 'Must$1']],
  [/^(Name|List) %mustnot be\?? %been(?= |$)/, ['Ban$1']],
  [/^%going\?? (Name|List)(?= |$)/, ['Doing$1']],
  [/^State(?= |$)/, ['Happening']],
  [/^%going\?? (?:Cond|CondDone|Event)(?= |$)/, ['DoingName']],
];
/** Where what has been done may stand for what is done: "after the manager has approved". */
const PAST = /(\S*(?:after|once|efore|ntil|unless)\S*) Cond(?= |$)/g;

/** Rules, and the same with the forms of the predicates' own verbs. */
export function withForms(rules: readonly Rule[]): Rule[] {
  return [
    ...rules.flatMap((rule) =>
      expanded(rule.right.replace(PAST, '$1 Past'), rule.left).map((right) => ({ ...rule, right })),
    ),
    ...formRules(),
  ];
}

function expanded(right: string, left: string): string[] {
  for (const [slot, others] of SLOTS) {
    const match = slot.exec(right);
    if (match === null) continue;
    // A ban in an answer has lines of its own.
    const made = others
      .map((other) => other.replace('$1', match[1]))
      .filter((other) => left !== 'Effect' || !/^(?:Ban|Happening|%never)/.test(other));
    const rest = expanded(right.slice(match[0].length + 1), left);
    return [match[0], ...made].flatMap((first) =>
      rest.map((more) => (more === '' ? first : `${first} ${more}`)),
    );
  }
  const end = right.indexOf(' ');
  if (end < 0) return [right];
  return expanded(right.slice(end + 1), left).map((rest) => `${right.slice(0, end)} ${rest}`);
}

function formRules(): readonly Rule[] {
  const { rules, rule } = ruleList();
  const one = (name: Tree): Tree => ['one', name];
  const named: Readonly<Record<string, string>> = {
    Act: '@do',
    Do: '@do\n@make',
    Must: '@must',
    Ban: '@mustnot\n@never',
    May: '@may',
    Fin: '@fin',
    Doing: '@doing',
  };
  for (const [name, right] of Object.entries(named)) {
    rule(`${name}Name`, right, same);
    rule(`${name}List`, right, one);
  }
  for (const name of ['Act', 'Do']) {
    rule(`${name}List`, `${name}Name ,? or|nor ${name}Name`, (first, second) => ['or', first, second]);
    rule(`${name}List`, `${name}Name ,? and ${name}Name`, (first, second) => ['and', first, second]);
  }
  rule('Happening', '%article? @event', same);
  rule('Atom', 'Happening', same);
  rule('Effect', 'Happening Timing?', (c, t) => ['do', c, t]);
  rule('Effect', 'Timing ,? Happening', (t, c) => ['do', c, t]);
  rule('Past', 'Cond\n@done', same);
  rule('CondDone', '@done', same);
  rule('Stay', '@must\n@always', same);
  rule('Unit', '@always %atalltimes?', (c) => ['always', c]);
  rule('Unit', '@pair %together?', (c) => ['nowhere', c]);
  rule('Unit', '%never @make %atalltimes?', (c) => ['uncaused', c]);
  rule('Unit', 'FinList only if|when|while|after|once Past', (list, c) => [
    'precede',
    list,
    c,
    'only',
    'perhaps',
  ]);
  rule('Trigger', '%while @doing', (c) => ['while', c]);
  rule('Effect', '@always', (c) => ['be', c, 'throughout']);
  rule('Effect', '@mustnot\n%donot ActName', (c) => ['be', ['not', c], null]);
  rule('Effect', '@never %evermore?\n@mustnot %evermore\n%noever ActName\n%never DoName %evermore', (c) => [
    'ban',
    c,
  ]);
  rule('Effect', '@make Timing?', (c, t) => ['do', c, t]);
  rule('Effect', 'DoName ,? and @do Timing?', (c, d, t) => ['doAll', [c, d], t]);
  rule('Claim', '@never\n@mustnot\n%never ActName', (c) => ['absence', c]);
  rule('Claim', '@always', (c) => ['universality', c]);
  rule(
    'Unit',
    '@fin Count\n@must Count\n@may Count\nDoName Count\n@mustnot NoCount\n@never NoCount\n%never ActName NoCount',
    (name, how) => ['counted', name, ...(how as readonly Tree[])],
  );
  rule('Trigger', 'except if|when|while|unless Cond', (c) => ['if', ['not', c]]);
  rule('Unit', 'Trigger ,? then? Effect ,? except if|when|while|unless? Cond', (trigger, effect, c) => [
    'react',
    [(trigger as readonly Tree[])[0], ['&', (trigger as readonly Tree[])[1], ['not', c]]],
    effect,
  ]);
  rule(
    'Unit',
    'within # steps|step of|after|from? Past ,? Effect\nwithin @span of|after|from? Past ,? Effect',
    (n, c, effect) => dueWithin(c, effect, n),
  );
  rule(
    'Unit',
    'Effect within # steps|step of|after|from Past\nEffect no later than # steps|step after Past\nEffect at most # steps|step after Past\nEffect within @span of|after|from Past\nEffect no later than @span after Past',
    (effect, n, c) => dueWithin(c, effect, n),
  );
  rule('Held', 'Atom for # steps|step Row?', (c, n) => lasting(c, n));
  rule('Row', 'in a row\nin succession\nrunning\nor more|longer', () => null);
  rule('Trigger', 'if Held\n%whenever Held', (c) => ['whenever', c]);
  rule('Trigger', 'after|once|when Held', (c) => ['when', c]);
  rule('Unit', '@quantity', same);
  rule('Unit', '%never @toomany\n@notmore', same);
  rule('Effect', '%please? DoName before Past\n@must before Past', (c, d) => ['be', c, ['before', d]]);
  rule(
    'Rest',
    '.? ,? but|and? %never %goto List in between .?\n.? ,? without %going List in between .?',
    (list) => [['and', ['meanwhile', list]]],
  );
  rule('Timing', 'within|in @span\nno later than @span after? that|afterwards?\nin? at most @span', (n) => [
    'within',
    n,
  ]);
  rule(
    'Unit',
    'Cond within @span\nwithin @span ,? Cond\n%please? DoName within @span\n%goto Name within @span\n@must within @span',
    (one, n) => (typeof one === 'number' ? ['soon', n, one] : ['soon', one, n]),
  );
  rule('Unit', 'DoName within # steps|step\n@must within # steps|step', (c, n) => ['soon', c, n]);
  rule('NoCount', 'twice', () => ['most', 1]);
  return rules;
}

function dueWithin(condition: Tree, effect: Tree, n: Tree): Tree {
  const [kind, what, timing] = effect as readonly Tree[];
  if (kind === 'ban' || (timing ?? null) !== null) return ['nope'];
  return ['react', ['when', condition], [kind, what, ['within', n]]];
}

/** What has held at this step and at the ones before it, as many steps in all. */
function lasting(condition: Tree, n: Tree): Tree {
  if ((n as number) < 1 || (n as number) > 20) throw new BudgetError();
  let tree = condition;
  for (let i = 1; i < (n as number); i++) tree = ['&', condition, ['Y', tree]];
  return tree;
}
