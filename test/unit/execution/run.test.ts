import { describe, expect, it } from 'vitest';
import { readContracts } from '../../../bindings/proofs/contract/index.js';
import {
  planJudge,
  type ResultEntry,
  type ResultStore,
  runPlan,
} from '../../../bindings/proofs/execution/index.js';
import { type VerifiedPlan, verifyPlan } from '../../../bindings/proofs/planProof/index.js';
import type { Json, Plan, Step, Value } from '../../../bindings/proofs/workflow/index.js';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import { continueRun, type RunRecord } from '../../../bindings/runtime/enforcement/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';
import { memoryRuns } from '../enforcement/memoryRuns.js';

const contracts = readContracts(`
version: 1
tools:
  fetch:
    result: { type: list, of: { fields: { id: text, size: integer } }, integrity: trusted, readers: everyone }
  total: { arguments: { sizes: { type: list, of: integer } }, result: { type: integer, integrity: trusted, readers: everyone }, ensures: { positive: 'result >= 0' } }
  save: { arguments: { id: text, size: integer }, idempotent: true }
  send: { arguments: { text: text } }
`);

const literal = (value: Json): Value => ({ kind: 'literal', value });
const ref = (name: string, ...path: (string | number)[]): Value => ({ kind: 'reference', name, path });
const call = (id: string, tool: string, given: Record<string, Value>, as?: string): Step => ({
  id,
  kind: 'call',
  tool,
  with: given,
  ...(as !== undefined && { as }),
});

const plan: Plan = {
  version: 1,
  goal: 'save what there is',
  inputs: { word: { kind: 'text' } },
  steps: [
    call('f', 'fetch', {}, 'files'),
    {
      id: 'each',
      kind: 'forEach',
      in: ref('files'),
      item: 'file',
      do: [call('s', 'save', { id: ref('file', 'id'), size: ref('file', 'size') })],
      collect: { sizes: ref('file', 'size') },
    },
    call('t', 'total', { sizes: ref('sizes') }, 'sum'),
    { id: 'enough', kind: 'require', condition: { source: 'sum > 2' }, otherwise: 'too little' },
    call('n', 'send', { text: { kind: 'text', of: [ref('word'), literal(': '), ref('sum')] } }),
    { id: 'r', kind: 'return', value: ref('sum') },
  ],
};

const FILES = [
  { id: 'a', size: 1 },
  { id: 'b', size: 2 },
];

function verified(given: Plan = plan): VerifiedPlan {
  const verdict = verifyPlan(given, contracts);
  if (verdict.verdict !== 'proved') throw new Error(JSON.stringify(verdict.findings));
  return verdict.verified;
}

/** Tools that note what is called. */
function world(files: readonly unknown[] = FILES, sum?: number) {
  const made: string[] = [];
  const note = (name: string, args: unknown): void => {
    made.push(`${name} ${JSON.stringify(args)}`);
  };
  return {
    made,
    tools: {
      fetch: (args: unknown) => {
        note('fetch', args);
        return files;
      },
      save: (args: unknown) => note('save', args),
      total: (args: Readonly<Record<string, Json>>) => {
        note('total', args);
        return sum ?? (args.sizes as readonly number[]).reduce((a, b) => a + b, 0);
      },
      send: (args: unknown) => note('send', args),
    },
  };
}

const CALLS = [
  'fetch {}',
  'save {"id":"a","size":1}',
  'save {"id":"b","size":2}',
  'total {"sizes":[1,2]}',
  'send {"text":"sum: 3"}',
];

function memoryResults() {
  const runs = new Map<string, ResultEntry[]>();
  const store: ResultStore = {
    read: async (run) => [...(runs.get(run) ?? [])],
    add: async (run, position, entry) => {
      const entries = runs.get(run) ?? [];
      if (entries.length !== position) return false;
      runs.set(run, [...entries, JSON.parse(JSON.stringify(entry))]);
      return true;
    },
  };
  return { store, runs };
}

