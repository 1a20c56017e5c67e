import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../../../bindings/base/errors.js';
import { bindAgentSpec, parseAgentSpec } from '../../../../bindings/runtime/agentspec/index.js';
import {
  type BeginRecord,
  type DecisionRecord,
  type OutcomeRecord,
  type ReplayAuditOptions,
  type RunRecord,
  readAudit,
  replayAudit,
  type SessionOptions,
} from '../../../../bindings/runtime/enforcement/index.js';
import { guardThat, RISKY, SAFE, setting } from '../setting.js';
import { auditOf, chunksOf } from './records.js';

/** What a session records that is asked for three moves, of which the second is risky. */
async function recorded(options: Partial<SessionOptions> = {}): Promise<RunRecord[]> {
  let moves = 0;
  const state = () => (moves++ === 1 ? RISKY : SAFE);
  const { session, records, propose } = setting({
    guard: guardThat(blocks),
    state,
    onFault: 'block',
    ...options,
  });
  for (const tool of ['move', 'move', 'unknown', 'move']) await propose(tool).catch(() => undefined);
  await session.end();
  return records;
}

const blocks = { strategy: { kind: 'block' } } as const;
const { file } = guardThat(blocks);
const replay = async (records: readonly RunRecord[], options: ReplayAuditOptions = {}, guardFile = file) =>
  replayAudit(readAudit(chunksOf(await auditOf(records), 1 << 16)), guardFile, options);

/** The records with one decision changed. */
const changed = (
  records: readonly RunRecord[],
  number: number,
  change: Partial<DecisionRecord>,
): RunRecord[] =>
  records.map((record) =>
    record.kind === 'decision' && record.number === number ? { ...record, ...change } : record,
  );

const rules = [
  bindAgentSpec(parseAgentSpec('rule @halt trigger move check risky enforce stop end').rules, {
    predicates: { risky: 'a' },
  }),
];

