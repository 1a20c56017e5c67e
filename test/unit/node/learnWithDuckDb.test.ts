import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  EvaluationError,
  InvalidArgumentError,
  InvalidDataError,
  KernelError,
  NotSupportedError,
  ParseError,
} from '../../../bindings/base/errors.js';
import { learn } from '../../../bindings/estimation/learning/index.js';
import {
  type DuckDbLearnOptions,
  learnWithDuckDb,
  readTraceFiles,
  withDuckDb,
} from '../../../bindings/face/node/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import { RecordedClock, type Trace } from '../../../bindings/observations/trace/index.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-engine-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = (name: string): string => join(folder, name);

const over = (...expressions: string[]): Abstraction =>
  new Abstraction({ predicates: expressions.map((expression, i) => ({ name: `p${i}`, expression })) });

/** Writes a query's rows to a file of Parquet. */
async function parquet(name: string, query: string): Promise<string> {
  await withDuckDb({}, (run) => run(`COPY (${query}) TO '${path(name)}'`));
  return path(name);
}

async function readAll(file: string): Promise<Trace[]> {
  const traces: Trace[] = [];
  for await (const trace of readTraceFiles([file])) traces.push(trace);
  return traces;
}

const refusal = async (
  expressions: string[],
  file: string,
  options: DuckDbLearnOptions = {},
): Promise<Error> => {
  try {
    await learnWithDuckDb(over(...expressions), [file], options);
  } catch (error) {
    return error as Error;
  }
  throw new Error('was not refused');
};

