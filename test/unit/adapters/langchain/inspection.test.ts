import { describe, expect, it } from 'vitest';
import { readAnswer } from '../../../../bindings/runtime/adapters/langchain/inspection.js';

describe('what an agent of LangChain is resumed with', () => {
  it('is an answer as it stands', () => {
    const answer = { approved: true, by: 'Ada' };
    expect(readAnswer(answer)).toBe(answer);
  });

  it("is a response of LangChain's own human in the loop, to the one call that was asked about", () => {
    expect(readAnswer({ decisions: [{ type: 'approve' }] })).toEqual({ approved: true });
    expect(readAnswer({ decisions: [{ type: 'reject', message: 'not now' }] })).toEqual({
      approved: false,
      comment: 'not now',
    });
  });

  it.each([
    null,
    undefined,
    true,
    'approve',
    {},
    { approved: 'true' },
    { decisions: [] },
    { decisions: 'approve' },
    { decisions: [{ type: 'approve' }, { type: 'approve' }] },
    { decisions: [{ type: 'edit', editedAction: { name: 'send', args: {} } }] },
    { decisions: [null] },
  ])('counts as no where it is %j', (resumed) => {
    expect(readAnswer(resumed).approved).toBe(false);
  });

  it('is no yes with the id of another question, nor without one where it needs one', () => {
    for (const yes of [{ approved: true }, { decisions: [{ type: 'approve' }] }]) {
      expect(readAnswer({ ...yes, id: 'a' }, ['b', 'a'], { needsId: true }).approved).toBe(true);
      expect(readAnswer({ ...yes, id: null }, ['a']).approved).toBe(true);
      expect(readAnswer(yes, ['a'], { needsId: true }).approved).toBe(false);
      for (const id of ['b', '', 0, ['a'], {}])
        expect(readAnswer({ ...yes, id }, ['a']).approved).toBe(false);
    }
    const no = { approved: false, comment: 'not now' };
    expect(readAnswer(no, ['a'], { needsId: true })).toBe(no);
  });
});