describe('a proved plan', () => {
  it('makes its calls, in order, and returns', async () => {
    const { made, tools } = world();
    const run = await runPlan(verified(), { inputs: { word: 'sum' }, tools, session: { id: 'one' } });
    expect(run).toEqual({ run: 'one', kind: 'returned', value: 3 });
    expect(made).toEqual(CALLS);
  });

  it('stops where its own condition does not hold', async () => {
    const { made, tools } = world([{ id: 'a', size: 1 }]);
    const run = await runPlan(verified(), { inputs: { word: 'sum' }, tools });
    expect(run).toMatchObject({ kind: 'stopped', step: 'enough', because: 'require', text: 'too little' });
    expect(made).toHaveLength(3);
  });

  it('ends at the first result that breaks its contract', async () => {
    const mistyped = world([{ id: 'a', size: 'big' }]);
    expect(await runPlan(verified(), { inputs: { word: 'x' }, tools: mistyped.tools })).toMatchObject({
      because: 'contract-broken',
      step: 'f',
      text: expect.stringContaining('result[0].size'),
    });
    expect(mistyped.made).toEqual(['fetch {}']);
    const negative = world(FILES, -1);
    expect(await runPlan(verified(), { inputs: { word: 'x' }, tools: negative.tools })).toMatchObject({
      because: 'contract-broken',
      text: 'total ensures "positive", which does not hold',
    });
  });

  it('ends where a tool fails, and says why', async () => {
    const { made, tools } = world();
    const failing = {
      ...tools,
      total: () => {
        throw new Error('no disk');
      },
    };
    expect(await runPlan(verified(), { inputs: { word: 'x' }, tools: failing })).toMatchObject({
      because: 'failed',
      step: 't',
      text: 'the call of total failed: no disk',
    });
    expect(made).toHaveLength(3);
  });

  it('reads null for an argument that is left out, in what a contract requires and ensures', async () => {
    const paying = readContracts(`
version: 1
tools:
  pay:
    arguments: { amount: { type: integer, minimum: 0, maximum: 100 }, note: text? }
    requires: { plain: 'note == null || size(note) < 5' }
    result: { fields: { left: integer }, integrity: trusted, readers: everyone }
    ensures: { some: 'note == null || result.left > 0' }
`);
    const short: Plan = {
      version: 1,
      goal: 'pay',
      inputs: {},
      steps: [call('p', 'pay', { amount: literal(1) })],
    };
    const verdict = verifyPlan(short, paying);
    if (verdict.verdict !== 'proved') throw new Error(JSON.stringify(verdict.findings));
    const run = await runPlan(verdict.verified, { tools: { pay: () => ({ left: 0 }) } });
    expect(run).toMatchObject({ kind: 'finished' });
  });

  it('does not run unless it was proved here, with its inputs and tools', async () => {
    const { tools } = world();
    const forged = Object.assign(Object.create(Object.getPrototypeOf(verified())), { plan, contracts });
    await expect(runPlan(forged, { tools })).rejects.toThrow('only a plan that verifyPlan proved');
    await expect(runPlan(verified(), { tools })).rejects.toThrow('the input "word" of the plan is missing');
    await expect(runPlan(verified(), { inputs: { word: 1 }, tools })).rejects.toThrow('word should be');
    await expect(runPlan(verified(), { inputs: { word: 'x', other: 1 }, tools })).rejects.toThrow(
      'no input "other"',
    );
    await expect(
      runPlan(verified(), { inputs: { word: 'x' }, tools, session: { shadow: true } }),
    ).rejects.toThrow('session.shadow would also let through');
    const { send: _, ...some } = tools;
    await expect(runPlan(verified(), { inputs: { word: 'x' }, tools: some })).rejects.toThrow(
      'the plan calls send',
    );
  });

  it('is under the judges of the session, and the log names it', async () => {
    const { made, tools } = world();
    const guard = createGuard(
      compileRules(
        parseSpecification(`version: 1
predicates:
  second: 'action.name == "save" && calls.save >= 1'
rules: { one: { formula: 'G !second' } }`),
      ),
    );
    const records: RunRecord[] = [];
    const proved = verified();
    const run = await runPlan(proved, {
      inputs: { word: 'x' },
      tools,
      session: { guard, log: { append: async (record) => void records.push(record) } },
    });
    expect(run).toMatchObject({
      kind: 'stopped',
      because: 'withheld',
      step: 's',
      rounds: [1],
      verdict: { rule: 'one' },
    });
    expect(made).toEqual(CALLS.slice(0, 2));
    expect(records[0]).toMatchObject({ kind: 'begin', beside: [{ name: 'plan', file: proved.hash }] });
  });

  it('is in the log with what was proved, and each call with its step and where its data may come from', async () => {
    const { tools } = world();
    const records: RunRecord[] = [];
    const proved = verified();
    const log = { append: async (record: RunRecord) => void records.push(record) };
    await runPlan(proved, { inputs: { word: 'x' }, tools, session: { log } });
    expect(records[0]).toMatchObject({
      guard: {
        name: 'plan',
        file: proved.hash,
        verdict: 'proved',
        contracts: contracts.hash,
        assumes: expect.stringContaining('result of fetch, effects of fetch'),
        asked: '',
      },
    });
    const read = records.flatMap((record) => (record.kind === 'decision' ? [record.observed] : []));
    expect(read).toEqual([
      { isPlanned: true, asked: null, broken: [], step: 'f', rounds: [] },
      ...[0, 1].map((round) => ({
        isPlanned: true,
        asked: null,
        broken: [],
        step: 's',
        rounds: [round],
        from: { id: ['fetch'], size: ['fetch'] },
        decidedBy: ['fetch'],
      })),
      { isPlanned: true, asked: null, broken: [], step: 't', rounds: [], from: { sizes: ['fetch'] } },
      {
        isPlanned: true,
        asked: null,
        broken: [],
        step: 'n',
        rounds: [],
        from: { text: ['total', 'fetch'] },
        decidedBy: ['total', 'fetch'],
      },
    ]);
    // A log of an earlier release has less, and is decided again alike.
    const judge = planJudge(proved).begin({ id: 'x', isSafe: () => false, mayQuote: false });
    for (const one of read)
      expect(judge.decideAgain({ isPlanned: true, asked: null, broken: [] }, 'call')).toMatchObject({
        decision: judge.decideAgain(one, 'call').decision,
      });
  });
});

