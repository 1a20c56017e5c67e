import { beforeAll, describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { learn, learnMdp } from '../../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import { compileGuard } from '../../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import {
  createSession,
  type DecisionRecord,
  type RunRecord,
  type Session,
  type SessionOptions,
} from '../../../bindings/runtime/enforcement/index.js';
import { createGuard, type GuardFile, type RecordedStep } from '../../../bindings/runtime/guard/index.js';
import { differenceOf, expectReplayed } from './replayed.js';

type World = { x: boolean; y: boolean };
const TOOLS = ['a', 'b', 'look'];

/** `a` and `b` are harmless alone, and break the rule together. Large calls of `a` are told apart, and do the same. */
async function pairFile(shield: string): Promise<GuardFile> {
  const specification = parseSpecification(`version: 1
predicates: { x: x, y: y, bad: 'x && y' }
actions: { a: { large: 'amount > 10' } }
rules: { apart: { formula: 'G !bad', threshold: 0.1, strategy: block } }
shield: ${shield}
learning: { model: mdp, smoothing: 0 }`);
  const step = (x: boolean, y: boolean, name?: string, amount = 1) => ({
    state: { x, y },
    ...(name && { action: { name, arguments: name === 'a' ? { amount } : {} } }),
  });
  const together = [1, 99].flatMap((amount) => [
    [step(false, false, 'a', amount), step(true, false, 'b'), step(true, true)],
    [step(false, false, 'b'), step(false, true, 'a', amount), step(true, true)],
  ]);
  const apart = [1, 99].flatMap((amount) => [
    [step(false, false, 'a', amount), step(true, false, 'look'), step(true, false)],
    [step(false, false, 'b'), step(false, true, 'look'), step(false, true)],
    [step(false, false, 'a', amount), step(true, false, 'a', amount), step(true, false)],
    [step(false, false, 'b'), step(false, true, 'b'), step(false, true)],
    [step(false, false, 'look'), step(false, false)],
  ]);
  // The agent hardly ever does both.
  const traces = [...together, ...Array.from({ length: 30 }, () => apart).flat()];
  const { model } = await learnMdp(
    new Abstraction(specification.abstraction),
    traces.map((steps, id) => ({ id: String(id), steps })),
    specification.learning,
  );
  return compileGuard(specification, model);
}

/** A run whose process may be cut off: each session after the first resumes from what was recorded. */
class Cuttable {
  readonly world: World = { x: false, y: false };
  readonly records: RunRecord[] = [];
  session: Session;
  readonly #options: () => SessionOptions;
  #calls = 0;

  constructor(file: GuardFile, options: Partial<SessionOptions> = {}) {
    this.#options = () => ({
      guard: createGuard(file),
      tools: TOOLS,
      id: 'run',
      state: () => ({ ...this.world }),
      log: { append: (record) => void this.records.push(structuredClone(record)) },
      ...options,
    });
    this.session = createSession(this.#options());
  }

  cut(records: readonly RunRecord[] = this.records): void {
    this.session = createSession({ ...this.#options(), resume: structuredClone(records) as RunRecord[] });
  }

  decide(name: string, args: Record<string, unknown> = name === 'a' ? { amount: 1 } : {}) {
    return this.session.decide({ id: `${this.#calls++}`, name, arguments: args });
  }

  /** What becomes of a call, in a word; one that is let through is left running. */
  async try(name: string, args?: Record<string, unknown>): Promise<string> {
    const { decision, reason } = await this.decide(name, args);
    return `${decision}: ${reason}`;
  }

  /** A call that is let through and comes back. */
  async run(name: string): Promise<void> {
    const verdict = await this.decide(name);
    expect(verdict.decision).toBe('allow');
    if (name === 'a') this.world.x = true;
    if (name === 'b') this.world.y = true;
    await this.session.ran(verdict, { result: null });
  }

  /** The actions beside which the last call was judged. */
  get beside(): readonly unknown[] {
    return this.records.findLast((record) => record.kind === 'decision')?.observed?.pending ?? [];
  }

  get resumptions(): RunRecord[] {
    return this.records.filter(({ kind }) => kind === 'resume');
  }
}

describe.each(['budget', 'predict', 'least'])('a call cut off under shield: %s', (shield) => {
  let file: GuardFile;
  beforeAll(async () => {
    file = await pairFile(shield);
  });
  const refusal = shield === 'budget' ? 'block: over-budget' : 'block: at-threshold';

  it('keeps others away after the restart as it does before', async () => {
    const live = new Cuttable(file);
    expect(await live.try('a')).toBe('allow: below-threshold');
    expect(await live.try('b')).toBe(refusal);

    const cut = new Cuttable(file);
    await cut.try('a');
    cut.cut();
    expect(await cut.try('b')).toBe(refusal);
    expect(cut.beside).toEqual(['a[!large]']);
    expect(await cut.try('look')).toBe('allow: below-threshold');
    await expectReplayed(cut.records, file);
  });

  it('counts through later steps and later restarts, each time it was cut off', async () => {
    const run = new Cuttable(file);
    await run.try('a');
    run.cut();
    await run.run('look');
    await run.run('a');
    expect(await run.try('b')).toBe(refusal);
    await run.try('a', { amount: 50 });
    run.cut();
    run.cut();
    expect(await run.try('b')).toBe(refusal);
    expect(run.beside).toEqual(['a[!large]', 'a[large]']);
    expect(run.resumptions).toMatchObject([{ unsettled: [0] }, { unsettled: [0, 4] }]);
    await expectReplayed(run.records, file);
  });

  it('is looked for by a replay, in the record of the restart and in what was decided after it', async () => {
    const run = new Cuttable(file);
    await run.try('a');
    await run.run('look');
    run.cut();
    await run.try('look');
    const { records } = run;
    expect(await differenceOf(records, file)).toBeNull();
    const at = records.findIndex(({ kind }) => kind === 'resume');
    for (const unsettled of [[], [0, 1], [1]])
      expect(await differenceOf(records.with(at, { ...records[at], unsettled } as RunRecord), file)).toEqual({
        ...{ line: at + 1, run: 'run', number: -1 },
        ...{ field: 'unsettled', recorded: unsettled, replayed: [0] },
      });
    const last = records.at(-1) as DecisionRecord;
    const observed = { ...last.observed, pending: [] } as unknown as RecordedStep;
    expect(await differenceOf(records.with(-1, { ...last, observed }), file)).toMatchObject({
      ...{ line: records.length, number: 2, field: 'pending', recorded: [], replayed: ['a[!large]'] },
    });
  });

  it('is judged by what the guard has read where the log hides the arguments', async () => {
    const run = new Cuttable(file, { redact: ['amount'] });
    await run.try('a', { amount: 50 });
    expect(JSON.stringify(run.records)).not.toContain('"amount":50');
    run.cut();
    expect(await run.try('b')).toBe(refusal);
    expect(run.beside).toEqual(['a[large]']);
  });

  it('blocks every other where the records do not say what it was', async () => {
    const run = new Cuttable(file);
    await run.try('a');
    const begun = [...run.records];
    for (const lost of [null, undefined, { failed: 'large' }, 7]) {
      const spoilt = begun.map((record) =>
        record.kind === 'decision'
          ? { ...record, observed: { ...record.observed, action: lost } as RecordedStep }
          : record,
      );
      run.cut(spoilt);
      expect(await run.try('look')).toBe('block: too-many-pending');
      expect((await run.session.idle()).run).toBeNull();
    }
  });

  it('counts towards the six beside which a call can be judged, and not towards maxPending', async () => {
    const run = new Cuttable(file, { maxPending: 0 });
    for (let i = 0; i < 6; i++) {
      expect(await run.try('look')).toBe('allow: below-threshold');
      expect(await run.try('look')).toBe('block: calls-running');
      run.cut();
    }
    expect(await run.try('look')).toBe('allow: below-threshold');
    run.cut();
    const { decision, reason, message } = await run.decide('look');
    expect([decision, reason]).toEqual(['block', 'too-many-pending']);
    expect(message).toMatch(/too many, or one of them could not be read/);
    await expectReplayed(run.records, file);
  });

  it('no longer counts once its outcome is reported', async () => {
    for (const outcome of [{ result: null }, { error: 'no' }, null]) {
      const run = new Cuttable(file);
      await run.try('a');
      run.cut();
      expect(run.session.unsettled).toEqual([{ number: 0, id: '0', name: 'a' }]);
      await run.session.settle(0, outcome);
      expect(run.session.unsettled).toEqual([]);
      await expect(run.session.settle(0, outcome)).rejects.toThrow(
        'no call of decision 0 is unsettled in run run; unsettled: none',
      );
      expect(run.records.at(-1)).toMatchObject({
        number: 0,
        outcome: outcome === null ? 'withheld' : 'error' in outcome ? 'failed' : 'ran',
      });
      expect(await run.try('b')).toBe('allow: below-threshold');
      run.cut();
      expect(run.session.unsettled.map(({ name }) => name)).toEqual(['b']);
      await expectReplayed(run.records, file);
    }
  });

  it('counts for each guard that judges actions, whichever stands first', async () => {
    const chain = await chainFile();
    for (const first of [true, false]) {
      const order = (one: GuardFile, other: GuardFile) => (first ? [one, other] : [other, one]);
      const run = new Cuttable(file, { maxPending: 6 });
      const begin = (resume?: readonly RunRecord[]) =>
        createSession({
          judges: order(file, chain).map(createGuard),
          tools: TOOLS,
          id: 'run',
          maxPending: 6,
          state: () => ({ ...run.world }),
          log: { append: (record) => void run.records.push(structuredClone(record)) },
          ...(resume && { resume: structuredClone(resume) as RunRecord[] }),
        });
      run.session = begin();
      await run.try('a');
      run.session = begin(run.records);
      expect(await run.try('b')).toBe(refusal);
      run.session = begin(run.records);
      expect(await run.try('b')).toBe(refusal);
      await run.session.settle(0, { result: null });
      expect(await run.try('b')).toBe('allow: below-threshold');
    }
  });

  it('counts where a person approved it, and where it ran in place of another', async () => {
    const asking = { ...file, rules: file.rules.map((rule) => ({ ...rule, levels: asks(rule.levels) })) };
    const approved = new Cuttable(asking, { ask: async () => ({ approved: true }) });
    approved.world.y = true;
    expect(await approved.try('a', { amount: 50 })).toBe('allow: approved');
    approved.world.y = false;
    approved.cut();
    await approved.try('look');
    expect(approved.beside).toEqual(['a[large]']);

    const replacing = { ...file, rules: file.rules.map((rule) => ({ ...rule, levels: looks(rule.levels) })) };
    const replaced = new Cuttable(replacing, { replacements: { look: { name: 'look', arguments: {} } } });
    replaced.world.y = true;
    expect(await replaced.try('a')).toMatch(/^replace: /);
    replaced.cut();
    await replaced.try('look');
    expect(replaced.beside).toEqual(['look']);
  });
});

const asks = (levels: GuardFile['rules'][number]['levels']) =>
  levels.map((level) => ({ ...level, strategy: { kind: 'inspect' as const } }));
const looks = (levels: GuardFile['rules'][number]['levels']) =>
  levels.map((level) => ({ ...level, strategy: { kind: 'replace' as const, action: 'look' } }));

describe('what is given up', () => {
  it('stays charged while a call that was cut off may have run, also after another restart', async () => {
    const file = await triggerFile();
    const run = new Cuttable(file, { tools: ['pull', 'look'], state: () => ({ dead: false }) });
    await run.try('look');
    run.cut();
    const verdicts = [await run.decide('pull'), await run.decide('pull')];
    expect(verdicts.map(({ decision }) => decision)).toEqual(['allow', 'allow']);
    for (const verdict of verdicts) await run.session.withdraw(verdict);
    expect(await run.try('pull')).toBe('block: over-budget');
    const { observed } = run.records.at(-1) as DecisionRecord;
    expect(observed?.pending).toEqual(['look', 'pull', 'pull']);
    run.cut();
    expect(await run.try('pull')).toBe('block: over-budget');
    expect((run.records.at(-1) as DecisionRecord).observed?.pending).toEqual(['look', 'pull', 'pull']);
    await run.session.settle(0, { result: null });
    expect(await run.try('pull')).toBe('block: over-budget');
    expect((run.records.at(-1) as DecisionRecord).observed?.pending).toEqual([]);
    await expectReplayed(run.records, file);
  });
});

describe('a guard of a chain', () => {
  it('counts what was cut off as not run', async () => {
    const file = await chainFile();
    const run = new Cuttable(file);
    await run.try('a');
    run.cut();
    expect(await run.try('b')).toBe('allow: below-threshold');
    await expectReplayed(run.records, file);
  });
});

/** A guard of a chain that lets everything through which the pair's guard judges. */
async function chainFile(): Promise<GuardFile> {
  const specification = parseSpecification(`version: 1
predicates: { x: x, y: y, bad: 'x && y' }
rules: { apart: { formula: 'G !bad', threshold: 0.99, strategy: stop } }
learning: { smoothing: 1 }`);
  const traces = [false, true].map((x) => ({
    id: `${x}`,
    steps: [{ state: { x, y: !x } }, { state: { x: !x, y: x } }],
  }));
  const all = { id: 'all', steps: [false, true].map((x) => ({ state: { x, y: x } })) };
  const { model } = await learn(
    new Abstraction(specification.abstraction),
    [...traces, all],
    specification.learning,
  );
  return compileGuard(specification, model);
}

/** Pulling a trigger kills in one of a hundred, and two may be pulled; looking does nothing. */
async function triggerFile(): Promise<GuardFile> {
  const specification = parseSpecification(`version: 1
predicates: { dead: dead }
rules: { alive: { formula: 'G !dead', threshold: 0.025, strategy: block } }
shield: budget
learning: { model: mdp, smoothing: 0 }`);
  const step = (dead: boolean, name?: string) => ({ state: { dead }, ...(name && { action: { name } }) });
  const traces = Array.from({ length: 100 }, (_, id) => ({
    id: String(id),
    steps:
      id === 0 ? [step(false, 'pull'), step(true)] : [step(false, 'pull'), step(false, 'look'), step(false)],
  }));
  const { model } = await learnMdp(
    new Abstraction(specification.abstraction),
    traces,
    specification.learning,
  );
  return compileGuard(specification, model);
}
