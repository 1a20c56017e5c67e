import '../../../bindings/solvers/kernel/inline.js';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { withDuckDb } from '../../../bindings/face/node/index.js';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-sql-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = (name: string): string => join(folder, name);

writeFileSync(
  path('spec.yaml'),
  `version: 1
predicates:
  hot: 'temperature > 80'
  burnt: 'temperature > 100 && toast == "in"'
rules:
  neverBurnt: { formula: 'G !burnt', threshold: 0.3 }
`,
);
const runs = Array.from({ length: 20 }, (_, run) =>
  (run % 4 === 0 ? [20, 90, 120] : run % 4 === 1 ? [20, 90, 40] : [20, 40]).map((temperature, step) => ({
    trace: `run${String(run).padStart(2, '0')}`,
    step,
    complete: run % 5 !== 0,
    temperature,
    toast: step === 0 ? null : 'in',
  })),
);
writeFileSync(
  path('traces.jsonl'),
  runs
    .map((steps) =>
      JSON.stringify({
        id: steps[0].trace,
        complete: steps[0].complete,
        steps: steps.map(({ temperature, toast }) => ({
          state: { temperature, ...(toast !== null && { toast }) },
        })),
      }),
    )
    .join('\n'),
);
const header = 'trace,step,complete,temperature,toast';
writeFileSync(
  path('steps.csv'),
  `${[header, ...runs.flat().map((row) => Object.values(row).join(','))].join('\n')}\n`,
);
await withDuckDb({}, async (query) => {
  await query(`COPY (SELECT * FROM read_csv('${path('steps.csv')}')) TO '${path('steps.parquet')}'`);
});

const learn = (...more: string[]): ReturnType<typeof foreguard> =>
  foreguard('learn', '-s', path('spec.yaml'), ...more);

describe('foreguard learn --engine duckdb', () => {
  it.each(['traces.jsonl', 'steps.csv', 'steps.parquet', '*.parquet'])(
    'writes the model of the streaming counter, byte by byte, from %s',
    async (file) => {
      expect((await learn('-t', path('traces.jsonl'), '-o', path('streamed.umb'))).code).toBe(0);
      const counted = await learn(
        ...['-t', path(file), '-o', path('counted.umb'), '--engine', 'duckdb'],
        ...['--memory-limit', '1GB', '--threads', '2'],
      );
      expect(counted).toMatchObject({ code: 0, err: '' });
      expect(counted.out).toContain('20 traces (4 cut short), 50 steps');
      expect(readFileSync(path('counted.umb')).equals(readFileSync(path('streamed.umb')))).toBe(true);
    },
  );

  it('leaves out lines that are no trace where asked to, and refuses them otherwise', async () => {
    writeFileSync(path('broken.jsonl'), `${readFileSync(path('traces.jsonl'), 'utf8')}\n{"id": "cut`);
    const engine = ['-t', path('broken.jsonl'), '-o', path('broken.umb'), '--engine', 'duckdb'];
    const refused = await learn(...engine);
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toContain('broken.jsonl: line 21 of all that hold something is not a trace');
    const { out, code } = await learn(...engine, '--skip-invalid');
    expect(code).toBe(0);
    expect(out).toContain('1 line left out that held no trace');
  });

  it.each([
    [['-t', 'traces.mcap', '-o', 'm.umb', '--engine', 'duckdb'], 'the engine duckdb reads .parquet'],
    [['-t', 'a.csv', 'b.parquet', '-o', 'm.umb', '--engine', 'duckdb'], 'the files are csv and parquet'],
    [['-t', 'none.parquet', '-o', 'm.umb', '--engine', 'duckdb'], 'No files found'],
    [['-t', 'none.jsonl', '-o', 'm.umb', '--memory-limit', '1GB'], '--memory-limit does not go with'],
    [['-t', 'none.csv', '-o', 'm.umb', '--engine', 'duckdb', '--memory-limit', 'much'], 'memory limit much'],
    [['-t', 'none.csv', '-o', 'm.umb', '--engine', 'duckdb', '--topics', '/a'], '--topics does not go with'],
    [['-o', 'm.umb'], "required option '--traces' not specified"],
    [['-t', 'none.jsonl'], "required option '--output' not specified"],
    [['--emit-sql', 'spark', '-o', 'm.umb'], '--output does not go with'],
    [['--emit-sql', 'spark'], 'predicate "hot" reads temperature, which --columns does not have'],
    [['--emit-sql', 'spark', '--columns', 'temperature'], 'such as speed=number'],
    [
      ['--emit-sql', 'spark', '--columns', 'temperature=number,toast=text,completed=boolean'],
      'there is a column "completed" and none "complete"; did you mean complete',
    ],
    [['--emit-sql', 'spark', '-t', 'a.parquet'], "only DuckDB's own statement reads files"],
  ])('refuses %j', async (options, message) => {
    const { out, err, code } = await learn(...options);
    expect({ out, code }).toEqual({ out: '', code: 2 });
    expect(err).toContain(message);
  });
});

describe('foreguard learn --emit-sql', () => {
  const columns = ['--columns', 'trace=text,complete=boolean,temperature=number,toast=text'];

  it.each(['duckdb', 'postgresql', 'spark'])('prints one statement of %s', async (dialect) => {
    const { out, err, code } = await learn('--emit-sql', dialect, '--table', 'lab.runs', ...columns);
    expect({ err, code }).toEqual({ err: '', code: 0 });
    expect(out).toMatch(/^WITH steps AS/);
    expect(out).not.toContain(';');
    expect(out).toContain(dialect === 'spark' ? 'FROM `lab`.`runs`' : 'FROM "lab"."runs"');
  });

  it('prints what DuckDB runs over files, with the statement that finds problems', async () => {
    const { out, code } = await learn('--emit-sql', 'duckdb', '-t', path('steps.parquet'), '--json');
    expect(code).toBe(0);
    const { statement, problems } = JSON.parse(out);
    await withDuckDb({}, async (query) => {
      const { rows } = await query<{ source_state: number; draws: string }>(statement);
      const starts = rows.filter(({ source_state }) => source_state === -1);
      expect(starts.map(({ draws }) => draws)).toEqual(['20']);
      expect((await query(problems)).rows).toEqual([]);
    });
  });

  it('says which part of a predicate a dialect cannot express', async () => {
    writeFileSync(
      path('regex.yaml'),
      readFileSync(path('spec.yaml'), 'utf8').replace('toast == "in"', 'toast.matches("i.")'),
    );
    const { err, code } = await foreguard(
      'learn',
      '-s',
      path('regex.yaml'),
      '--emit-sql',
      'spark',
      ...columns,
    );
    expect(code).toBe(2);
    expect(err).toContain(
      'predicate "burnt":1:28: "toast.matches(\\"i.\\")" cannot be translated to SQL of spark',
    );
  });
});