describe('a run that was interrupted', () => {
  /** Whatever is written before the crash stays; the write of this number and all later ones are lost. */
  const crashAfter = (writes: number) => {
    let left = writes;
    return () => {
      if (left-- <= 0) throw new Error('crash');
    };
  };

  it('goes on from any write with the calls that are left; only an idempotent one is made twice', async () => {
    for (let writes = 0; writes < 40; writes++) {
      const crash = crashAfter(writes);
      const records = memoryRuns(async () => crash());
      const results = memoryResults();
      const crashing: ResultStore = {
        read: results.store.read,
        add: async (...given) => {
          crash();
          return results.store.add(...given);
        },
      };
      const { made, tools } = world();
      const first = await runPlan(verified(), {
        inputs: { word: 'sum' },
        tools,
        results: crashing,
        session: await continueRun(records.store, 'run'),
      }).catch((error: Error) => error);
      const isWhole = !(first instanceof Error) && first.kind === 'returned';
      const after = memoryRuns();
      for (const [run, all] of records.runs) after.runs.set(run, all);
      const again = await runPlan(verified(), {
        inputs: { word: 'sum' },
        tools,
        results: results.store,
        session: await continueRun(after.store, 'run'),
        settle: ({ tool }) => ({
          kind: 'result',
          value: tool === 'fetch' ? FILES : tool === 'total' ? 3 : null,
        }),
      });
      if (isWhole) continue;
      expect(again, `after ${writes} writes`).toMatchObject({ kind: 'returned', value: 3 });
      expect([...new Set(made)], `after ${writes} writes`).toEqual(CALLS);
      for (const one of CALLS)
        if (!one.startsWith('save'))
          expect(made.filter((other) => other === one).length).toBeLessThanOrEqual(1);
    }
  });

  it('reads what settle said of a call as it was then, whatever becomes of the object', async () => {
    const records = memoryRuns();
    const results = memoryResults();
    let adds = 0;
    const losing: ResultStore = {
      read: results.store.read,
      add: async (...given) => {
        if (++adds > 2) throw new Error('disk full');
        return results.store.add(...given);
      },
    };
    const { tools } = world();
    const first = runPlan(verified(), {
      inputs: { word: 'sum' },
      tools,
      results: losing,
      session: await continueRun(records.store, 'run'),
    });
    await expect(first).rejects.toThrow('disk full');
    const files = FILES.map((file) => ({ ...file }));
    const saving = {
      ...tools,
      save: () => {
        for (const file of files) file.size = 100;
      },
    };
    const again = await runPlan(verified(), {
      inputs: { word: 'sum' },
      tools: saving,
      results: results.store,
      session: await continueRun(records.store, 'run'),
      settle: () => ({ kind: 'result', value: files }),
    });
    expect(again).toMatchObject({ kind: 'returned', value: 3 });
  });
});

