import { describe, expect, it } from 'vitest';
import { describeVerdict } from '../../../bindings/face/cli/workflow/verify.js';
import { readContracts } from '../../../bindings/proofs/contract/index.js';
import { verifyPlan } from '../../../bindings/proofs/planProof/index.js';
import type { PathStep } from '../../../bindings/proofs/planProof/verdict.js';
import type { Step, Value } from '../../../bindings/proofs/workflow/index.js';
import { assign, call, each, give, listOf, need, plan, ref, text, when } from './plans.js';

const contracts = readContracts(`
version: 1
types:
  Mail: { fields: { from: email, body: text } }
readers: { me: [me@home.example], team: [ann@home.example] }
stores: { notes: {} }
tools:
  fetchMail: { result: { type: text, integrity: untrusted, readers: me } }
  mails: { result: { type: list of Mail, integrity: untrusted, readers: me } }
  web: { result: { type: text, integrity: untrusted, readers: everyone } }
  loadNote: { result: { type: text, integrity: trusted, readers: everyone } }
  teamNote: { result: { type: text, integrity: trusted, readers: team } }
  saveNote: { arguments: { x: text }, writes: [notes], consequential: false }
  readNote: { result: { type: text, integrity: trusted, readers: everyone }, reads: [notes] }
  save: { arguments: { path: { type: text, readers: everyone } }, observable: nobody, consequential: false }
  send: { arguments: { body: { type: text, readers: everyone } }, observable: everyone, consequential: false }
  open: { arguments: { name: { type: text, integrity: trusted } } }
  total: { result: { type: integer, integrity: trusted, readers: everyone }, ensures: 'result >= 0' }
  named: { result: { type: integer, integrity: trusted, readers: everyone }, ensures: { positive: 'result >= 0' } }
`);

const verdictOf = (...steps: Step[]) => verifyPlan(plan(...steps), contracts);
const findingsOf = (...steps: Step[]) => {
  const verdict = verdictOf(...steps);
  return verdict.verdict === 'proved' ? [] : verdict.findings;
};
const mail = call('m', 'fetchMail', {}, 'mail');

describe('the advice of a finding', () => {
  const web = call('w', 'web', {}, 'page');
  const copy = text('Copy: ', ref('page'));

  it('is to require a value that is a name', () => {
    const named = [web, assign('l', 'c', copy)];
    const use = call('s', 'open', { name: ref('c') });
    expect(findingsOf(...named, use)[0].text).toContain('`require c in [...]` with the values');
    expect(findingsOf(...named, need('r', 'c in ["Copy: a"]'), use)).toEqual([]);
  });

  it('is to give another value a name first', () => {
    const [{ text: told }] = findingsOf(web, call('s', 'open', { name: copy }));
    expect(told).toContain(
      'a name for the value by `let`, `require NAME in [...]` with the values that are allowed',
    );
    expect(told).not.toContain('require "Copy');
  });
});

it('cites those sources whose readers forbid it, and no others', () => {
  const note = call('n', 'loadNote', {}, 'note');
  const team = call('t', 'teamNote', {}, 'plan');
  const [mixed] = findingsOf(mail, note, call('s', 'save', { path: text(ref('note'), ref('mail')) }));
  expect(mixed.text).toContain('it depends on `fetchMail`, which only group me may read.');
  const [both] = findingsOf(mail, team, call('s', 'save', { path: text(ref('mail'), ref('plan')) }));
  expect(both.text).toContain('it depends on `fetchMail`, which only group me may read.');
  // Two sources of the same readers, where one label is below the other.
  const again = call('m', 'fetchMail', {}, 'mail');
  const [one] = findingsOf(
    again,
    call('a', 'saveNote', { x: ref('mail') }),
    call('o', 'readNote', {}, 'old'),
    call('s', 'save', { path: ref('old') }),
  );
  expect(one.text).toContain('`fetchMail`');
  expect(one.text).not.toContain('`readNote`');
});

describe('data that only decide whether a call is made', () => {
  it('are said to do so, with the step, once', () => {
    const told =
      'would be seen by everyone; step r decides whether the call is made, by data of `fetchMail`, which only group me may read.';
    const steps = [mail, need('r', 'mail == "a"')];
    for (const [tool, given] of [
      ['save', { path: 'copy.txt' }],
      ['send', { body: 'yes' }],
    ] as const) {
      const found = findingsOf(...steps, call('s', tool, given));
      expect(found.map(({ text }) => text)).toEqual([expect.stringContaining(told)]);
      expect(found[0].path.map(({ step }) => step)).toEqual(['m', 'r', 's']);
    }
  });

  it('are those of the branch that is open, not of one that is over', () => {
    const before = when('b', 'mail == "b"', [call('l', 'loadNote', {}, 'x')]);
    const found = findingsOf(mail, before, when('i', 'mail == "a"', [call('s', 'send', { body: 'yes' })]));
    expect(found[0].text).toContain('step i decides');
    expect(found[0].path.at(-2)).toEqual({ step: 'i', branch: 'then' });
    expect(findingsOf(mail, before, call('s', 'send', { body: 'yes' }))).toEqual([]);
  });

  it('do not hide that an argument has private data', () => {
    const found = findingsOf(mail, need('r', 'mail == "a"'), call('s', 'send', { body: ref('mail') }));
    expect(found.map(({ rule }) => rule)).toEqual(['body', null]);
    expect(found[0].text).toContain('it depends on `fetchMail`');
  });
});

