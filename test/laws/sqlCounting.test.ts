import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type CountRow,
  countingStatement,
  flatSteps,
  learn,
  learnFromCounts,
  type ProblemRow,
  problemsStatement,
  withUnreadable,
} from '../../bindings/estimation/learning/index.js';
import { learnWithDuckDb, readTraceFiles } from '../../bindings/face/node/index.js';
import { loadRegexEngine, sqlDialect } from '../../bindings/languages/expression/index.js';
import { Abstraction } from '../../bindings/observations/abstraction/index.js';
import { condition, environment } from '../unit/expression/randomExpressions.js';
import { flatCases, flatTable, outcome, streamed } from './stepTables.js';

await loadRegexEngine();
const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
const connection = await instance.connect();
afterAll(() => connection.closeSync());

async function query<Row>(sql: string): Promise<Row[]> {
  return (await connection.runAndReadAll(sql)).getRowObjectsJson() as Row[];
}

describe('counting in DuckDB', () => {
  it('comes to the streaming counter over flat tables, to the last digit', async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(flatCases, async (one) => {
        const { abstraction, traces, options } = one;
        const duckdb = sqlDialect('duckdb');
        const table = flatSteps(flatTable(traces, duckdb), duckdb);
        const counted = await outcome(async () =>
          learnFromCounts(
            abstraction,
            await query<CountRow>(countingStatement(abstraction, table, options)),
            options,
            () => query<ProblemRow>(problemsStatement(abstraction, table, options)),
          ),
        );
        const expected = await streamed(one);
        const kind = String((expected as { name?: string }).name ?? 'model');
        seen.set(kind, (seen.get(kind) ?? 0) + 1);
        expect(counted).toEqual(expected);
      }),
      { numRuns: 60 },
    );
    expect([...seen.keys()].sort()).toEqual(['EvaluationError', 'InvalidDataError', 'model']);
  });

  it('comes to the streaming counter over JSON lines, whatever the states hold', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'foreguard-'));
    const file = join(folder, 'traces.jsonl');
    let compared = 0;
    try {
      await fc.assert(
        fc.asyncProperty(
          fc.array(condition, { minLength: 1, maxLength: 2 }),
          fc.array(fc.array(environment, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
          fc.boolean(),
          async (sources, runs, skipInvalid) => {
            let abstraction: Abstraction;
            try {
              abstraction = new Abstraction({
                predicates: sources.map((expression, i) => ({ name: `p${i}`, expression })),
              });
            } catch {
              return; // Types that cannot fit.
            }
            const lines = runs.map((states, i) =>
              JSON.stringify({
                id: `t${i}`,
                complete: i % 2 === 0,
                steps: states.map((state) => ({ state })),
              }),
            );
            const unreadable = ['{"id": "cut', '{"id": "none", "steps": []}', ''].slice(
              0,
              skipInvalid ? 3 : 0,
            );
            await writeFile(file, [...unreadable, ...lines].join('\n'));
            const options = { skipInvalid, smoothing: 0, threads: 2 };
            let left = 0;
            const counted = await outcome(async () => {
              const learnt = await learnWithDuckDb(abstraction, [file], options);
              left = learnt.unreadable;
              return learnt;
            });
            const { name, place = '' } = counted as { name?: string; place?: string };
            // What cannot be translated is refused, here or where it is met.
            if (name === 'NotSupportedError' || place.includes('the translation to SQL does not do')) return;
            expect(counted).toEqual(
              await outcome(async () => {
                let skipped = 0;
                const traces = readTraceFiles([file], { skipInvalid, onSkipped: () => skipped++ });
                const learnt = await learn(abstraction, traces, { skipInvalid, smoothing: 0 });
                return withUnreadable(learnt, skipped);
              }),
            );
            if (name === undefined) expect(left).toBe(skipInvalid ? 2 : 0);
            compared++;
          },
        ),
        { numRuns: 30 },
      );
    } finally {
      await rm(folder, { recursive: true });
    }
    expect(compared).toBeGreaterThan(4);
  });
});