describe('a call that is for a person to approve', () => {
  const asking = readContracts(`
version: 1
tools:
  read: { result: { type: text, integrity: untrusted } }
  pay: { arguments: { to: { type: text, integrity: trusted }, amount: { type: number } }, ask: person }
`);
  const pay = (to: Value): Plan => ({
    version: 1,
    goal: 'pay the bill',
    inputs: {},
    steps: [call('r', 'read', {}, 'bill'), call('p', 'pay', { to, amount: literal(5) })],
  });
  const prove = (given: Plan, label?: Parameters<typeof verifyPlan>[2]) => verifyPlan(given, asking, label);
  const run = async (given: Plan, approved?: boolean) => {
    const verdict = prove(given);
    if (verdict.verdict !== 'proved') throw new Error(JSON.stringify(verdict.findings));
    const paid: unknown[] = [];
    const asked: string[] = [];
    const ended = await runPlan(verdict.verified, {
      tools: { read: () => 'IBAN 7', pay: (args) => void paid.push(args.to) },
      session: {
        ...(approved !== undefined && {
          ask: async ({ question }) => {
            asked.push(question);
            return { approved };
          },
        }),
      },
    });
    return { ended, paid, asked, questions: verdict.questions };
  };

  it('is proved with a question, and made after a yes alone', async () => {
    const yes = await run(pay(ref('bill')), true);
    expect(yes.questions).toEqual([{ step: 'p', texts: [expect.stringContaining('must be trusted')] }]);
    expect(yes.paid).toEqual(['IBAN 7']);
    expect(yes.asked[0]).toContain('`to` of `pay` must be trusted, and would depend on');
    expect((await run(pay(ref('bill')), false)).paid).toEqual([]);
    const nobody = await run(pay(ref('bill')));
    expect([nobody.paid, nobody.ended]).toEqual([[], expect.objectContaining({ because: 'withheld' })]);
    expect((await run(pay(literal('IBAN 8')))).paid).toEqual(['IBAN 8']);
  });

  it('is each that an author who is not trusted says, but for the words of the user', () => {
    const label = (words: string) => ({ label: { integrity: 'untrusted', words } }) as const;
    const asks = (to: Json, words: string) => {
      const verdict = prove(pay(literal(to)), label(words));
      return verdict.verdict === 'proved' ? verdict.questions.length : -1;
    };
    expect(asks('IBAN 8', 'pay 5 to iban 8, please')).toBe(0);
    expect(asks('IBAN 8', 'pay 5 to IBAN 88')).toBe(1);
    expect(asks('IBAN 9', 'pay 5 to IBAN 8')).toBe(1);
  });
});
