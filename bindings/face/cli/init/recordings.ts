import { InvalidDataError } from '../../../base/errors.js';
import { comment, plain, quoted } from '../../../base/yamlText.js';
import { checkPredicateName } from '../../../observations/abstraction/index.js';
import type { Step } from '../../../observations/trace/index.js';
import { parseSpecification } from '../../../rules/specification/index.js';
import { TraceFiles, type TraceOptions } from '../inputs.js';
import { formatNumber, plural } from '../terminal.js';
import type { DraftedRule, DraftedTool } from './draftedRules.js';
import { effectOf } from './effects.js';
import { RecordedValues } from './recordedValues.js';
import type { ArgumentType, ToolArgument } from './toolArguments.js';

/** What traces hold: values of the state's fields, and of the arguments of calls. */
export interface Recordings {
  readonly traces: number;
  readonly steps: number;
  readonly state: RecordedValues;
  /** The arguments of the calls of each tool. */
  readonly calls: ReadonlyMap<string, RecordedValues>;
  readonly notes: readonly string[];
}

/** Fields that follow from calls alone, or that a session is told: `docs/enforcement.md` says what they are. */
const OF_CALLS = [
  'lastTool',
  'lastToolFailed',
  'lastArguments',
  'lastResult',
  'calls',
  'failures',
  'history',
  'principal',
];

/** Reads traces, whatever their format. @throws as readers of traces do */
export async function recordingsOf(options: TraceOptions): Promise<Recordings> {
  // No predicate is known yet, so that every field is read. The draft is of values, whatever the order of the times.
  const any = parseSpecification("version: 1\nrules: { any: { formula: 'true' } }");
  const files = new TraceFiles(options, { ...any, resample: 'skip' }, () => undefined);
  const back: string[] = [];
  const state = new RecordedValues();
  const calls = new Map<string, RecordedValues>();
  let [traces, steps] = [0, 0];
  for await (const trace of files) {
    traces++;
    const descent = firstDescent(trace.steps);
    if (descent >= 0) back.push(`trace "${trace.id}", step ${descent}`);
    for (const { state: fields, action } of trace.steps) {
      steps++;
      state.add(Object.fromEntries(Object.entries(fields).filter(([name]) => !OF_CALLS.includes(name))));
      if (action === undefined) continue;
      const known = calls.get(action.name) ?? new RecordedValues();
      calls.set(action.name, known);
      known.add(action.arguments ?? {});
    }
  }
  const told = files.notes.map(({ message }) => message);
  return { traces, steps, state, calls, notes: [...told, ...descents(back, traces)] };
}

/** The first step with a time before that of an earlier one; -1 if there is none. */
function firstDescent(steps: readonly Step[]): number {
  let latest = Number.NEGATIVE_INFINITY;
  return steps.findIndex(({ time = latest }) => {
    const goesBack = time < latest;
    latest = Math.max(latest, time);
    return goesBack;
  });
}

function descents(back: readonly string[], traces: number): string[] {
  if (back.length === 0) return [];
  return [
    `the clock goes back in ${back.length} of ${plural(traces, 'trace')}, the first time at ${back[0]}: other commands read such traces under resample: hold or skip alone, beside a samplingPeriod`,
  ];
}

/** The tools that were called, with arguments as they were given. */
export function recordedTools({ calls }: Recordings): DraftedTool[] {
  return Array.from(calls, ([name, values]): DraftedTool => {
    const tool = { name, description: '', schema: null, readOnly: null, destructive: null };
    const times = `${plural(values.count, 'recorded call')}`;
    return { ...tool, description: times, arguments: argumentsOf(values), ...effectOf(tool) };
  });
}

function argumentsOf({ fields, count }: RecordedValues): ToolArgument[] {
  return Array.from(fields, ([name, values]) => ({
    name,
    type: typeOf(values),
    of: values.elements === null ? 'any' : typeOf(values.elements),
    fields: [...argumentsOf(values), ...(values.elements === null ? [] : argumentsOf(values.elements))],
    format: '',
    description: '',
    required: values.count === count,
    values: null,
    minimum: null,
    maximum: null,
  }));
}

