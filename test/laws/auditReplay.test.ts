import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../bindings/solvers/kernel/inline.js';
import { Random } from '../../bindings/base/random.js';
import { learn, learnMdp } from '../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../bindings/observations/abstraction/index.js';
import type { Trace } from '../../bindings/observations/trace/index.js';
import { compileGuard } from '../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../bindings/rules/specification/index.js';
import { bindAgentSpec, parseAgentSpec } from '../../bindings/runtime/agentspec/index.js';
import {
  type AuditReplay,
  createSession,
  guardedCall,
  type ReplayAuditOptions,
  type RunRecord,
  readAudit,
  readRun,
  replayAudit,
  type Session,
} from '../../bindings/runtime/enforcement/index.js';
import { createGuard, type GuardFile } from '../../bindings/runtime/guard/index.js';
import { auditOf, chunksOf } from '../unit/enforcement/audit/records.js';

const TOOLS = ['a', 'b', 'c'];

const below = (random: Random, count: number): number => Math.floor(random.next() * count);

/** Runs over the places 0 to 5, of which 4 is bad and 5 was never seen; what `place` does not know is a fault. */
function randomTraces(random: Random, count: number): Trace[] {
  const drift = TOOLS.map(() => 1 + below(random, 4));
  return Array.from({ length: count }, (_, id) => {
    let place = below(random, 3);
    const steps = Array.from({ length: 1 + below(random, 12) }, () => {
      // What is never tried somewhere is unknown to a shield.
      const action = below(random, place === 2 ? 2 : 3);
      const step = { state: { place }, action: { name: TOOLS[action] } };
      place = (place + (random.next() < 0.5 ? drift[action] : 1)) % 5;
      return step;
    });
    return { id: String(id), steps };
  });
}

async function guardFileOf(
  model: 'dtmc' | 'mdp',
  random: Random,
  strategies: string,
  shield: string,
): Promise<GuardFile> {
  const specification = parseSpecification(`version: 1
predicates: { one: 'place == 1 || place == 3', two: 'place == 2 || place == 3', bad: 'place == 4', far: 'place == 5' }
rules: {
  safe: { formula: 'G !bad', threshold: ${shield === 'budget' ? 0.7 : random.next().toFixed(2)}, ${strategies} },
  after: { formula: 'G (one -> F[0,2] two)', threshold: ${shield === 'budget' ? 0.7 : random.next().toFixed(2)}, strategy: report } }
${model === 'mdp' ? `shield: ${shield}` : ''}
${model === 'dtmc' ? 'drift: { falseAlarmRate: 0.9 }\nonDrift: inspect' : ''}
learning: { model: ${model}, smoothing: 0 }`);
  const abstraction = new Abstraction(specification.abstraction);
  const traces = randomTraces(random, 40);
  if (model === 'mdp')
    return compileGuard(specification, (await learnMdp(abstraction, traces, specification.learning)).model);
  return compileGuard(specification, (await learn(abstraction, traces, specification.learning)).model);
}

const rules = [
  bindAgentSpec(
    parseAgentSpec(`rule @far trigger b check is_far enforce user_inspection end
rule @think trigger c check is_far enforce llm_self_examine end`).rules,
    {
      predicates: {
        is_far: ({ state }: { state: { place?: unknown } }) => {
          if (state.place === 'x') throw new Error('no place');
          return state.place === 3;
        },
      },
    },
  ),
];

let resumed = 0;

