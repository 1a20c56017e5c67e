import { describe, expect, it } from 'vitest';
import { carryOut, toldAgent, WithheldError } from '../../../bindings/runtime/enforcement/index.js';
import { verdict } from '../adapters/verdicts.js';

const call = verdict().call;
const replaced = verdict({
  decision: 'replace',
  message: 'brake ran instead',
  run: { ...call, name: 'brake' },
});
const withheld = verdict({ decision: 'block', message: 'no', run: null });
const over = verdict({ decision: 'stop', reason: 'run-over', message: 'over', run: null, ends: true });

/** A session that has decided, and keeps what it is told. */
function decided(stopped: typeof over | null = null) {
  const told: unknown[] = [];
  return {
    told,
    stopped,
    check: async () => over,
    decide: async () => over,
    answer: async () => over,
    ran: async (...what: unknown[]) => void told.push(what),
    withdraw: async () => undefined,
  };
}

describe('carrying out a verdict', () => {
  it('runs what is to run and tells the session before the result is known to others', async () => {
    const session = decided();
    const carried = await carryOut(session, replaced, ({ name }) => `${name} ran`);
    expect(carried).toEqual({ verdict: replaced, ran: true, result: 'brake ran' });
    expect(session.told).toEqual([[replaced, { result: 'brake ran' }]]);
  });

  it('runs nothing where nothing is to run', async () => {
    const session = decided();
    const carried = await carryOut(session, withheld, () => {
      throw new Error('it ran');
    });
    expect(carried).toEqual({ verdict: withheld, ran: false });
    expect(session.told).toEqual([]);
  });

  it('tells the session of a failure, which goes on to the caller', async () => {
    const session = decided();
    const error = new Error('stuck');
    await expect(carryOut(session, verdict(), () => Promise.reject(error))).rejects.toBe(error);
    expect(session.told).toEqual([[verdict(), { error }]]);
  });

  it('asks again where the run was stopped since', async () => {
    expect(await carryOut(decided(over), verdict(), () => 'it ran')).toEqual({ verdict: over, ran: false });
  });
});

describe('what the agent is told', () => {
  it('is nothing beside the result of its own call', () => {
    expect(toldAgent({ verdict: verdict(), ran: true, result: 1 })).toBeNull();
  });

  it('is the message, and of a replacement its result', () => {
    expect(toldAgent({ verdict: withheld, ran: false })).toBe('no');
    expect(toldAgent({ verdict: replaced, ran: true, result: 'slow' })).toBe('brake ran instead\nslow');
    expect(toldAgent({ verdict: replaced, ran: true, result: { at: 3 } })).toBe(
      'brake ran instead\n{"at":3}',
    );
  });

  it('says so where a result is none or no JSON', () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    expect(toldAgent({ verdict: replaced, ran: true, result: undefined })).toMatch(/\nno result$/);
    expect(toldAgent({ verdict: replaced, ran: true, result: cyclic })).toMatch(
      /\na result that is not JSON$/,
    );
  });

  it('is the whole of a thrown refusal in text', () => {
    expect(`${new WithheldError(withheld)}`).toBe('no');
    expect(new WithheldError(replaced, 'slow').replacementResult).toBe('slow');
  });
});