describe('learnWithDuckDb', () => {
  it('reads structs as maps, lists and all other types as JSON, and NULL as a missing field', async () => {
    const file = await parquet(
      'types.parquet',
      `SELECT * FROM (VALUES
        (1, 0, {'x': 1, 'on': NULL}, [1, NULL], DATE '2026-11-22', CAST(0.3 AS DECIMAL(20, 3)), 'red', MAP {'k': 2}),
        (1, 1, {'x': 2, 'on': true}, [], DATE '2026-11-23', CAST(0.1 AS DECIMAL(20, 3)), 'green', MAP {}),
        (2, 0, NULL, NULL, NULL, CAST(9007199254740993.125 AS DECIMAL(20, 3)), NULL, NULL)
      ) AS rows_given(trace, step, pose, list, day, exact, light, map)`,
    );
    const states = [
      [
        { pose: { x: 1 }, list: [1, null], day: '2026-11-22', exact: 0.3, light: 'red', map: { k: 2 } },
        { pose: { x: 2, on: true }, list: [], day: '2026-11-23', exact: 0.1, light: 'green', map: {} },
      ],
      [{ exact: Number('9007199254740993.125') }],
    ];
    const abstraction = over(
      'exact != 9007199254740993.125 && pose.x > 1',
      'exact > 1e9 || has(pose.on) && pose.on',
      'exact > 1e9 || list.exists(e, e == null)',
      'exact > 1e9 || day < "2026-11-23"',
      'exact == 0.3 || exact == 9007199254740993.125',
      'exact > 1e9 || "k" in map',
      'exact > 1e9 || light in ["red", "amber"]',
    );
    const traces = states.map((steps, i) => ({
      id: String(i + 1),
      steps: steps.map((state) => ({ state })),
    }));
    const { model } = await learnWithDuckDb(abstraction, [file]);
    expect(model).toEqual((await learn(abstraction, traces)).model);
  });

  it('makes the history of recorded runs from the calls that answered, as the reader of JSON lines does', async () => {
    const call = (name: string, more: object = {}) => ({ name, failed: false, ...more });
    const runs = [
      [
        { state: {}, answered: [] },
        { state: {}, answered: [call('pay', { arguments: { n: 2 } }), call('look')] },
        { state: { history: [call('own')] }, answered: [call('pay', { arguments: { n: 5 } })] },
        { state: {}, answered: [] },
      ],
      [
        { state: { history: [] } },
        { state: {}, answered: [call('pay', { arguments: { n: 1 }, failed: true, time: 3.5 })] },
      ],
    ];
    const file = path('recorded.jsonl');
    writeFileSync(file, runs.map((steps, i) => JSON.stringify({ id: `${i}`, steps })).join('\n'));
    const abstraction = over(
      'size(history) > 2',
      'history.exists(c, c.name == "own")',
      'history.exists(c, c.name == "pay" && c.arguments.n > 2)',
      'history.exists(c, c.failed && has(c.time) && c.time > 3)',
    );
    const { model } = await learnWithDuckDb(abstraction, [file]);
    expect(model).toEqual((await learn(abstraction, await readAll(file))).model);
    // Each predicate is true in some state.
    expect(model.valuations?.values.slice(0, 4).every((values) => Array.from(values).some(Boolean))).toBe(
      true,
    );
  });

  it.each([[{ a: 1 }], [null], [[{ name: 'a' }]], [[7]]])(
    'refuses %j in place of the calls that answered',
    async (answered) => {
      const file = path('answered.jsonl');
      writeFileSync(file, JSON.stringify({ id: 'a', steps: [{ state: { x: 1 }, answered }] }));
      expect((await refusal(['x > 0'], file)).message).toContain('answered.jsonl');
      await expect(readAll(file)).rejects.toThrow('answered');
    },
  );

  it('takes columns of other names, and those that have no role are fields', async () => {
    const file = await parquet(
      'named.parquet',
      `SELECT 'a' AS run, 0.5 AS at, true AS complete, false AS ended, 1 AS x`,
    );
    const columns = { trace: 'run', step: 'at', complete: 'ended' };
    const { report, model } = await learnWithDuckDb(over('complete', 'x == 1'), [file], { columns });
    expect(report).toMatchObject({ traces: 1, steps: 1, censored: 1 });
    expect(model.valuations?.values.slice(0, 2).map((values) => values[1])).toEqual([true, true]);
  });

  it('orders traces by code points, whatever the order of rows', async () => {
    const file = await parquet(
      'order.parquet',
      `SELECT * FROM (VALUES ('b', 0, 1), ('B', 0, 2), ('é', 0, 3), ('a', 0, 4)) AS rows_given(trace, step, x)`,
    );
    const { model } = await learnWithDuckDb(over('x == 1', 'x == 2', 'x == 3', 'x == 4'), [file]);
    const discovered = [1, 2, 3, 4].map((state) =>
      model.valuations!.values.findIndex((values) => values[state]),
    );
    expect(discovered).toEqual([1, 3, 0, 2]);
  });

  it('counts beyond 62 predicates', async () => {
    const file = await parquet(
      'many.parquet',
      `SELECT i // 5 AS trace, i % 5 AS step, hash(i) % 100 AS x FROM range(50) AS r(i)`,
    );
    const abstraction = over(...Array.from({ length: 70 }, (_, i) => `x > ${i}`));
    const rows = await withDuckDb(
      {},
      async (query) =>
        (await query<{ x: string }>(`SELECT CAST(x AS INTEGER) AS x FROM '${file}' ORDER BY trace, step`))
          .rows,
    );
    const traces = Array.from({ length: 10 }, (_, i) => ({
      id: String(i),
      steps: rows.slice(5 * i, 5 * i + 5).map((state) => ({ state })),
    }));
    expect((await learnWithDuckDb(abstraction, [file])).model).toEqual(
      (await learn(abstraction, traces)).model,
    );
  });

  it('names the predicate that fails, and its place', async () => {
    const file = await parquet(
      'fails.parquet',
      `SELECT 'a' AS trace, i AS step, CASE WHEN i < 2 THEN 1.5 END AS x FROM range(3) AS r(i)`,
    );
    const error = await refusal(['x > 0'], file);
    expect(error).toBeInstanceOf(EvaluationError);
    expect(error.message).toContain('trace "a", step 2: predicate "p0" has no value there: x > 0');
    expect((error as EvaluationError).predicate).toBe('p0');
    const skipped = await refusal(['x > 0'], file, { skipInvalid: true });
    expect(skipped.message).toContain('no traces to learn from (1 were skipped');
  });

  it.each([
    [
      "SELECT 'a' AS trace, 0 AS step, 1 AS x UNION ALL SELECT 'a', 0, 2",
      'the next step has the same number',
    ],
    ["SELECT 'a' AS trace, NULL::INTEGER AS step, 1 AS x", 'its trace or its number is NULL'],
    ['SELECT NULL::VARCHAR AS trace, 0 AS step, 1 AS x', 'its trace or its number is NULL'],
  ])('refuses steps without a place of their own: %s', async (rows, message) => {
    const file = await parquet('places.parquet', rows);
    for (const skipInvalid of [false, true]) {
      const error = await refusal(['x > 0'], file, { skipInvalid });
      expect(error).toBeInstanceOf(InvalidDataError);
      expect(error.message).toContain(message);
    }
  });

  it.each([
    ['SELECT 0 AS step, 1 AS x', {}, 'there is no column "trace" for the trace; found step, x'],
    [
      "SELECT 1 AS trace, 'one' AS step",
      {},
      'column "step", the step\'s number, is VARCHAR; expected integer',
    ],
    ['SELECT 1 AS trace, 1 AS step, 1 AS complete', {}, 'is INTEGER; expected boolean'],
    ['SELECT 1 AS trace, 1 AS step', { columns: { time: 'seconds' } }, 'there is no column "seconds"'],
  ])('refuses columns that do not fit: %s', async (rows, options, message) => {
    const error = await refusal(['true'], await parquet('columns.parquet', rows), options);
    expect(error).toBeInstanceOf(InvalidArgumentError);
    expect(error.message).toContain(message);
  });

  it('refuses to resample in SQL, and steps of which only some have a time', async () => {
    const file = await parquet(
      'times.parquet',
      `SELECT 1 AS trace, i AS step, CASE WHEN i <> 1 THEN i END AS time FROM range(3) AS r(i)`,
    );
    const period = { seconds: 1, tolerance: 0.1 };
    const resampled = await refusal(['true'], file, { period: { ...period, resample: 'hold' } });
    expect(resampled).toBeInstanceOf(NotSupportedError);
    expect(resampled.message).toContain('resample: hold is not done in SQL');
    expect((await refusal(['true'], file, { period })).message).toContain('only one of the two has a time');
  });

  it('adds up the gaps that are regular, and no infinite one, and leaves the same model', async () => {
    const file = await parquet(
      'gaps.parquet',
      `SELECT trace, step, CAST(time AS DOUBLE) AS time FROM (VALUES
        ('a', 0, '0'), ('a', 1, '0.109'), ('a', 2, '0.2018'), ('b', 0, 'inf'), ('b', 1, '0'), ('b', 2, '0.1091'),
        ('c', 0, 'nan'), ('c', 1, '7'), ('d', 0, '0'), ('d', 1, '0.3')) AS times(trace, step, time)`,
    );
    const times = { a: [0, 0.109, 0.2018], b: [Infinity, 0, 0.1091], c: [Number.NaN, 7], d: [0, 0.3] };
    const traces = Object.entries(times).map(([id, all]) => ({
      id,
      steps: all.map((time) => ({ state: {}, time })),
    }));
    const options = { period: { seconds: 0.1, tolerance: 0.1 }, skipInvalid: true };
    const { model, report } = await learnWithDuckDb(over('true'), [file], options);
    expect(report.resampled.onTime?.gaps).toBe(3);
    expect(model).toEqual((await learn(over('true'), traces, options)).model);
  });

  it.each([
    ['{"a": 1} == x', 'maps are not written in SQL'],
    ['x + [1] == x', 'lists are not joined'],
    ['pose == pose', 'lists and maps are not compared'],
    ['pose[s] == 1', 'which column is meant is not known before'],
    ['s.matches(s)', 'a pattern from data may be invalid'],
    ['[x][0] == 1', 'lists of the source have no places in SQL'],
  ])('refuses %s', async (expression, message) => {
    const { loadRegexEngine } = await import('../../../bindings/languages/expression/index.js');
    await loadRegexEngine();
    const file = await parquet(
      'refused.parquet',
      `SELECT 1 AS trace, 1 AS step, 1 AS x, 's' AS s, {'a': 1} AS pose`,
    );
    const error = await refusal([expression], file);
    expect(error).toBeInstanceOf(NotSupportedError);
    expect(error.message).toMatch(/^predicate "p0":1:\d+: ".*" cannot be translated to SQL of duckdb: /);
    expect(error.message).toContain(message);
  });

  it.each([
    [
      '"completed": false',
      'line 2 of all that hold something has a field completed; expected no such field; did you mean complete?',
    ],
    ['"Complete": false', 'did you mean complete?'],
    ['"isComplete": false', 'did you mean complete?'],
    ['"IS_COMPLETED": false', 'did you mean complete?'],
    ['"not_recorded": {"y": "broken"}', 'did you mean notRecorded?'],
    ['"held_steps": 1', 'did you mean heldSteps?'],
    ['"heldSteps": -1', 'is not a trace'],
    ['"heldSteps": 0.5', 'is not a trace'],
    ['"heldSteps": 2', 'is not a trace'],
    ['"heldSteps": "1"', 'is not a trace'],
    ['"heldSteps": null', 'is not a trace'],
    ['"left_out_messages": 1', 'did you mean leftOutMessages?'],
    ['"leftOutMessages": -1', 'is not a trace'],
    ['"leftOutMessages": 0.5', 'is not a trace'],
    ['"leftOutMessages": "1"', 'is not a trace'],
    ['"leftOutMessages": null', 'is not a trace'],
    ['"complete": null', 'is not a trace'],
    ['"complete": "false"', 'is not a trace'],
    ['"complete": 0', 'is not a trace'],
    ['"notRecorded": ["y"]', 'is not a trace'],
    ['"notRecorded": null', 'is not a trace'],
    ['"notRecorded": {"y": 1}', 'is not a trace'],
    ['"notRecorded": {"y": "broken", "z.a": null}', 'is not a trace'],
  ])('refuses in the fields of a trace what the reader of JSON lines refuses: %s', async (field, message) => {
    const good = '{"id": "a", "steps": [{"state": {"x": 1}}]}';
    const file = path('fields.jsonl');
    writeFileSync(file, `${good}\n${good.replace('"steps"', `${field}, "steps"`)}\n`);
    const error = await refusal(['x > 0'], file);
    expect(error).toBeInstanceOf(InvalidDataError);
    expect(error.message).toContain(message);
    await expect(readAll(file)).rejects.toThrow(ParseError);
    const { report, unreadable } = await learnWithDuckDb(over('x > 0'), [file], { skipInvalid: true });
    expect({ traces: report.traces, unreadable }).toEqual({ traces: 1, unreadable: 1 });
  });

  it.each([
    '"complete": false, "completed": true',
    '"complete": false, "notRecorded": {}',
    '"complete": false, "heldSteps": 0',
    '"complete": false, "heldSteps": 1.0',
    '"complete": false, "leftOutMessages": 70.0',
    '"complete": false, "notRecorded": {"x.y": "broken", "a b": "never there"}, "steps_taken": 3, "recorded": true',
  ])('takes in the fields of a trace what the reader of JSON lines takes: %s', async (fields) => {
    const file = path('fields.jsonl');
    writeFileSync(file, `{"id": "a", ${fields}, "steps": [{"state": {"x": 1}}]}\n`);
    const { model } = await learnWithDuckDb(over('x > 0'), [file]);
    expect(model).toEqual((await learn(over('x > 0'), await readAll(file))).model);
  });

  it.each([
    [
      '"Action": {"name": "go"}',
      'has a step with a field Action; expected no such field; did you mean action?',
    ],
    ['"act": {"name": "go"}', 'did you mean action?'],
    ['"actions": []', 'did you mean action?'],
    ['"is_held": true', 'did you mean held?'],
    ['"answers": []', 'did you mean answered?'],
    ['"held": "true"', 'is not a trace'],
    ['"held": null', 'is not a trace'],
    ['"held": true}], "heldSteps": 2, "notes": [{"a": 1', 'is not a trace'],
    ['"held": true}], "heldSteps": 0, "notes": [{"a": 1', 'is not a trace'],
  ])('refuses in the fields of a step what the reader of JSON lines refuses: %s', async (field, message) => {
    const good = '{"id": "a", "steps": [{"state": {"x": 1}}, {"state": {"x": 1}}]}';
    const file = path('steps.jsonl');
    writeFileSync(file, `${good}\n${good.replace('}}]', `}, ${field}}]`)}\n`);
    expect((await refusal(['x > 0'], file)).message).toContain(message);
    await expect(readAll(file)).rejects.toThrow(ParseError);
    const { report, unreadable } = await learnWithDuckDb(over('x > 0'), [file], { skipInvalid: true });
    expect({ traces: report.traces, unreadable }).toEqual({ traces: 1, unreadable: 1 });
  });

  it('counts messages that no step has, of the traces that it counts, and leaves the same model', async () => {
    const file = path('leftOut.jsonl');
    const lines = [20, 0, undefined, 1, 2].map((leftOutMessages, i) =>
      JSON.stringify({
        id: `t${i}`,
        leftOutMessages,
        steps: [1, i, i === 3 ? null : 0].map((x) => ({ state: { x } })),
      }),
    );
    writeFileSync(file, lines.join('\n'));
    for (const period of [null, { seconds: 1, tolerance: 0.1 }]) {
      const options = { skipInvalid: true, period };
      const { model, report } = await learnWithDuckDb(over('x > 0'), [file], options);
      expect(report.resampled.leftOut).toBe(22);
      expect(model).toEqual((await learn(over('x > 0'), await readAll(file), options)).model);
    }
  });

  it('counts steps that are held, of the traces that it counts, and leaves the same model', async () => {
    const file = path('held.jsonl');
    const lines = [2, 0, undefined, 1, 2].map((heldSteps, i) =>
      JSON.stringify({
        id: `t${i}`,
        heldSteps,
        steps: [1, i, i === 3 ? null : 0].map((x) => ({ state: { x } })),
      }),
    );
    writeFileSync(file, lines.join('\n'));
    for (const period of [null, { seconds: 1, tolerance: 0.1 }]) {
      const options = { skipInvalid: true, period };
      const { model, report } = await learnWithDuckDb(over('x > 0'), [file], options);
      expect(report.resampled.held).toBe(4);
      expect(model).toEqual((await learn(over('x > 0'), await readAll(file), options)).model);
    }
  });

  it('counts the steps that are marked as held, as the reader of JSON lines does', async () => {
    const file = path('marked.jsonl');
    const steps = (marks: (boolean | undefined)[]) => marks.map((held, x) => ({ state: { x }, held }));
    const traces = [
      { id: 'a', steps: steps([undefined, true, true, false]) },
      { id: 'b', heldSteps: 1, steps: steps([false, true]) },
      { id: 'c', steps: steps([undefined, false]) },
      { id: 'd', heldSteps: 2, steps: steps([undefined, undefined]) },
    ];
    writeFileSync(file, traces.map((trace) => JSON.stringify(trace)).join('\n'));
    const { model, report } = await learnWithDuckDb(over('x > 0'), [file]);
    expect(report.resampled.held).toBe(5);
    expect(model).toEqual((await learn(over('x > 0'), await readAll(file))).model);
  });

  it('counts the held steps of a table, and refuses a near spelling', async () => {
    const [csv, misspelt] = [path('held.csv'), path('misspeltHeld.csv')];
    const rows = 'a,1,1,false\na,2,1,true\na,3,0,true\nb,1,1,\nb,2,1,true\n';
    writeFileSync(csv, `trace,step,x,held\n${rows}`);
    writeFileSync(misspelt, `trace,step,x,isHeld\n${rows}`);
    expect((await learnWithDuckDb(over('x > 0'), [csv])).report.resampled).toMatchObject({
      steps: 5,
      held: 3,
    });
    const { report } = await learnWithDuckDb(over('held && x > 0 || x > 0'), [csv], {
      columns: { held: null },
    });
    expect(report.resampled.held).toBe(0);
    expect((await refusal(['x > 0'], misspelt)).message).toContain(
      'there is a column "isHeld" and none "held"; did you mean held, true or false?',
    );
  });

  it('names the columns that a failing predicate reads, and says what to do about irregular times', async () => {
    const csv = path('types.csv');
    writeFileSync(csv, 'trace,step,v,on,time\na,1,1,1,0\na,2,n/a,0,5\n');
    const said = 'a field is missing, of the wrong type, or NaN';
    for (const [expression, columns] of [
      ['v > 5', 'column "v" is VARCHAR'],
      ['on', 'column "on" is BIGINT'],
      ['aspect == "red" && v > 5', 'there is no column "aspect", column "v" is VARCHAR'],
    ]) {
      const error = await refusal([expression], csv);
      expect(error).toBeInstanceOf(EvaluationError);
      expect(error.message).toBe(
        `trace "a", step 0: predicate "p0" has no value there: ${expression}; ${said} (${columns})`,
      );
    }
    const period = { seconds: 1, tolerance: 0.1 };
    expect((await refusal(['on == 1'], csv, { period })).message).toMatch(
      /^trace "a", step 1: it does not come a sampling period after the step before it, .*correct samplingPeriod\./,
    );
  });

  it('says the same of a missing time as without the engine', async () => {
    const file = path('timeInState.jsonl');
    const period = { seconds: 1, tolerance: 0.1 };
    for (const [step, note] of [
      [{ state: { x: 1, time: 3 } }, 'in their state'],
      [{ state: { x: 1, timestamp: 3 } }, '"timestamp"'],
      [{ state: { x: 1, Time: 12 } }, null],
      [{ state: { x: 1 }, Time: 3 }, '"Time"'],
    ] as const) {
      writeFileSync(file, JSON.stringify({ id: 'a', steps: [step, step] }));
      const { notes } = await learnWithDuckDb(over('x > 0'), [file], { period });
      const clock = new RecordedClock(period);
      for (const { steps } of await readAll(file)) clock.add(steps);
      const streamed = clock.describe();
      expect(notes.map(({ message }) => message)).toEqual(streamed);
      expect(streamed).toEqual(note === null ? [] : [expect.stringContaining(note)]);
    }
  });

  it.each(['completed', 'Complete', 'isComplete'])(
    'refuses a column %s where there is none complete',
    async (name) => {
      const rows = `SELECT 1 AS trace, 1 AS step, 1 AS x, false AS ${name}`;
      const file = await parquet('misspelt.parquet', rows);
      const message = `there is a column "${name}" and none "complete"; did you mean complete, true or false?`;
      const error = await refusal(['x > 0'], file);
      expect(error).toBeInstanceOf(InvalidArgumentError);
      expect(error.message).toContain(message);
      const csv = path('misspelt.csv');
      writeFileSync(csv, `trace,step,x,${name}\n1,1,1,false\n`);
      expect((await refusal(['x > 0'], csv)).message).toContain(message);
      for (const [complete, censored] of [
        [name, 1],
        [null, 0],
      ] as const) {
        const { report } = await learnWithDuckDb(over('x > 0'), [file], { columns: { complete } });
        expect(report.censored).toBe(censored);
      }
    },
  );

  it('works within its memory or says that it ends, and leaves no files', async () => {
    const file = await parquet(
      'large.parquet',
      `SELECT i // 50 AS trace, i % 50 AS step, hash(i) % 2 = 0 AS on FROM range(1000000) AS r(i)`,
    );
    // Others write to the usual folder meanwhile.
    const own = mkdtempSync(join(folder, 'tmp-'));
    vi.stubEnv('TMPDIR', own);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(tmpdir()).toBe(own);
    const { report } = await learnWithDuckDb(over('on'), [file], { memoryLimit: '60MB', threads: 2 });
    expect(report.steps).toBe(1_000_000);
    const error = await refusal(['on'], file, { memoryLimit: '1MB', threads: 1 });
    expect(error).toBeInstanceOf(KernelError);
    expect(readdirSync(own)).toEqual([]);
    expect(existsSync('.tmp')).toBe(false);
  });

  it('refuses a file that is given twice', async () => {
    const twice = path('twice.jsonl');
    writeFileSync(twice, '{"id": "a", "steps": [{"state": {"x": 1}}]}\n');
    await expect(learnWithDuckDb(over('x > 0'), [twice, twice])).rejects.toThrow(
      'twice.jsonl is given twice',
    );
  });

  it('says which file is no Parquet', async () => {
    writeFileSync(path('text.parquet'), 'no table');
    const error = await refusal(['true'], path('text.parquet'));
    expect(error).toBeInstanceOf(InvalidDataError);
    expect(error.message).toContain('text.parquet');
  });
});

describe('without the package', () => {
  afterEach(() => vi.doUnmock('@duckdb/node-api'));

  it('says how to install the engine', async () => {
    vi.doMock('@duckdb/node-api', () => {
      throw new Error('Cannot find package');
    });
    const error = await refusal(['true'], path('any.parquet'));
    expect(error).toBeInstanceOf(NotSupportedError);
    expect(error.message).toBe(
      'the engine duckdb is the package @duckdb/node-api, which is not there: npm install @duckdb/node-api',
    );
  });
});