/** A few runs at once, with calls in parallel, questions, replacements, faults of every kind, and processes that end. */
async function recordRuns(file: GuardFile, random: Random, reactive: boolean): Promise<RunRecord[]> {
  const records: RunRecord[] = [];
  const run = async (id: string): Promise<void> => {
    let place: unknown = below(random, 3);
    const begin = (resume?: readonly RunRecord[]): Session =>
      createSession({
        id,
        guard: createGuard(file),
        tools: { a: {}, b: {}, c: { check: () => (random.next() < 0.1 ? 'no' : null) } },
        state: () => {
          if (random.next() < 0.05) throw new Error('lost sight');
          return place === null ? {} : { place };
        },
        log: { append: async (record) => void records.push(record) },
        replacements: { brake: { name: 'a', arguments: {} } },
        onFault: 'block',
        ask: async () => {
          if (random.next() < 0.2) throw new Error('nobody is there');
          return { approved: random.next() < 0.5, by: 'ann' };
        },
        ...(reactive && { rules }),
        ...(resume && { resume }),
      });
    let session = begin();
    for (let turn = 0; turn < 6 && session.stopped === null; turn++) {
      if (!reactive && random.next() < 0.2) {
        // The process ends with a call let through that never comes back, and the next one goes on from the file.
        await session.check({ id: `${turn}-lost`, name: 'a', arguments: {} });
        session = begin(await readRun(chunksOf(await auditOf(records), 1 << 16), id));
        resumed++;
      }
      const calls = Array.from({ length: 1 + below(random, 3) }, async (_, i) => {
        const name = random.next() < 0.05 ? 'unknown' : TOOLS[below(random, 3)];
        await guardedCall(session, { id: `${turn}-${i}`, name, arguments: {} }, async () => {
          await new Promise(setImmediate);
          place = random.next() < 0.1 ? random.pick([5, null, 'x']) : below(random, 4);
        });
      });
      await Promise.allSettled(calls);
    }
    await session.end();
  };
  await Promise.all(['one', 'two', 'three'].map(run));
  return records;
}

async function replay(
  records: readonly RunRecord[],
  file: GuardFile,
  options: ReplayAuditOptions,
): Promise<AuditReplay> {
  return replayAudit(readAudit(chunksOf(await auditOf(records), 1 << 16)), file, options);
}

const cases = fc.record({
  seed: fc.integer({ min: 1, max: 1e9 }),
  model: fc.constantFrom('dtmc' as const, 'mdp' as const),
  strategies: fc.constantFrom(
    'strategy: stop',
    'strategy: block',
    'strategy: reflect, escalate: [inspect, stop], maxReflections: 1',
    'strategy: { replace: brake }',
    'strategy: inspect, onFailure: block',
  ),
  shield: fc.constantFrom('predict', 'least', 'budget'),
  reactive: fc.boolean(),
});

describe('an audit file', () => {
  it('replayed through the same guard file decides the same, and what was changed is found', async () => {
    const seen = new Set<string>();
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(cases, async ({ seed, model, strategies, shield, reactive }) => {
        const random = new Random(seed);
        const file = await guardFileOf(model, random, strategies, shield);
        const records = await recordRuns(file, random, reactive);
        const options = reactive ? { rules } : {};
        const result = await replay(records, file, options);
        expect(result.difference).toBeNull();
        expect(result).toMatchObject({ runs: 3, otherRuns: 0, reactive: 0, missing: 0 });
        compared += result.decisions;
        const decisions = records.flatMap((record) => (record.kind === 'decision' ? [record] : []));
        expect(result.decisions + result.faults + result.drift).toBe(decisions.length);
        for (const { decision, reason } of decisions) for (const word of [decision, reason]) seen.add(word);

        // Whoever computes all hashes anew still has to answer for the decisions.
        const asked = records.flatMap((record, i) =>
          record.kind === 'decision' && record.observed !== null ? [i] : [],
        );
        if (asked.length === 0) return;
        const at = random.pick(asked);
        const record = records[at] as Extract<RunRecord, { kind: 'decision' }>;
        const forged = records.with(at, { ...record, upper: (record.upper ?? 0) + Number.EPSILON });
        const { run, number } = record;
        expect((await replay(forged, file, options)).difference).toMatchObject({
          line: at + 2,
          run,
          number,
          field: 'upper',
        });
      }),
      { seed: 11, numRuns: 40 },
    );
    expect(compared).toBeGreaterThan(500);
    expect(resumed).toBeGreaterThan(20);
    const words = [
      'allow',
      'stop',
      'block',
      'reflect',
      'inspect',
      'replace',
      'report',
      'reactive-rule',
      'replacement-failed',
    ];
    words.push(
      'unknown-tool',
      'invalid-arguments',
      'state-failed',
      'unknown-state',
      'predicate-failed',
      'untried-action',
      'drift',
      'rule-failed',
      'over-budget',
    );
    expect(words.filter((word) => !seen.has(word))).toEqual([]);
  });
});
