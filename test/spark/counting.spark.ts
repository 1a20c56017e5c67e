import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type CountRow,
  countingStatement,
  flatSteps,
  learnFromCounts,
  type ProblemRow,
  problemsStatement,
} from '../../bindings/estimation/learning/index.js';
import { sqlDialect } from '../../bindings/languages/expression/index.js';
import { flatCases, flatTable, outcome, streamed } from '../laws/stepTables.js';
import { startSpark } from './session.js';

const python = process.env.FOREGUARD_SPARK_PYTHON;
if (!python)
  throw new Error('FOREGUARD_SPARK_PYTHON must name a python that has pyspark: pip install pyspark');

describe.each([true, false])('counting in Spark, spark.sql.ansi.enabled = %s', async (ansi) => {
  const session = await startSpark(python, ansi);
  afterAll(() => session.stop());

  it('comes to the streaming counter over tables spread over two workers', async () => {
    const dialect = sqlDialect('spark');
    expect(session.workers).toBe(2);
    const kinds = new Set<string>();
    for (const one of fc.sample(flatCases, {
      seed: 11,
      numRuns: Number(process.env.FOREGUARD_SPARK_CASES ?? 12),
    })) {
      const { abstraction, traces, options } = one;
      const flat = flatTable(traces, dialect);
      await session.query(
        `CREATE OR REPLACE TEMPORARY VIEW given AS SELECT /*+ REPARTITION(4) */ * FROM ${flat.from} AS cells`,
      );
      const table = flatSteps({ ...flat, from: 'given' }, dialect);
      const expected = await streamed(one);
      const counted = await outcome(async () =>
        learnFromCounts(
          abstraction,
          await session.query<CountRow>(countingStatement(abstraction, table, options)),
          options,
          () => session.query<ProblemRow>(problemsStatement(abstraction, table, options)),
        ),
      );
      expect(counted).toEqual(expected);
      kinds.add((expected as { name?: string }).name ?? 'model');
    }
    expect(kinds).toContain('model');
    expect(kinds.size).toBeGreaterThan(1);
  });
});
