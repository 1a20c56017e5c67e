import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InvalidArgumentError, InvalidDataError, KernelError, NotSupportedError } from '../../base/errors.js';

type Library = typeof import('@duckdb/node-api');

/** The resources that DuckDB may use. */
export interface DuckDbResources {
  /** Number of threads. Default: all processors. */
  readonly threads?: number;
  /** Such as `4GB`; beyond it, DuckDB spills to disk. Default: four fifths of the machine's memory. */
  readonly memoryLimit?: string;
  /** A folder for data that do not fit into memory. Default: a folder of its own below the system's, removed afterwards. */
  readonly temporaryFolder?: string;
}

/** The result of a query: rows by column, with large integers as texts; and the types of its columns. */
export interface DuckDbResult<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly { readonly name: string; readonly type: DuckDbType }[];
}

/** A type as DuckDB writes it, with those of its parts. */
export interface DuckDbType {
  readonly text: string;
  readonly fields?: { readonly [name: string]: DuckDbType };
}

/** Runs one statement. */
export type Query = <Row>(sql: string) => Promise<DuckDbResult<Row>>;

/**
 * Runs work with an in-memory DuckDB, which is closed afterwards.
 *
 * @throws NotSupportedError if the package `@duckdb/node-api` is not installed, with instructions
 * @throws InvalidArgumentError for resources that DuckDB refuses
 */
export async function withDuckDb<T>(
  resources: DuckDbResources,
  work: (query: Query) => Promise<T>,
): Promise<T> {
  const { DuckDBInstance } = await load();
  const { threads, memoryLimit, temporaryFolder } = resources;
  const folder = temporaryFolder ?? join(tmpdir(), `foreguard-${randomUUID()}`);
  try {
    const instance = await DuckDBInstance.create(':memory:', {
      temp_directory: folder,
      ieee_floating_point_ops: 'true',
      autoinstall_known_extensions: 'false',
      ...(threads !== undefined && { threads: String(threads) }),
      ...(memoryLimit !== undefined && { memory_limit: memoryLimit }),
    }).catch((cause: unknown) => {
      throw new InvalidArgumentError(
        `DuckDB cannot start with threads ${threads ?? 'all'} and memory limit ${memoryLimit ?? 'none'}; expected such as 2 and 4GB`,
        { cause },
      );
    });
    const connection = await instance.connect();
    try {
      return await work(async <Row>(sql: string) => {
        const reader = await connection.runAndReadAll(sql).catch((cause: unknown) => {
          throw engineError(cause);
        });
        const types = reader.columnTypes();
        return {
          rows: reader.getRowObjectsJson() as Row[],
          columns: reader.columnNames().map((name, i) => ({ name, type: typeOf(types[i]) })),
        };
      });
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  } finally {
    if (temporaryFolder === undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** Imports DuckDB by a name that bundlers cannot see, so that the package is only needed for learning with DuckDB. */
async function load(): Promise<Library> {
  const name = '@duckdb/node-api';
  try {
    return (await import(/* @vite-ignore */ name)) as Library;
  } catch (cause) {
    throw new NotSupportedError(
      `the engine duckdb needs the package ${name}, which is not installed: npm install ${name}`,
      { cause },
    );
  }
}

function typeOf(type: object): DuckDbType {
  const { alias, entryNames, entryTypes } = type as {
    readonly alias?: string;
    readonly entryNames?: readonly string[];
    readonly entryTypes?: readonly object[];
  };
  const text = alias ?? String(type);
  if (!text.startsWith('STRUCT') || entryNames === undefined || entryTypes === undefined) return { text };
  return { text, fields: Object.fromEntries(entryNames.map((name, i) => [name, typeOf(entryTypes[i])])) };
}

/** The engine's message without the generated statement, which no user wrote. */
function engineError(cause: unknown): Error {
  const message = (cause as Error).message.split('\n\nLINE ')[0].trim();
  if (message.startsWith('Out of Memory')) return new KernelError(`DuckDB: ${message}`, { cause });
  return new InvalidDataError(`DuckDB: ${message}`, { cause });
}
