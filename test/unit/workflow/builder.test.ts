import { describe, expect, it } from 'vitest';
import { checkPlan, planJson, type Ref, workflow } from '../../../bindings/proofs/workflow/index.js';
import { RANDOM_TOOLS } from './randomPlans.js';

describe('a plan in TypeScript', () => {
  it('has a step for each call', () => {
    const plan = workflow(
      'Sum up my inbox',
      ({ inputs, call, ask, forEach, fold, when, require, ret, text, expr }) => {
        const mails = call('fetchMails', { folder: 'inbox' });
        const lines = forEach(
          mails,
          (mail) => text`${mail.from}: ${ask('One line', [mail.subject], { type: 'string' })}`,
          { item: 'mail' },
        );
        const total = fold(mails, 0, (so, mail) => expr`${so} + ${mail.size}`, { id: 'sum' });
        require(expr`${total} < ${1000}`, 'too large');
        const word = when(
          expr`size(${lines}) > 0`,
          () => 'some',
          () => 'none',
        );
        when(expr`${mails[0].isRead}`, () =>
          call('sendMail', { to: inputs.me, body: lines[0], urgent: true }, { note: 'once' }),
        );
        ret({ word, lines: [lines, total] });
      },
      { inputs: { me: { kind: 'text' } } },
    );
    expect(checkPlan(plan, RANDOM_TOOLS).problems).toEqual([]);
    expect(planJson(plan)).toEqual({
      version: 1,
      goal: 'Sum up my inbox',
      inputs: { me: { type: 'string' } },
      steps: [
        { id: 'fetchMails', call: 'fetchMails', with: { folder: 'inbox' }, as: 'fetchMails' },
        {
          id: 'each_mail',
          forEach: { ref: 'fetchMails' },
          item: 'mail',
          do: [
            {
              id: 'answer',
              ask: {
                question: 'One line',
                about: [{ ref: 'mail', path: ['subject'] }],
                schema: { type: 'string' },
              },
              as: 'answer',
            },
          ],
          collect: { collected: { text: [{ ref: 'mail', path: ['from'] }, ': ', { ref: 'answer' }] } },
        },
        {
          id: 'sum',
          fold: { ref: 'fetchMails' },
          item: 'item',
          from: 0,
          accumulator: 'totalSo',
          do: [],
          next: { expr: 'totalSo + item.size' },
          as: 'total',
        },
        { id: 'require', require: 'total < 1000', else: 'too large' },
        { id: 'if', if: 'size(collected) > 0', then: [], yields: { chosen: ['some', 'none'] } },
        {
          id: 'if_2',
          if: 'fetchMails[0].isRead',
          then: [
            {
              id: 'sendMail',
              note: 'once',
              call: 'sendMail',
              with: { to: { ref: 'me' }, body: { ref: 'collected', path: [0] }, urgent: true },
            },
          ],
        },
        {
          id: 'return',
          return: {
            record: { word: { ref: 'chosen' }, lines: { list: [{ ref: 'collected' }, { ref: 'total' }] } },
          },
        },
      ],
    });
  });

  it('refuses values where they are not known', () => {
    let kept: Ref | undefined;
    const leak = () =>
      workflow('g', ({ call, forEach, ret }) => {
        forEach(call('fetchMails', { folder: 'a' }), (mail) => {
          kept = mail;
        });
        ret(kept!.from);
      });
    expect(leak).toThrow('item of a loop or a branch is used outside of it');
    expect(() => workflow('g', ({ call, ret }) => ret(call('latest', {}, { onError: 'skip' })))).toThrow(
      'the result of latest, which may fail',
    );
    expect(() => workflow('g', ({ call, ret }) => ret(`${call('latest')}`))).toThrow(
      'expected text`…` or expr`…`',
    );
    expect(() => workflow('g', ({ ret }) => ret((() => 1) as never))).toThrow('a function');
    expect(() => workflow('g', (async () => undefined) as never)).toThrow('is async');
    expect(() =>
      workflow(
        'g',
        ({ when }) =>
          void when(
            'true',
            () => 1,
            () => undefined,
          ),
      ),
    ).toThrow('expected both or neither');
    let late: (() => void) | undefined;
    workflow('g', ({ call }) => {
      late = () => call('latest');
    });
    expect(late).toThrow('after the plan was built');
  });
});
