import type { Abstraction } from '../abstraction/index.js';
import { InvalidDataError } from '../errors.js';
import {
  type CountRow,
  countingStatement,
  type LearnOptions,
  type LearntChain,
  learnFromCounts,
  type ProblemRow,
  problemsStatement,
  unreadableLines,
  withUnreadable,
} from '../learning/index.js';
import { requireDistinctFiles } from './distinctFiles.js';
import { type DuckDbResources, type Query, withDuckDb } from './duckdb.js';
import { duckDbSteps, type StepFileOptions, stepFileFormat } from './duckdbSteps.js';

/** How DuckDB learns from files. */
export interface DuckDbLearnOptions
  extends LearnOptions,
    DuckDbResources,
    Omit<StepFileOptions, 'skipInvalid'> {}

/** A chain, and how many lines of JSON were no trace and left out. */
export interface DuckDbLearntChain extends LearntChain {
  readonly unreadable: number;
}

/**
 * Learns a Markov chain where the traces are: DuckDB counts, in files larger than memory, what `learn` would count.
 *
 * @param files JSON lines of traces, or tables of steps in Parquet or CSV, in which NULL is a missing field; patterns such as `runs/*.parquet` are
 * accepted. Traces come in the order of files and lines, and those of tables in the order of their ids.
 * @returns bit by bit the chain that `learn` gives for the same traces
 * @throws NotSupportedError if DuckDB is not installed, or an expression cannot be translated, naming the part
 * @throws InvalidArgumentError for files of unknown or several formats, missing columns, and a file that is given twice by its name
 * @throws InvalidDataError where files cannot be read, and as `learn`
 * @throws KernelError where memory ends
 */
export async function learnWithDuckDb(
  abstraction: Abstraction,
  files: readonly string[],
  options: DuckDbLearnOptions = {},
): Promise<DuckDbLearntChain> {
  const format = options.format ?? stepFileFormat(files);
  await requireDistinctFiles(files);
  return withDuckDb(options, async (query) => {
    // Lines are numbered as they come; rows of tables have their own numbers.
    await query(`SET preserve_insertion_order = ${format === 'jsonl'}`);
    const { skipInvalid = false } = options;
    const table = await duckDbSteps(query, files, { ...options, format });
    const { rows } = await query<CountRow>(countingStatement(abstraction, table, options));
    const lines =
      format === 'jsonl' && (skipInvalid || rows.some(({ source_state }) => source_state === null));
    const unreadable = lines ? await countUnreadable(query, files, skipInvalid) : 0;
    const problems = async (): Promise<readonly ProblemRow[]> =>
      (await query<ProblemRow>(problemsStatement(abstraction, table, options))).rows;
    const learnt = await learnFromCounts(abstraction, rows, options, problems);
    return { ...withUnreadable(learnt, unreadable), unreadable };
  });
}

/** How many lines are no trace. @throws InvalidDataError at the first, unless they are left out */
async function countUnreadable(
  query: Query,
  files: readonly string[],
  skipInvalid: boolean,
): Promise<number> {
  const { rows } = await query<{ filename: string; line: string; total: string }>(unreadableLines(files));
  const [first] = rows;
  if (first === undefined) return 0;
  if (skipInvalid) return Number(first.total);
  throw new InvalidDataError(
    `${first.filename}: line ${first.line} of all that hold something is no trace; expected {"id": "…", "steps": [{"state": {…}}, …]} with times that do not descend. Without an engine, learning says what is wrong with it; skipping invalid traces leaves it out`,
  );
}