function typeOf(values: RecordedValues): ArgumentType {
  const whole = values.integers === values.numbers ? 'integer' : 'number';
  const kinds: readonly (readonly [number, ArgumentType])[] = [
    [values.texts, 'text'],
    [values.numbers, whole],
    [values.booleans, 'boolean'],
    [values.lists, 'list'],
    [values.maps, 'map'],
  ];
  const found = kinds.filter(([times]) => times > 0);
  return found.length === 1 && values.nulls === 0 ? found[0][1] : 'any';
}

/** A predicate that recordings suggest. */
interface Candidate {
  readonly name: string;
  readonly expression: string;
  /** How often it was true, as `5% of 240 steps`; empty if it was not counted. */
  readonly often: string;
}

/** What recordings hold, field by field, and predicates that follow from it; lines of comments. */
export function candidateLines(recordings: Recordings, from: string): string[] {
  const { traces, steps, state, calls } = recordings;
  const names = new Set<string>();
  const fields = linesOf(state.fields, '', '', steps, 'step', names);
  const given = Array.from(calls).flatMap(([tool, values]) =>
    linesOf(
      values.fields,
      'action.arguments.',
      `has(action.name) && action.name == ${quoted(tool)} && `,
      values.count,
      `call of ${comment(tool, 40)}`,
      names,
    ),
  );
  const lines = [...fields, ...given];
  if (lines.length === 0) return [];
  return [
    `Recorded in ${plural(traces, 'run')} of ${comment(from, 60)}, ${plural(steps, 'step')}: fields, and predicates to choose from.`,
    ...lines,
  ];
}

const MAX_LINES = 200;

function linesOf(
  fields: ReadonlyMap<string, RecordedValues>,
  path: string,
  context: string,
  total: number,
  unit: string,
  names: Set<string>,
): string[] {
  const lines = Array.from(fields).flatMap(([name, values]) => {
    const field = fieldPath(path, name);
    if (field === null) return [];
    // Of the state itself `has` cannot ask.
    const read = values.count === total || path === '' ? '' : `has(${field}) && `;
    const told = `${comment(field, 60)}: ${describe(values)}, in ${share(values.count, total)} of ${plural(total, unit, `${unit.replace(/^(step|call)/, '$1s')}`)}`;
    const inner = path === '' ? linesOfNested(values, field, total, unit, names) : [];
    const candidates = candidatesOf(field, name, values).map(({ name: wish, expression, often }) => {
      const unique = uniqueName(wish, names);
      const whole = `${context}${read}${expression}`;
      return `${plain(unique)}: '${whole.replaceAll("'", "''")}'${often === '' ? '' : ` # ${often}`}`;
    });
    return [told, ...candidates, ...inner];
  });
  return lines.length > MAX_LINES
    ? [...lines.slice(0, MAX_LINES), `… and ${lines.length - MAX_LINES} more lines`]
    : lines;
}

/** The fields of a map, one level down. */
function linesOfNested(
  values: RecordedValues,
  field: string,
  total: number,
  unit: string,
  names: Set<string>,
): string[] {
  if (values.maps !== values.count) return [];
  return linesOf(values.fields, `${field}.`, '', total, unit, names);
}

function fieldPath(path: string, name: string): string | null {
  if (!/^[A-Za-z_]\w*$/.test(name) || ['in', 'true', 'false', 'null'].includes(name)) return null;
  return path === '' && (name === 'time' || name === 'action') ? null : `${path}${name}`;
}

function uniqueName(wish: string, names: Set<string>): string {
  const word = wish.replace(/\W+/g, '_').replace(/^(?=\d)/, '_') || 'predicate';
  let name = word;
  for (let i = 2; names.has(name) || isReserved(name); i++) name = `${word}${i}`;
  names.add(name);
  return name;
}

function isReserved(name: string): boolean {
  try {
    checkPredicateName(name);
    return false;
  } catch {
    return true;
  }
}