it('names the calls that wrote to a store on the way, and no requirement that is not on it', () => {
  const steps = [
    call('w', 'web', {}, 'page'),
    need('q', 'page != "b"'),
    call('k', 'saveNote', { x: ref('page') }),
    call('o', 'readNote', {}, 'old'),
    call('s', 'open', { name: ref('old') }),
  ];
  const verdict = verdictOf(...steps);
  if (verdict.verdict === 'proved') expect.fail('it is proved');
  expect(verdict.findings[0].text).toContain('`w` → `page` → `k` → `old` → s.name');
  expect(describeVerdict(verdict)).toContain('  by way of: w, k, o, s');
});

it('names the steps through which data come, and no loop and no call beside them', () => {
  const steps = [
    mail,
    call('n', 'loadNote', {}, 'note'),
    assign('c', 'copied', text('Copy: ', ref('mail'))),
    each('e', ref('notes'), 'one', [call('k', 'saveNote', { x: ref('one') })]),
    when('i', 'note == "a"', [call('s', 'send', { body: ref('copied') })]),
  ];
  const [found] = findingsOf(assign('l', 'notes', listOf(text('a'), text('b'))), ...steps);
  expect(found.path).toEqual([
    { step: 'm' },
    { step: 'n' },
    { step: 'c' },
    { step: 'i', branch: 'then' },
    { step: 's' },
  ]);
});

it('names no branch of what is over, unless it alone leads on, and no round', () => {
  const note = call('n', 'loadNote', {}, 'note');
  const both = when('i', 'note == "a"', [], [], { word: [ref('mail'), 'no'] });
  const rounds = each('e', listOf(ref('word'), 'b'), 'one', [], { collect: { all: text(ref('one')) } });
  const [found] = findingsOf(mail, note, both, rounds, call('s', 'send', { body: text(ref('all', 0)) }));
  expect(found.path).toEqual(['m', 'n', 'i', 'e', 's'].map((step) => ({ step })));
  const [after] = findingsOf(
    mail,
    when('i', 'mail == "a"', [], [give('x', 'no')]),
    call('s', 'send', { body: 'yes' }),
  );
  expect(after.path).toEqual([{ step: 'm' }, { step: 'i', branch: 'then' }, { step: 's' }]);
});

const describeStep = ({ step, branch, round }: PathStep) =>
  `${step}${branch === undefined ? '' : ` (${branch})`}${round === undefined ? '' : ` (round ${round})`}`;

describe('the path of a finding about data that pass through a store', () => {
  const key = call('k', 'loadNote', {}, 'key');
  const write = call('w', 'saveNote', { x: ref('mail') });
  const use = [call('o', 'readNote', {}, 'old'), call('s', 'send', { body: ref('old') })];
  const pathOf = (...steps: Step[]) => {
    const [found] = findingsOf(...steps);
    return { certainty: found.certainty, path: found.path.map(describeStep) };
  };

  it('has the branch that the run took, and the call that wrote in it', () => {
    for (const [then, otherwise, branch] of [
      [[write], [], 'then'],
      [[], [write], 'else'],
      [[write], [call('v', 'saveNote', { x: 'nothing' })], 'then'],
    ] as const)
      expect(pathOf(mail, key, when('i', 'key == "x"', [...then], [...otherwise]), ...use)).toEqual({
        certainty: 'refuted',
        path: ['m', `i (${branch})`, 'w', 'o', 's'],
      });
  });

  it('has the loop in which it is written, and the round of a loop that is still open alone', () => {
    const list = listOf('a', 'b');
    expect(pathOf(mail, each('e', list, 'one', [write]), ...use).path).toEqual(['m', 'e', 'w', 'o', 's']);
    const inside = each('e', list, 'one', [when('i', 'one == "b"', [...use]), write]);
    expect(pathOf(mail, inside).path).toEqual(['m', 'e (round 1)', 'i (then)', 'o', 'w', 's']);
  });

  it('has the call that wrote where no run is found, too', () => {
    // A text of which no example has the property: nothing is executed.
    const hard = 'key.matches("(ab|cd)+x") && key.size() > 9 && !key.startsWith("ab") && key.endsWith("cdx")';
    const found = pathOf(mail, key, when('i', hard, [write], [call('v', 'loadNote')]), ...use);
    expect(found.path).toEqual(['m', 'i (then)', 'w', 'o', 's']);
  });

  it('has the call that wrote what decides the call', () => {
    const written = when('i', 'key == "x"', [write]);
    const asked = when('j', 'old == "yes"', [call('s', 'send', { body: 'yes' })]);
    expect(pathOf(mail, key, written, call('o', 'readNote', {}, 'old'), asked)).toEqual({
      certainty: 'refuted',
      path: ['m', 'k', 'i (then)', 'w', 'o', 'j (then)', 's'],
    });
  });
});

it('finds a run where a branch or a requirement asks for a longer list', () => {
  const mails = call('f', 'mails', {}, 'all');
  const send = (body: Value) => call('s', 'send', { body });
  for (const steps of [
    [mails, when('i', 'size(all) > 3', [send(ref('all', 0, 'body'))])],
    [mails, need('r', 'size(all) > 2'), send(ref('all', 2, 'body'))],
    [mails, when('i', 'all.size() == 6 && all.all(m, m.body != "")', [send(text(ref('all', 5, 'body')))])],
  ])
    expect(findingsOf(...steps).map(({ certainty }) => certainty)).not.toContain('unproved');
});

it('prints what tools ensure without a name', () => {
  const verdict = verdictOf(call('t', 'total'), call('n', 'named'));
  expect(verdict.assumes.filter(({ kind }) => kind === 'ensures').map(({ text }) => text)).toEqual([
    'result >= 0 (of total)',
    'positive',
  ]);
});
