import { EvaluationError, InvalidDataError } from '../../base/errors.js';
import {
  type CountRow,
  countingStatement,
  type LearnOptions,
  type LearntChain,
  learnFromCounts,
  namesWithoutTime,
  type ProblemRow,
  problemsStatement,
  unreadableLines,
  withUnreadable,
} from '../../estimation/learning/index.js';
import {
  type Abstraction,
  type AbstractionDefinition,
  fieldsRead,
} from '../../observations/abstraction/index.js';
import {
  describeMissingTime,
  describeOffset,
  describeTimeLike,
  misspeltField,
  misspeltStepField,
  type TraceNote,
} from '../../observations/trace/index.js';
import { requireDistinctFiles } from './distinctFiles.js';
import { type DuckDbResources, type Query, withDuckDb } from './duckdb.js';
import {
  duckDbSteps,
  type StepFileFormat,
  type StepFileOptions,
  type StepFiles,
  stepFileFormat,
} from './duckdbSteps.js';

/** Options for learning from files with DuckDB. */
export interface DuckDbLearnOptions
  extends LearnOptions,
    DuckDbResources,
    Omit<StepFileOptions, 'skipInvalid'> {}

/** A chain, with the skipped lines and notes. */
export interface DuckDbLearntChain extends LearntChain {
  /** Lines of JSON that were not traces and were skipped. */
  readonly unreadable: number;
  /** With a sampling period: a field that may be the missing time of steps, and the deviation of the recorded clock from the period. */
  readonly notes: readonly TraceNote[];
}

/**
 * Learns a Markov chain with DuckDB, which counts in files larger than memory what `learn` would count.
 *
 * @param files JSON lines of traces, or tables of steps in Parquet or CSV, in which NULL is a missing field; patterns such as
 * `runs/*.parquet` are accepted. Traces are read in the order of files and lines, and those of tables in the order of their ids.
 * @returns bit for bit the chain that `learn` gives for the same traces
 * @throws NotSupportedError if DuckDB is not installed, or an expression cannot be translated, naming the part
 * @throws InvalidArgumentError for files of unknown or several formats, missing columns, and a file name that is given twice
 * @throws InvalidDataError if files cannot be read, and as `learn`
 * @throws KernelError if memory is exhausted
 */
export async function learnWithDuckDb(
  abstraction: Abstraction,
  files: readonly string[],
  options: DuckDbLearnOptions = {},
): Promise<DuckDbLearntChain> {
  const format = options.format ?? stepFileFormat(files);
  await requireDistinctFiles(files);
  return withDuckDb(options, async (query) => {
    // Lines are numbered in reading order; rows of tables have their own numbers.
    await query(`SET preserve_insertion_order = ${format === 'jsonl'}`);
    const { skipInvalid = false } = options;
    const table = await duckDbSteps(query, files, { ...options, format });
    const { rows } = await query<CountRow>(countingStatement(abstraction, table, options));
    const lines =
      format === 'jsonl' && (skipInvalid || rows.some(({ source_state }) => source_state === null));
    const unreadable = lines ? await countUnreadable(query, files, skipInvalid) : 0;
    const problems = async (): Promise<readonly ProblemRow[]> =>
      (await query<ProblemRow>(problemsStatement(abstraction, table, options))).rows;
    const learnt = await learnFromCounts(abstraction, rows, options, problems).catch((error: unknown) => {
      throw withColumns(error, abstraction.definition, table);
    });
    const { untimed = 0, onTime } = learnt.report.resampled;
    const hint = untimed > 0 ? await timeLike(query, files, format, table) : undefined;
    const notes = [hint, describeOffset(onTime, options.period)]
      .filter((message) => message !== undefined)
      .map((message) => ({ source: files[0], message }));
    return { ...withUnreadable(learnt, unreadable), unreadable, notes };
  });
}

/** Describes in words a field that may be the time of steps without one. */
async function timeLike(
  query: Query,
  files: readonly string[],
  format: StepFileFormat,
  { columnTypes = {}, isUntimed = false }: StepFiles,
): Promise<string | undefined> {
  if (format !== 'jsonl') return isUntimed ? describeTimeLike(Object.keys(columnTypes)) : undefined;
  const { rows } = await query<{ readonly name: string; readonly in_state: boolean }>(
    namesWithoutTime(files),
  );
  const names = (inState: boolean): string[] =>
    rows.filter(({ in_state }) => in_state === inState).map(({ name }) => name);
  return describeMissingTime(names(false), names(true));
}

/** An error of a predicate, with the columns of the table that it reads: a type, too, makes it fail. */
function withColumns(
  error: unknown,
  { predicates }: AbstractionDefinition,
  { columnTypes }: StepFiles,
): unknown {
  if (!(error instanceof EvaluationError) || columnTypes === undefined) return error;
  const predicate = error.predicate ?? '';
  const told = fieldsRead(predicates.filter(({ name }) => name === predicate))
    .filter((field) => field !== 'time' && field !== 'action')
    .map((field) =>
      Object.hasOwn(columnTypes, field)
        ? `column "${field}" is ${columnTypes[field]}`
        : `there is no column "${field}"`,
    );
  if (told.length === 0) return error;
  return new EvaluationError(`${error.message} (${told.join(', ')})`, { predicate });
}

interface UnreadableLine {
  readonly filename: string;
  readonly line: string;
  readonly misspelt: string | null;
  readonly misspelt_in_step: string | null;
  readonly total: string;
}

/** Counts the lines that are not traces. @throws InvalidDataError at the first, unless such lines are skipped */
async function countUnreadable(
  query: Query,
  files: readonly string[],
  skipInvalid: boolean,
): Promise<number> {
  const { rows } = await query<UnreadableLine>(unreadableLines(files));
  const [first] = rows;
  if (first === undefined) return 0;
  if (skipInvalid) return Number(first.total);
  const { filename, line, misspelt, misspelt_in_step: inStep } = first;
  const place = `${filename}: line ${line} of all that hold something`;
  if (misspelt !== null) {
    const meant = misspeltField([misspelt])?.meant;
    throw new InvalidDataError(
      `${place} has a field ${misspelt}; expected no such field; did you mean ${meant}?`,
    );
  }
  if (inStep !== null) {
    const meant = misspeltStepField({ [inStep]: null })?.meant;
    throw new InvalidDataError(
      `${place} has a step with a field ${inStep}; expected no such field; did you mean ${meant}?`,
    );
  }
  throw new InvalidDataError(
    `${place} is not a trace; expected {"id": "…", "steps": [{"state": {…}}, …]} with times that do not descend. Without an engine, learning says what is wrong with it; skipping invalid traces leaves it out`,
  );
}
