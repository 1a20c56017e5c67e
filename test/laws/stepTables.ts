import fc from 'fast-check';
import {
  type FlatTable,
  type LearnOptions,
  type LearntChain,
  learn,
} from '../../bindings/estimation/learning/index.js';
import type { SqlDialect } from '../../bindings/languages/expression/index.js';
import { Abstraction } from '../../bindings/observations/abstraction/index.js';
import type { Step, Trace } from '../../bindings/observations/trace/index.js';

/** Traces and a way to learn from them. */
export interface Case {
  readonly abstraction: Abstraction;
  readonly traces: readonly Trace[];
  readonly options: LearnOptions;
}

/** Predicates over the fields below; not all have a value everywhere, and one field is nowhere. */
const conditions = [
  'b',
  '!b || x > y',
  'x > 0',
  'x + y <= 1',
  'x - y != 0.5',
  'x / y > 1',
  '-n * 2 < x',
  'n % 3 == 1',
  'n in [1, 2, x]',
  'x == y',
  'x == null || s == "a"',
  'b && nowhere > 1',
  'b || nowhere > 1',
  'b ? x > 0 : s == "b"',
  's < "b"',
  's + "a" == "ba" || b != true',
  's.contains("a") && !s.endsWith("é")',
  's.startsWith("b")',
  'size(s) > 1',
  'has(action.name) && action.name == "go"',
  'action.name == "go" || n >= 0',
  'time > 1.5 || b',
];

const constraints = fc.record(
  {
    state: fc.constantFrom('true', '!(p0 && p1)', 'p0 || !p1'),
    transition: fc.constantFrom('!(from.p0 && !to.p0)', 'from.p1 == to.p1 || to.p0', 'true'),
    end: fc.constantFrom('p0', '!p1', 'true'),
  },
  { requiredKeys: [] },
);

const field = {
  x: fc.constantFrom(-1, -0, 0, 0.1, 0.5, 1, 2, 1e300, Number.POSITIVE_INFINITY, Number.NaN),
  y: fc.constantFrom(-1, -0, 0, 0.1, 0.5, 1, 2),
  n: fc.integer({ min: -3, max: 4 }),
  s: fc.constantFrom('', 'a', 'b', 'ba', "b'\\", 'é', '$' + '{x}', '😀', '\ue000'),
  b: fc.boolean(),
};

/** Cases over flat states: numbers `x`, `y`, `n`, a text `s`, a Boolean `b`, each sometimes missing. */
export const flatCases: fc.Arbitrary<Case> = fc
  .record({
    missing: fc.constantFrom(0, 0, 8),
    sources: fc.array(fc.constantFrom(...conditions), { minLength: 2, maxLength: 4 }),
    constraints,
    onContradiction: fc.constantFrom('error', 'dropTrace', 'accept', 'accept'),
    skipInvalid: fc.boolean(),
    smoothing: fc.constantFrom(0, 1, 0.1),
    periodic: fc.integer({ min: 0, max: 1 }),
  })
  .chain(({ missing, sources, constraints, onContradiction, skipInvalid, smoothing, periodic }) => {
    const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
      missing === 0 ? value : fc.option(value, { nil: undefined, freq: missing });
    const state = fc.record({ ...field, x: maybe(field.x), s: maybe(field.s), b: maybe(field.b) });
    const step = fc.record({ state, action: fc.option(fc.constantFrom('go', 'stop'), { nil: undefined }) });
    const run = fc.record({
      steps: fc.array(step, { minLength: 1, maxLength: 6 }),
      complete: fc.constantFrom(true, true, false),
      /** At which step a second is missing, if it is one of the run's. */
      late: fc.integer({ min: 1, max: 30 }),
      timed: fc.constantFrom(true, true, false),
    });
    const abstraction = new Abstraction({
      predicates: sources.map((expression, i) => ({ name: `p${i}`, expression })),
      constraints: constraints as Record<string, string>,
    });
    return fc.array(run, { minLength: 1, maxLength: 8 }).map(
      (runs): Case => ({
        abstraction,
        options: {
          onContradiction: onContradiction as 'accept',
          skipInvalid,
          smoothing,
          ...(periodic === 0 && { period: { seconds: 1, tolerance: 0.01 } }),
        },
        traces: runs.map(({ steps, complete, late, timed }, i) => ({
          id: `t${i}`,
          complete,
          steps: steps.map(
            ({ state, action }, at): Step => ({
              state: Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined)),
              // Off by less than the tolerance, so that sums of gaps show their order unless gaps are rounded.
              ...(timed && { time: (at >= late ? at + 1 : at) + 0.001 * ((i + at * at) % 5) }),
              ...(action !== undefined && { action: { name: action } }),
            }),
          ),
        })),
      }),
    );
  });

/** The traces as a table, whose rows are in another order than the steps. */
export function flatTable(traces: readonly Trace[], dialect: SqlDialect): FlatTable {
  const { double, varchar } = dialect;
  const cell = (value: unknown, type: string): string => {
    if (value === undefined) return `CAST(NULL AS ${type})`;
    if (typeof value === 'string') return dialect.text(value);
    if (typeof value !== 'number') return String(value).toUpperCase();
    return type === double ? `CAST('${Object.is(value, -0) ? '-0' : value}' AS ${double})` : String(value);
  };
  const rows = traces.flatMap(({ id, complete = true, steps }) =>
    steps.map(({ state: { x, y, n, s, b }, time, action }, step) =>
      [
        [id, varchar],
        [step, 'INTEGER'],
        [complete, 'BOOLEAN'],
        [time, double],
        [action?.name, varchar],
        [x, double],
        [y, double],
        [n, 'INTEGER'],
        [s, varchar],
        [b, 'BOOLEAN'],
      ].map(([value, type]) => cell(value, type as string)),
    ),
  );
  const values = rows.reverse().map((cells) => `(${cells.join(', ')})`);
  const names = ['trace', 'step', 'complete', 'time', 'action', 'x', 'y', 'n', 's', 'b'].map(
    dialect.identifier,
  );
  return {
    from: `(SELECT * FROM (VALUES ${values.join(', ')}) AS rows_given(${names.join(', ')}))`,
    columns: { trace: 'text', x: 'number', y: 'number', n: 'integer', s: 'text', b: 'boolean' },
    complete: 'complete',
    time: 'time',
    action: 'action',
  };
}

/** What learning came to, as far as it must be the same whoever counts: messages of predicates that fail are not. */
export async function outcome(learning: () => Promise<LearntChain>): Promise<unknown> {
  try {
    const { model, report } = await learning();
    const { skipped, ...others } = report;
    return { model, ...others, skipped: skipped.count, places: skipped.first.map(placeIn) };
  } catch (error) {
    const { name, message } = error as Error;
    return { name, place: placeIn(message) };
  }
}

function placeIn(message: string): string {
  return /^trace "[^"]*", step \d+|^there are no traces[^;]*/.exec(message)?.[0] ?? message;
}

/** What the streaming counter comes to. */
export function streamed({ abstraction, traces, options }: Case): Promise<unknown> {
  return outcome(() => learn(abstraction, traces, options));
}