function describe(values: RecordedValues): string {
  const parts: string[] = [];
  if (values.numbers > 0)
    parts.push(
      `${values.integers === values.numbers ? 'integer' : 'number'}, ${range(values.minimum, values.maximum)}`,
    );
  if (values.texts > 0)
    parts.push(
      values.values === null
        ? 'text, of many values'
        : `text, ${[...values.values]
            .sort((a, b) => b[1] - a[1])
            .map(([text, times]) => `${comment(quoted(text), 40)} ${share(times, values.texts)}`)
            .join(', ')}`,
    );
  if (values.booleans > 0) parts.push(`boolean, true ${share(values.trues, values.booleans)}`);
  if (values.lists > 0) parts.push(`list of at most ${values.longest}`);
  if (values.maps > 0) parts.push(`map with ${comment([...values.fields.keys()].join(', '), 60)}`);
  if (values.nulls > 0) parts.push(`null ${share(values.nulls, values.count)}`);
  return parts.join(' or ');
}

function range(from: number, to: number): string {
  return from === to ? `always ${formatNumber(from)}` : `${formatNumber(from)} to ${formatNumber(to)}`;
}

function share(part: number, whole: number): string {
  if (part === whole) return '100%';
  if (part === 0) return '0%';
  const percent = (100 * part) / whole;
  return percent < 1 ? '<1%' : percent > 99 ? '>99%' : `${Math.round(percent)}%`;
}

/** Predicates that a field suggests: each of few texts, a high number, a truth. */
function candidatesOf(field: string, name: string, values: RecordedValues): Candidate[] {
  const capital = (text: string): string => text.replace(/^./, (letter) => letter.toUpperCase());
  const kinds = [values.numbers, values.texts, values.booleans, values.lists, values.maps, values.nulls];
  if (kinds.filter((times) => times > 0).length !== 1) return [];
  if (values.booleans > 0) return [{ name, expression: field, often: '' }];
  if (values.texts > 0 && values.values !== null && values.values.size > 1) {
    return Array.from(values.values, ([text, times]) => ({
      name: `${name}${capital(text.slice(0, 30))}`,
      expression: `${field} == ${quoted(text)}`,
      often: `${share(times, values.count)}`,
    }));
  }
  if (values.numbers > 0 && values.minimum < values.maximum) {
    const high = Number(values.quantile(0.95).toPrecision(3));
    // Where more than a few are as high as any, the highest value itself tells them from the others.
    const [operator, bound] =
      high < values.maximum && high >= values.minimum
        ? (['>', high] as const)
        : (['>=', values.maximum] as const);
    const often = `about ${share(values.above(bound, operator === '>='), values.sampled)}`;
    return [{ name: `${name}High`, expression: `${field} ${operator} ${bound}`, often }];
  }
  if (values.lists > 0 && values.longest > 0)
    return [
      { name: `many${capital(name)}`, expression: `size(${field}) > ${values.longest}`, often: 'never' },
    ];
  return [];
}

/**
 * For recordings without calls: a rule that only reports, where a field of every step leaves the values that it was recorded with.
 *
 * @throws InvalidDataError if no field has a range or a few values
 */
export function asRecorded({ state, steps }: Recordings, from: string): DraftedRule {
  const conditions: string[] = [];
  const sample: Record<string, unknown> = {};
  for (const [name, values] of state.fields) {
    const field = fieldPath('', name);
    if (field === null || values.count !== steps) continue;
    if (values.numbers === steps) {
      conditions.push(`${field} < ${values.minimum} || ${field} > ${values.maximum}`);
      sample[name] = values.minimum;
    } else if (values.texts === steps && values.values !== null) {
      conditions.push(`!(${field} in [${[...values.values.keys()].map(quoted).join(', ')}])`);
      [sample[name]] = values.values.keys();
    } else if (values.lists === steps) {
      conditions.push(`size(${field}) > ${values.longest}`);
      sample[name] = [];
    } else if (values.booleans === steps && values.trues % steps === 0) {
      conditions.push(values.trues === 0 ? field : `!${field}`);
      sample[name] = values.trues !== 0;
    }
  }
  if (conditions.length === 0)
    throw new InvalidDataError(
      `${from} has no field that is a number, a text of few values or a list in every step; expected steps such as {"state": {"speed": 3}}`,
    );
  return {
    name: 'asRecorded',
    says: 'Reports, and stops nothing, where a field has a value that was never recorded.',
    isChoice: false,
    predicate: 'neverRecorded',
    condition: conditions.join(' || '),
    strategy: 'report',
    passes: [{ call: 'act', state: sample }],
    stops: [],
  };
}
