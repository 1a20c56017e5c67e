import { describe, expect, it } from 'vitest';
import { readContracts } from '../../../bindings/proofs/contract/index.js';
import { type ResultEntry, runPlan } from '../../../bindings/proofs/execution/index.js';
import { verifyPlan } from '../../../bindings/proofs/planProof/index.js';
import { ask, call, plan, ref } from '../planProof/plans.js';

const contracts = readContracts(`
version: 1
tools:
  rate: { result: { type: number, maximum: 100, integrity: trusted, readers: everyone } }
  note: { arguments: { x: any } }
`);
const steps = plan(
  call('a', 'rate', {}, 'x'),
  ask('q', [ref('x')], { kind: 'text', values: ['high', 'low'] }, 'y'),
  call('s', 'note', { x: ref('y') }),
);

/** Goes on with a run of which this was kept; what the last call got. */
async function goOn(entries: unknown) {
  const verdict = verifyPlan(steps, contracts);
  if (verdict.verdict !== 'proved') throw new Error(JSON.stringify(verdict.findings));
  const noted: unknown[] = [];
  const run = await runPlan(verdict.verified, {
    tools: { rate: () => 7, note: ({ x }) => void noted.push(x) },
    ask: () => 'low',
    results: { read: async () => entries as ResultEntry[], add: async () => true },
  });
  return { because: 'because' in run ? run.because : null, noted };
}

const result = (step: string, value: unknown) => ({ step, rounds: [], kind: 'result', value });

describe('results that were kept', () => {
  it('are used if they have their types', async () => {
    expect(await goOn([result('a', 5), result('q', 'high')])).toEqual({ because: null, noted: ['high'] });
    expect(await goOn([result('a', 500)])).toEqual({ because: 'contract-broken', noted: [] });
    expect(await goOn([result('a', 5), result('q', { to: 'eve' })])).toEqual({
      because: 'failed',
      noted: [],
    });
  });

  it.each([
    ['null', [null]],
    ['no list', 'results'],
    ['a failure without a reason', [{ step: 'a', rounds: [], kind: 'failed' }]],
    ['a result without a value', [{ step: 'a', rounds: [], kind: 'result' }]],
    ['a round that is no number', [{ step: 'a', rounds: ['0'], kind: 'started' }]],
    ['a function', [result('a', () => 5)]],
  ])('are refused if they are damaged: %s', async (_, entries) => {
    await expect(goOn(entries)).rejects.toThrow('are damaged');
  });

  it('are read once', async () => {
    let reads = 0;
    const entry = {
      step: 'q',
      rounds: [],
      kind: 'result',
      get value() {
        return reads++ === 0 ? 'high' : 'eve';
      },
    };
    expect(await goOn([entry])).toEqual({ because: null, noted: ['high'] });
  });
});
