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

async function run(entries: unknown, added: ResultEntry[] = [], given = steps) {
  const verdict = verifyPlan(given, contracts);
  if (verdict.verdict !== 'proved') throw new Error(JSON.stringify(verdict.findings));
  const noted: unknown[] = [];
  const ended = await runPlan(verdict.verified, {
    tools: { rate: () => 7, note: ({ x }) => void noted.push(x) },
    ask: () => 'low',
    results: {
      read: async () => entries as ResultEntry[],
      add: async (_, __, entry) => added.push(entry) > 0,
    },
  });
  return { because: 'because' in ended ? ended.because : null, noted };
}

/** Goes on with a run of which this was kept beside its beginning; what the last call got. */
async function goOn(entries: unknown) {
  const [begin] = await begun();
  return run(Array.isArray(entries) ? [begin, ...entries] : entries);
}

/** What is kept of a whole run. */
async function begun(): Promise<ResultEntry[]> {
  const added: ResultEntry[] = [];
  await run([], added);
  return added;
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

  it('say first of which plan they are, and are of no use to another', async () => {
    const added = await begun();
    expect(added[0]).toEqual({ kind: 'begin', plan: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(await run(added.slice(0, 3))).toEqual({ because: null, noted: ['low'] });
    const other = plan(...steps.steps.slice(0, 2), call('s', 'note', { x: ref('x') }));
    await expect(run(added.slice(0, 3), [], other)).rejects.toThrow('was begun with another plan');
    await expect(run([result('a', 5)])).rejects.toThrow('does not say of which plan they are');
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