describe('replaying an audit file', () => {
  it('knows calls that came after the end of their run, and that nothing may have permitted them', async () => {
    for (const shadow of [false, true]) {
      const { session, records, propose } = setting({ guard: guardThat(blocks), shadow });
      await propose('move');
      await session.end();
      await propose('move');
      const late = records.findLastIndex(({ kind }) => kind === 'decision');
      expect(records[late - 1].kind).toBe('end');
      expect(await replay(records)).toMatchObject({ decisions: 1, faults: 1, difference: null });
      for (const forged of [{ decision: 'allow' }, { reason: 'below-threshold' }, { risk: 0.1 }] as const) {
        const [field] = Object.keys(forged);
        const found = await replay(records.with(late, { ...records[late], ...forged } as RunRecord));
        expect(found.difference).toMatchObject({ number: 1, field });
      }
    }
  });

  it('compares what the guard decided, and counts what faults did', async () => {
    expect(await replay(await recorded())).toEqual({
      runs: 1,
      otherRuns: 0,
      decisions: 3,
      faults: 1,
      reactive: 0,
      drift: 0,
      missing: 0,
      difference: null,
    });
  });

  it('finds records that no session can have written where they stand', async () => {
    const records = await recorded();
    const at = (kind: RunRecord['kind'], number?: number): number =>
      records.findIndex(
        (one) => one.kind === kind && (number === undefined || (one as DecisionRecord).number === number),
      );
    const run = 'run';
    const blocked = at('decision', 1);
    const came = at('outcome', 0);
    const outcome = (number: number, name: OutcomeRecord['outcome']): OutcomeRecord => ({
      kind: 'outcome',
      run,
      time: 0,
      number,
      outcome: name,
    });
    const forged: readonly (readonly [string, RunRecord[], object])[] = [
      [
        'a withheld call ran',
        records.toSpliced(blocked + 1, 0, outcome(1, 'ran')),
        { number: 1, field: 'outcome', recorded: 'ran' },
      ],
      ['after the end', [...records, outcome(1, 'ran')], { number: 1, field: 'outcome' }],
      [
        'nobody was asked',
        records.toSpliced(blocked + 1, 0, outcome(1, 'approved')),
        { number: 1, field: 'outcome' },
      ],
      ['it came twice', records.toSpliced(came, 0, records[came]), { number: 0, field: 'outcome' }],
      [
        'it was never decided',
        [...records.slice(0, -1), outcome(9, 'failed')],
        { number: 9, field: 'outcome' },
      ],
      ['another ran', changed(records, 0, { instead: { name: 'other' } }), { number: 0, field: 'instead' }],
      ['one number for two', changed(records, 1, { number: 0 }), { number: 0, field: 'number', replayed: 1 }],
      [
        'fewer decisions',
        records.with(-1, { kind: 'end', run, time: 0, decisions: 2 }),
        { number: -1, field: 'decisions' },
      ],
    ];
    for (const [what, others, difference] of forged)
      expect((await replay(others)).difference, what).toMatchObject(difference);
    for (const options of [{ onFault: 'allow' }, { shadow: 'no' }, { maxReflections: null }]) {
      const begin = {
        ...records[0],
        options: { ...(records[0] as BeginRecord).options, ...options },
      } as never;
      const [field] = Object.keys(options);
      const found = await replay([
        begin,
        ...changed(records, 2, { decision: 'allow', wouldDecide: 'allow' }).slice(1),
      ]);
      expect(found.difference).toMatchObject({ line: 2, number: -1, field: `options.${field}` });
    }
  });

  it('knows that nothing is decided after a stop but that the run is over', async () => {
    const stops = guardThat({ strategy: { kind: 'stop' } });
    const records = await recorded({ guard: stops });
    expect(await replay(records, {}, stops.file)).toMatchObject({ faults: 2, difference: null });
    const first = records.find(({ kind }) => kind === 'decision') as DecisionRecord;
    const forged = records.map((one) =>
      one.kind === 'decision' && one.number === 3 ? { ...first, number: 3 } : one,
    );
    expect((await replay(forged, {}, stops.file)).difference).toMatchObject({
      number: 3,
      field: 'reason',
      recorded: first.reason,
      replayed: 'run-over',
    });
  });

  it('counts decisions that the log lacks', async () => {
    const records = await recorded();
    const without = records.filter((one) => !('number' in one) || one.number !== 2);
    expect(await replay(without)).toMatchObject({ missing: 1, difference: null });
    const more = records.with(-1, { kind: 'end', run: 'run', time: 0, decisions: 6 });
    expect(await replay(more)).toMatchObject({ missing: 2, difference: null });
  });

  it('takes for reactive rules that are not given nothing milder than what the guard decided', async () => {
    const records = await recorded({ rules });
    const forged = changed(records, 1, { decision: 'allow', reason: 'reactive-rule', rule: 'halt' });
    expect((await replay(forged)).difference).toMatchObject({
      number: 1,
      field: 'decision',
      recorded: 'allow',
    });
  });

  it('names the first decision that comes out another way', async () => {
    const records = await recorded();
    const change = { decision: 'allow', wouldDecide: 'allow' } as const;
    const { difference, decisions } = await replay(changed(records, 1, change));
    expect(difference).toEqual({
      line: 2 + records.findIndex((record) => record.kind === 'decision' && record.number === 1),
      run: 'run',
      number: 1,
      field: 'wouldDecide',
      recorded: 'allow',
      replayed: 'block',
    });
    expect(decisions).toBe(2);
    for (const [number, field, value] of [
      [0, 'risk', 0.1],
      [0, 'state', 1],
      [1, 'rule', 'other'],
      [1, 'reason', 'violated'],
      [1, 'action', 'brake'],
      [1, 'decision', 'allow'],
      [2, 'wouldDecide', 'allow'],
      [2, 'reason', 'below-threshold'],
    ] as const) {
      const forged = await replay(
        changed(records, number, { [field]: value === 0.1 ? 0.1 + 1e-17 + 2e-17 : value }),
      );
      expect(forged.difference, `${number} ${field}`).toMatchObject(
        field === 'risk' ? { number, field, replayed: 0.1 } : { number, field },
      );
    }
  });

  it('finds a valuation that was changed by what follows from it', async () => {
    const records = await recorded();
    const { observed } = records.find((record) => record.kind === 'decision') as DecisionRecord;
    const forged = changed(records, 0, { observed: { ...observed!, valuation: [1] } });
    expect((await replay(forged)).difference).toMatchObject({
      number: 0,
      field: 'state',
      recorded: 0,
      replayed: 1,
    });
  });

  it('passes over runs under other guard files', async () => {
    const other = guardThat({ ...blocks, threshold: 0.7 });
    const records = [...(await recorded({ id: 'other', guard: other })), ...(await recorded())];
    expect(await replay(records)).toMatchObject({ runs: 1, otherRuns: 1, decisions: 3, difference: null });
    expect(await replay(records, {}, other.file)).toMatchObject({ runs: 1, otherRuns: 1, difference: null });
  });

  it('decides again by reactive rules where they are given', async () => {
    const records = await recorded({ rules });
    expect(await replay(records)).toMatchObject({ reactive: 1, difference: null });
    const { decisions, difference, reactive } = await replay(records, { rules });
    expect([decisions, reactive, difference]).toEqual([2, 0, null]);
    const said = { action: 'move', values: { risky: false } } as never;
    const forged = changed(records, 1, { beside: [{ observed: said }] });
    expect((await replay(forged, { rules })).difference).toMatchObject({ number: 1, recorded: 'stop' });
  });

  it('knows shadow mode', async () => {
    expect(await replay(await recorded({ shadow: true }))).toMatchObject({ decisions: 3, difference: null });
  });

  it('refuses records of a run that does not begin', async () => {
    const records = await recorded();
    await expect(replay(records.slice(1))).rejects.toThrow(InvalidArgumentError);
  });

  it('takes a run that begins once more from its beginning', async () => {
    const records = await recorded();
    expect(await replay([...records.slice(0, 4), ...records])).toMatchObject({ runs: 2, difference: null });
  });
});
