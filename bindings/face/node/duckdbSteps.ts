import { InvalidArgumentError } from '../../base/errors.js';
import {
  type ColumnType,
  completeColumn,
  flatSteps,
  heldColumn,
  jsonLinesSteps,
  type StepTable,
} from '../../estimation/learning/index.js';
import { sqlDialect } from '../../languages/expression/index.js';
import type { DuckDbType, Query } from './duckdb.js';

/** Options for reading files of steps. */
export interface StepFileOptions {
  /** The format of the files. Default: by their names. */
  readonly format?: StepFileFormat;
  /** Skip lines that are not traces. Default false. */
  readonly skipInvalid?: boolean;
  /**
   * Columns of Parquet and CSV files. Default: `trace` and `step`, and `complete`, `held`, `time` and `action` if they exist. All others are fields
   * of the state.
   */
  readonly columns?: {
    readonly trace?: string;
    readonly step?: string;
    readonly complete?: string | null;
    readonly held?: string | null;
    readonly time?: string | null;
    readonly action?: string | null;
  };
}

/** The steps in files, as a table. */
export interface StepFiles extends StepTable {
  /** DuckDB's types of a table's columns, by name; absent for JSON lines. */
  readonly columnTypes?: Readonly<Record<string, string>>;
  /** Whether a table has no time column. */
  readonly isUntimed?: boolean;
}

/** `jsonl`: our own traces, one per line; the others are tables of steps. */
export type StepFileFormat = 'jsonl' | 'csv' | 'parquet';

const ENDINGS: Readonly<Record<string, StepFileFormat>> = {
  parquet: 'parquet',
  csv: 'csv',
  tsv: 'csv',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  json: 'jsonl',
};

const dialect = sqlDialect('duckdb');

/**
 * Determines the format of files by their names, ignoring gzip and zstd extensions.
 * @throws InvalidArgumentError if the format is unknown, or the files have several formats
 */
export function stepFileFormat(files: readonly string[]): StepFileFormat {
  const formats = files.map((file) => {
    const ending = /\.([a-z]+)(?:\.(?:gz|zst))?$/i.exec(file)?.[1].toLowerCase() ?? '';
    if (Object.hasOwn(ENDINGS, ending)) return ENDINGS[ending];
    throw new InvalidArgumentError(
      `${file}: the engine duckdb reads ${Object.keys(ENDINGS)
        .map((one) => `.${one}`)
        .join(', ')}; other recordings are read without it`,
    );
  });
  const [first] = formats;
  if (first === undefined)
    throw new InvalidArgumentError('there is no file to learn from; give at least one');
  if (formats.every((format) => format === first)) return first;
  throw new InvalidArgumentError(
    `the files are ${[...new Set(formats)].join(' and ')}; one statement reads one format: learn from one, or convert the others`,
  );
}

/**
 * The steps of files as a table for DuckDB; queries the columns of the files.
 *
 * @throws InvalidArgumentError if columns are missing, have an unexpected type, or have a near spelling of `complete` or `held` instead of it
 */
export async function duckDbSteps(
  query: Query,
  files: readonly string[],
  options: StepFileOptions = {},
): Promise<StepFiles> {
  const format = options.format ?? stepFileFormat(files);
  if (format === 'jsonl') return jsonLinesSteps(files, options.skipInvalid ?? false);
  const list = `[${files.map(dialect.text).join(', ')}]`;
  const from = `${format === 'csv' ? 'read_csv' : 'read_parquet'}(${list}, union_by_name = true)`;
  const { columns: found } = await query(`SELECT * FROM ${from} LIMIT 0`);
  const columns = Object.fromEntries(found.map(({ name, type }) => [name, columnType(type)]));
  const { trace = 'trace', step = 'step', ...named } = options.columns ?? {};
  const names = found.map(({ name }) => name);
  const optional = (role: 'time' | 'action'): string | null => {
    const name = named[role];
    return name === undefined ? (Object.hasOwn(columns, role) ? role : null) : name;
  };
  const complete = named.complete === undefined ? completeColumn(names) : named.complete;
  const held = named.held === undefined ? heldColumn(names) : named.held;
  const time = optional('time');
  const action = optional('action');
  const requireType = (column: string | null, role: string, accepted: readonly ColumnType[]): void => {
    if (column === null) return;
    if (!Object.hasOwn(columns, column)) {
      throw new InvalidArgumentError(
        `${files.join(', ')}: there is no column "${column}" for the ${role}; found ${names.join(', ')}`,
      );
    }
    if (accepted.length > 0 && !accepted.includes(columns[column])) {
      const { type } = found.find(({ name }) => name === column)!;
      throw new InvalidArgumentError(
        `${files.join(', ')}: column "${column}", the ${role}, is ${type.text}; expected ${accepted.join(' or ')}`,
      );
    }
  };
  requireType(trace, 'trace', []);
  requireType(step, "step's number", ['integer', 'number', 'decimal']);
  requireType(complete, 'flag whether a trace is complete', ['boolean']);
  requireType(held, 'flag whether a step was held', ['boolean']);
  requireType(time, "step's time", ['number', 'integer', 'decimal']);
  requireType(action, "action's name", ['text']);
  const table = flatSteps({ from, columns, trace, step, complete, held, time, action }, dialect);
  return {
    ...table,
    columnTypes: Object.fromEntries(found.map(({ name, type }) => [name, type.text])),
    isUntimed: time === null,
  };
}

function columnType({ text, fields }: DuckDbType): ColumnType {
  if (fields !== undefined) {
    return Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, columnType(type)]));
  }
  if (/^(U?(TINY|SMALL|BIG)INT|U?INTEGER)$/.test(text)) return 'integer';
  if (text === 'DOUBLE' || text === 'FLOAT') return 'number';
  if (/^(DECIMAL|U?HUGEINT|BIGNUM)/.test(text)) return 'decimal';
  if (text === 'BOOLEAN') return 'boolean';
  if (text === 'VARCHAR' || text.startsWith('ENUM')) return 'text';
  return 'json';
}
