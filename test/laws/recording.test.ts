import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { openTraceFile, readTraceFiles } from '../../bindings/face/node/index.js';
import { Abstraction } from '../../bindings/observations/abstraction/index.js';
import { ToolHistory, type Trace } from '../../bindings/observations/trace/index.js';
import { compileRules, parseSpecification } from '../../bindings/rules/specification/index.js';
import { createSession, type RunRecord } from '../../bindings/runtime/enforcement/index.js';
import { loadGuard } from '../../bindings/runtime/guard/index.js';
import { foreguard } from '../unit/cli/command.js';
import { type Recorded, valuationsOf } from './sessionSteps.js';

// The law: a file that sessions under rules on calls recorded in holds the steps that their guards read: replayed, it gives the same valuations, and nothing is
// refused; learnt from, it gives the states that the guards saw.

const folder = mkdtempSync(join(tmpdir(), 'foreguard-recording-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TOOLS = ['identify', 'cancel', 'refund'];
const SPECIFICATION = `version: 1
predicates:
  identifies: 'has(action.name) && action.name == "identify"'
  cancels: 'has(action.name) && action.name == "cancel"'
  large: 'has(action.name) && has(action.arguments.n) && action.arguments.n > 2'
  refunds: 'has(action.name) && action.name == "refund"'
  failed: 'lastToolFailed'
  often: 'calls.cancel > 1'
  found: 'lastTool == "identify" && !lastToolFailed && lastResult in ["ok"]'
rules:
  identifyFirst: { formula: 'G (cancels -> O found)', strategy: block }
  noRefundTwice: { formula: 'G (refunds -> WY (H !refunds))' }
  notLargeAfterFailure: { formula: 'G !(large & failed)' }
  notOften: { formula: 'G !(often & cancels)', strategy: block }
learning: { smoothing: 0 }
`;
const spec = join(folder, 'rules.yaml');
writeFileSync(spec, SPECIFICATION);
const specification = parseSpecification(SPECIFICATION);
const abstraction = new Abstraction(specification.abstraction);

const recorded: fc.Arbitrary<Recorded> = fc.record({
  name: fc.constantFrom(...TOOLS, 'unknown'),
  arguments: fc.record(
    { n: fc.integer({ min: 0, max: 4 }), text: fc.string({ unit: 'binary' }) },
    { requiredKeys: [] },
  ),
  outcome: fc.oneof(
    fc
      .constantFrom<unknown>('ok', '', '7', '{"hits": [1, 2]}', null, { at: 1.5 }, undefined, '\u2028')
      .map((result) => ({ result })),
    fc.constant({ error: 'no seats' }),
  ),
});

/** What the guard of one run read of the calls that ran, and of the end. */
interface GuardRun {
  readonly id: string;
  readonly valuations: readonly (readonly number[])[];
  /** The steps as a reader of another recording of the same calls would make them. */
  readonly steps: Trace['steps'];
}

async function runOf(
  calls: readonly Recorded[],
  id: string,
  file: Awaited<ReturnType<typeof openTraceFile>>,
): Promise<GuardRun> {
  const records: RunRecord[] = [];
  const session = createSession({
    id,
    judges: [await loadGuard(compileRules(specification))],
    tools: TOOLS,
    onFault: 'block',
    record: file,
    log: { append: (record) => void records.push(structuredClone(record)) },
  });
  const history = new ToolHistory(TOOLS);
  const steps: Trace['steps'][number][] = [];
  for (const [i, { name, arguments: given, outcome }] of calls.entries()) {
    const verdict = await session.decide({ id: `${i}`, name, arguments: given });
    if (verdict.run === null) continue;
    await session.ran(verdict, outcome);
    steps.push(structuredClone({ state: history.state(), action: { name, arguments: given } }));
    history.record({ name, arguments: given }, outcome);
  }
  await session.end();
  const valuations = records.flatMap((record) =>
    (record.kind === 'decision' && record.decision === 'allow') || record.kind === 'observation'
      ? [[...(record.observed?.valuation ?? [])]]
      : [],
  );
  return { id, valuations, steps: [...steps, { state: history.state() }] };
}

describe('a recording of guarded runs', () => {
  it('has the steps that the guards read, replays to the same, and is learnt from as it is', async () => {
    let files = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(recorded, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 5 }),
        async (runs) => {
          const path = join(folder, `runs-${files++}.jsonl`);
          const file = await openTraceFile(path);
          const seen = await Promise.all(runs.map((calls, i) => runOf(calls, `run ${i}`, file)));
          await file.close();

          const traces: Trace[] = [];
          for await (const trace of readTraceFiles([path])) traces.push(trace);
          expect(traces).toHaveLength(runs.length);
          for (const { id, steps, valuations } of seen) {
            const trace = traces.find((one) => one.id === id);
            expect(trace).toEqual({ id, complete: true, steps });
            expect(valuationsOf(abstraction, trace as Trace)).toEqual(valuations);
          }

          const replayed = await foreguard('replay', '--spec', spec, '--traces', path, '--json');
          expect(replayed.code).toBe(0);
          const { decisions, totals, errors } = JSON.parse(replayed.out);
          const all = seen.reduce((sum, { steps }) => sum + steps.length, 0);
          expect([errors, decisions]).toEqual([[], { allow: all }]);
          for (const { violations } of Object.values<{ violations: number }>(totals))
            expect(violations).toBe(0);

          const validated = await foreguard('validate', '--spec', spec, '--traces', path);
          expect([validated.code, validated.out.match(/^error:/m)]).toEqual([0, null]);
          const output = join(folder, 'model.umb');
          const learnt = await foreguard('learn', '--spec', spec, '--traces', path, '-o', output, '--json');
          expect(learnt.code).toBe(0);
          const states = new Set(seen.flatMap((run) => run.valuations.map((valuation) => valuation.join())));
          expect(JSON.parse(learnt.out).states.seen).toBe(states.size);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('is one line a run', async () => {
    const path = join(folder, 'lines.jsonl');
    const file = await openTraceFile(path);
    const call: Recorded = {
      name: 'identify',
      arguments: { text: 'a\nb' },
      outcome: { result: 'c\n\u2028d' },
    };
    for (const id of ['a', 'b']) await runOf([call, call], id, file);
    await file.close();
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(3);
  });
});
