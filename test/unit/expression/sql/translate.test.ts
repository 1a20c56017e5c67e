import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NotSupportedError } from '../../../../bindings/base/errors.js';
import {
  compilePredicate,
  loadRegexEngine,
  parseExpression,
  type SqlRow,
  sqlDialect,
  translateCondition,
} from '../../../../bindings/languages/expression/index.js';
import { condition, environment, type Json } from '../randomExpressions.js';

await loadRegexEngine();
const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
const connection = await instance.connect();
const duckdb = sqlDialect('duckdb');

const jsonRow: SqlRow = {
  field: (name) => ({ kind: 'any', sql: duckdb.json!.field('state', name) }),
};

/** True, false, or null where evaluation fails. */
function ours(source: string, state: Record<string, Json>): boolean | null {
  try {
    return compilePredicate(parseExpression(source))(state, {});
  } catch (error) {
    if ((error as Error).name === 'EvaluationError') return null;
    throw error;
  }
}

/** The translation, or undefined where it is refused. */
function translated(source: string): string | undefined {
  try {
    return translateCondition(parseExpression(source), jsonRow, duckdb);
  } catch (error) {
    expect(error).toBeInstanceOf(NotSupportedError);
    return undefined;
  }
}

async function evaluate(sql: string, state: Record<string, Json>): Promise<unknown> {
  const table = `(SELECT CAST(${duckdb.text(JSON.stringify(state))} AS JSON) AS state)`;
  return (await connection.runAndReadAll(`SELECT ${sql} FROM ${table}`)).getRows()[0][0];
}

describe('translateCondition', () => {
  it('gives what evaluation gives over random states, failures included, or refuses', async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(condition, environment, async (source, state) => {
        let expected: boolean | null;
        try {
          expected = ours(source, state);
        } catch {
          return; // Types that cannot fit are refused before anything is translated.
        }
        const sql = translated(source);
        // What is long takes its time to plan.
        if (sql === undefined || sql.length > 5000) return;
        try {
          expect(await evaluate(sql, state), source).toBe(expected);
          compared++;
        } catch (error) {
          if (!String(error).includes('which the translation to SQL does not do')) throw error;
        }
      }),
      { numRuns: 300 },
    );
    expect(compared).toBeGreaterThan(45);
  });

  it('fails where values of different types are compared, and knows null from all', async () => {
    const state = { n: 1, s: '1', b: true, l: [1], o: {}, z: null };
    const fields = ['n', 's', 'b', 'l', 'o', 'z', '1', '"1"', 'true', 'null'];
    let failed = 0;
    for (const left of fields) {
      for (const right of fields) {
        for (const operator of ['==', '!=']) {
          const source = `${left} ${operator} ${right}`;
          // Literals of two types are refused before; two lists, or two maps, by the translation.
          if (/^[1t"]/.test(left) && /[1te"]$/.test(right)) continue;
          if (left === right && 'lo'.includes(left)) continue;
          const expected = ours(source, state);
          expect(await evaluate(translated(source)!, state), source).toBe(expected);
          if (expected === null) failed++;
        }
      }
    }
    expect(failed).toBe(88);
    for (const source of ['b in [1, "true", null]', '1 in ["1", true]', 'n in l && !(s in l) && !(z in l)'])
      expect(await evaluate(translated(source)!, state), source).toBe(ours(source, state));
  });

  it('keeps variables of nested macros apart, whatever they shadow', async () => {
    const state = { a: [1], b: [2], c: [3], d: [4] };
    const nested = (body: string): string => `a.exists(x, b.exists(y, c.exists(x, d.exists(z, ${body}))))`;
    for (const body of ['x == 3 && y == 2 && z == 4', 'x == z', 'x in c && !(z in c)']) {
      const source = nested(body);
      expect(await evaluate(translated(source)!, state), source).toBe(ours(source, state));
    }
  });
});
