import { describe, expect, it } from 'vitest';
import { readContracts } from '../../../bindings/proofs/contract/index.js';
import { type Goal, readGoal, verifyPlan } from '../../../bindings/proofs/planProof/index.js';
import type { Plan } from '../../../bindings/proofs/workflow/index.js';
import { call, each, expr, give, listOf, plan, ref, when } from './plans.js';

const contracts = readContracts(`
version: 1
stores: { files: { key: text } }
tools:
  list: { result: { type: list, of: { format: glob }, integrity: trusted, readers: everyone } }
  flag: { result: { type: boolean, integrity: trusted, readers: everyone } }
  deleteFile: { arguments: { pattern: { format: glob } }, effects: { removes: { files: 'glob(key, pattern)' } } }
  deleteOne: { arguments: { name: text }, effects: { removes: { files: 'key == name' } } }
  save: { arguments: { name: text, content: text }, effects: { writes: { files: 'key == name' } } }
`);

const two: Goal = { removed: { files: ['foo.txt', 'bar.txt'] }, unchanged: 'rest' };

const found = (given: Plan, goal: Goal | null = two) => {
  const verdict = verifyPlan(given, contracts, { goal });
  return verdict.verdict === 'proved'
    ? []
    : verdict.findings.map(({ kind, step, rule }) => [kind, step, rule].join(' '));
};

const flag = call('f', 'flag', {}, 'ok');
const remove = (id: string, pattern: string) => call(id, 'deleteFile', { pattern });

describe('goals', () => {
  it('refute *.txt for two files, with a file that is to stay', () => {
    const verdict = verifyPlan(plan(remove('del', '*.txt')), contracts, { goal: two });
    expect(verdict.verdict).toBe('refuted');
    expect(verdict).toMatchObject({
      findings: [{ kind: 'goal', step: 'del', text: expect.stringContaining('"other.txt" of `files`') }],
    });
  });

  it('prove what removes these and no others', () => {
    expect(found(plan(remove('a', 'foo.txt'), remove('b', 'bar.txt')))).toEqual([]);
    expect(
      found(plan(each('e', listOf('foo.txt', 'bar.txt'), 'x', [call('d', 'deleteOne', { name: ref('x') })]))),
    ).toEqual([]);
    expect(found(plan(remove('a', 'foo.txt')))).toEqual(['goal  removed']);
    expect(
      found(plan(remove('a', 'foo.txt'), call('b', 'deleteFile', { pattern: 'bar.txt' }, undefined, 'skip'))),
    ).toEqual(['goal  removed']);
  });

  it('follow branches, returns and what is written again', () => {
    const both = [remove('a', 'foo.txt'), remove('b', 'bar.txt')];
    expect(
      found(
        plan(
          flag,
          when('i', 'ok', [remove('a', 'foo.txt')], [remove('c', 'foo.txt')]),
          remove('b', 'bar.txt'),
        ),
      ),
    ).toEqual([]);
    expect(found(plan(flag, when('i', 'ok', [remove('a', 'foo.txt')]), remove('b', 'bar.txt')))).toEqual([
      'goal  removed',
    ]);
    expect(found(plan(flag, when('i', 'ok', [give('g', 1)]), ...both))).toEqual(['goal  removed']);
    expect(found(plan(...both, call('s', 'save', { name: 'foo.txt', content: '' })))).toEqual([
      'goal  removed',
      'goal s unchanged',
    ]);
    expect(
      found(
        plan(
          call('l', 'list', {}, 'names'),
          ...both,
          each('e', ref('names'), 'n', [
            flag,
            when('i', 'ok', [give('g', 1)]),
            call('s', 'save', { name: ref('n'), content: '' }),
          ]),
        ),
      ),
    ).toEqual(['goal  removed', 'goal s unchanged']);
  });

  it('do not know keys that data give', () => {
    const given = plan(call('l', 'list', {}, 'names'), call('d', 'deleteOne', { name: expr('names[0]') }));
    expect(found(given)).toEqual(['goal  removed', 'goal d unchanged']);
    expect(found(given, null)).toEqual([]);
  });

  it('are read, or refused with what is wrong', () => {
    expect(readGoal({ removed: { files: ['a'] }, unchanged: 'rest' }, contracts)).toEqual({
      removed: { files: ['a'] },
      unchanged: 'rest',
    });
    expect(readGoal({ removed: { files: { glob: '*.txt' } } }, contracts)).toEqual({
      removed: { files: { glob: '*.txt' } },
    });
    expect(() => readGoal({ removed: { file: ['a'] } }, contracts)).toThrow('`file`');
    expect(() => readGoal({ removes: {} }, contracts)).toThrow('`removes`');
    expect(() => readGoal({ removed: { files: 'a' } }, contracts)).toThrow('removed.files');
  });
});

describe('removals of everything', () => {
  it.each(['*', '**', '?*', '*?', '/**', '**/*'])('are refused: %s', (pattern) => {
    expect(found(plan(remove('d', pattern)), null)).toEqual(['effects d files']);
  });

  it('are allowed by a goal that says so, and others always', () => {
    expect(found(plan(remove('d', '*')), { removed: { files: { glob: '*' } } })).toEqual([]);
    expect(found(plan(remove('d', '*.txt')), null)).toEqual([]);
    expect(
      found(
        plan(call('l', 'list', {}, 'names'), call('d', 'deleteFile', { pattern: expr('names[0]') })),
        null,
      ),
    ).toEqual(['effects d files']);
  });
});
