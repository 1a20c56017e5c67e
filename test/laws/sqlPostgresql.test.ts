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
import { startPostgres } from '../postgresql.js';
import { flatCases, flatTable, outcome, streamed } from './stepTables.js';

const server = await startPostgres();
afterAll(() => server?.stop());

describe('counting in PostgreSQL', () => {
  if (server === undefined) {
    it.skip('no server of PostgreSQL can be started here: not tested', () => undefined);
    return;
  }
  it('comes to the streaming counter over flat tables, to the last digit', async () => {
    const { query } = server;
    const dialect = sqlDialect('postgresql');
    await fc.assert(
      fc.asyncProperty(flatCases, async (one) => {
        const { abstraction, traces, options } = one;
        const table = flatSteps(flatTable(traces, dialect), dialect);
        const counted = await outcome(async () =>
          learnFromCounts(
            abstraction,
            await query<CountRow>(countingStatement(abstraction, table, options)),
            options,
            () => query<ProblemRow>(problemsStatement(abstraction, table, options)),
          ),
        );
        expect(counted).toEqual(await streamed(one));
      }),
      { numRuns: 30 },
    );
  });
});
