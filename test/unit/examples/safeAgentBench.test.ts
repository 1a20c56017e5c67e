import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Specification } from '../../../bindings/face/entries/index.js';
import { sharedData } from '../../shared.js';
import { example, runMain } from './example.js';

const own = fileURLToPath(new URL('data/safeagentbench', import.meta.url));

const { readRecordings, unsafeTasks, files } = await example('safeagentbench/recordings.mjs');
const { generateSpecification, handWritten, threshold, withoutInstruction } = await example(
  'safeagentbench/specifications.mjs',
);
const { crossValidate, summarise } = await example('safeagentbench/crossValidate.mjs');
const { categoryOf, evaluateGenerated } = await example('safeagentbench/generated.mjs');
const { dealFolds } = await example('measures/folds.mjs');

interface Run {
  kind: string;
  group: string;
  trace: { id: string };
}

const isAgents = ({ kind }: Run) => kind === 'unsafe' || kind === 'safe';

/** What holds of any recordings. */
function invariants(folder: string): void {
  it('counts every record as a run or as repeated, and no run twice', async () => {
    const { runs, read } = await readRecordings(folder);
    for (const [kind, names] of Object.entries<string[]>(files)) {
      const records = names.reduce((sum, name) => sum + read[name].records - read[name].repeated, 0);
      expect(runs.filter((run: Run) => run.kind === kind).length).toBe(records);
    }
    expect(new Set(runs.map(({ trace }: Run) => trace.id)).size).toBe(runs.length);
  });

  it('generates a specification with one rule for every unsafe task', async () => {
    const tasks = unsafeTasks((await readRecordings(folder)).runs);
    expect(tasks.length).toBeGreaterThan(0);
    for (const { task } of tasks) {
      const specification: Specification = generateSpecification(task);
      expect(specification.rules.map(({ name }) => name)).toEqual(['neverUnsafe']);
    }
  });

  it('tests every run once, by chains that saw no run of its task, and its totals add up', async () => {
    const runs: Run[] = (await readRecordings(folder)).runs.filter(isAgents);
    const foldOf: Map<string, number> = dealFolds(
      runs.map(({ group }) => group),
      5,
      1,
    );
    const [{ specification }] = handWritten();
    const { outcomes, splits } = await crossValidate(specification, runs, foldOf);
    const tested = outcomes.map(({ id }: { id: string }) => id);
    expect(tested.toSorted()).toEqual(runs.map(({ trace }) => trace.id).sort());
    for (const { fold, trained, tested: count } of splits) {
      expect(trained + count).toBe(runs.length);
      expect(count).toBe(runs.filter(({ group }) => foldOf.get(group) === fold).length);
    }
    const totals = summarise(outcomes);
    expect(totals.tested).toBe(runs.length);
    expect(totals.predicted + totals.unknownBefore + totals.missed).toBe(totals.violations);
    expect(totals.falseAlarms + totals.unknownKept).toBeLessThanOrEqual(runs.length - totals.violations);
  });
}

describe('the SafeAgentBench example', () => {
  describe('on recordings made for this test', () => {
    invariants(own);

    it('counts a run that two files hold once, and one that differs twice', async () => {
      const { read, runs } = await readRecordings(own);
      expect(read['unsafe_agent_recors_eval.jsonl']).toEqual({ records: 2, repeated: 1 });
      expect(read['safe_records_eval.jsonl']).toEqual({ records: 3, repeated: 3 });
      expect(runs.length).toBe(8 + 6 + 3 + 6);
    });

    it('keeps a safe task with the unsafe one it was made from', async () => {
      const runs: Run[] = (await readRecordings(own)).runs;
      const groups = (kind: string) =>
        new Set(runs.filter((run) => run.kind === kind).map(({ group }) => group));
      expect(groups('safe')).toEqual(groups('unsafe'));
    });

    it('sees every reference solution reach the unsafe state and no controlled run', async () => {
      const { runs } = await readRecordings(own);
      const foldOf = dealFolds(
        runs.map(({ group }: Run) => group),
        5,
        1,
      );
      const results = await evaluateGenerated(unsafeTasks(runs), runs, foldOf);
      expect(results.length).toBe(6);
      const violated = (kind: string) =>
        results.flatMap((one: { replayed: Record<string, { outcomes: { violatedAt: number | null }[] }> }) =>
          one.replayed[kind].outcomes.map(({ violatedAt }) => violatedAt !== null),
        );
      expect(violated('reference')).toEqual([true, true, true, true, true, true]);
      expect(violated('controlled')).toEqual([false, false, false]);
    });

    it('prints the same figures twice and writes them as JSON', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'foreguard-'));
      try {
        const out = join(folder, 'figures.json');
        const args = ['--data', own, '--out', out];
        const first = await runMain('safeagentbench/main.mjs', args);
        expect(first.errors).toBe('');
        expect(first.exitCode).toBe(0);
        expect(first.output).toContain('6 of 6 unsafe tasks have a generated specification');
        expect(await runMain('safeagentbench/main.mjs', args)).toEqual(first);
        const figures = JSON.parse(readFileSync(out, 'utf8'));
        expect(figures.hazards.length).toBe(handWritten().length);
        expect(figures.all.tested).toBe(8 + 6);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });

    it('ends with exit code 2 and a usage line without data', async () => {
      const { errors, exitCode } = await runMain('safeagentbench/main.mjs', []);
      expect(exitCode).toBe(2);
      expect(errors).toContain('--data is missing');
    });
  });

  it('has at least six kinds of hazard, all acting at the same risk', () => {
    const hazards = handWritten();
    expect(hazards.length).toBeGreaterThanOrEqual(6);
    for (const { specification } of hazards) {
      expect(specification.rules.length).toBe(1);
      expect(specification.rules[0].levels[0].threshold).toEqual({ compare: 'risk>=', value: threshold });
    }
  });

  it('blinds a specification to the instruction and to nothing else', () => {
    for (const { specification } of handWritten()) {
      const blind = withoutInstruction(specification).abstraction.predicates;
      specification.abstraction.predicates.forEach(
        (predicate: { name: string; expression: string }, i: number) => {
          const isBlinded = predicate.expression.includes('instruction');
          expect(blind[i]).toEqual(isBlinded ? { name: predicate.name, expression: 'false' } : predicate);
        },
      );
    }
  });

  it('puts risk categories in few words', () => {
    expect(categoryOf('Risk Category: Breakage and Dropping')).toBe('breakage and dropping');
    expect(categoryOf('Fire Hazard, Electrical Shock Hazard')).toBe('electric shock');
    expect(categoryOf('')).toBe('other damage');
  });

  sharedData('safeagentbench', (folder) => {
    invariants(folder);
  });
});
