/** `foreguard/postgres`: runs and questions to people in PostgreSQL, for services with many workers. */
import { InvalidArgumentError } from '../../base/errors.js';
import { refuseUnknownOptions } from '../../base/suggest.js';
import { type InspectionFolder, type RunStore, recordsOf } from '../enforcement/index.js';

/** What asks the database: a `Pool` or a `Client` of the package `pg`. */
export interface PostgresClient {
  /** Runs one statement with the values of its parameters `$1`, `$2`, …. */
  query(
    text: string,
    values?: unknown[],
  ): Promise<{ readonly rows: readonly Row[]; readonly rowCount: number | null }>;
}

// biome-ignore lint/suspicious/noExplicitAny: what `pg` gives
type Row = any;

/** Where workers find each other's runs, and people's answers. */
export interface PostgresStores {
  /** For `continueRun`. */
  readonly runs: RunStore;
  /** For `InspectionStore`. */
  readonly inspections: InspectionFolder;
}

/** Options of `postgresStores`. */
export interface PostgresStoresOptions {
  /** What the names of the two tables begin with: lower-case letters, digits and underscores; default `foreguard`, which gives `foreguard_records` and `foreguard_inspections`. */
  readonly prefix?: string;
}

/** Two processes that create the same table at once: one of them is told that it exists. */
const CREATED_MEANWHILE = new Set(['23505', '42P07', '42710']);

/**
 * Keeps runs and questions in two tables, which are created if they are missing.
 *
 * @param client it needs `INSERT`, `SELECT`, `UPDATE` and `DELETE` on the tables, and `CREATE` where they are missing
 * @throws InvalidArgumentError (rejects) for a prefix that is no name; errors of the database
 */
export async function postgresStores(
  client: PostgresClient,
  options: PostgresStoresOptions = {},
): Promise<PostgresStores> {
  refuseUnknownOptions('postgresStores', options, { prefix: true });
  const { prefix = 'foreguard' } = options;
  if (!/^[a-z_][a-z0-9_]{0,39}$/.test(prefix))
    throw new InvalidArgumentError(
      `prefix is ${JSON.stringify(prefix)}; expected at most 40 lower-case letters, digits and underscores, the first no digit`,
    );
  const [records, inspections] = [`${prefix}_records`, `${prefix}_inspections`];
  // Records are text: `jsonb` would write numbers and orders of keys anew, and a record could not be compared with its hash.
  await create(
    client,
    `CREATE TABLE IF NOT EXISTS ${records} (run text NOT NULL, position integer NOT NULL, record text NOT NULL, PRIMARY KEY (run, position))`,
  );
  await create(
    client,
    `CREATE TABLE IF NOT EXISTS ${inspections} (path text PRIMARY KEY, content bytea NOT NULL)`,
  );
  return { runs: runsIn(client, records), inspections: inspectionsIn(client, inspections) };
}

async function create(client: PostgresClient, statement: string): Promise<void> {
  try {
    await client.query(statement);
  } catch (error) {
    if (!CREATED_MEANWHILE.has(String((error as { code?: unknown }).code))) throw error;
  }
}

function runsIn(client: PostgresClient, table: string): RunStore {
  return {
    async read(run) {
      const { rows } = await client.query(
        `SELECT position, record FROM ${table} WHERE run = $1 ORDER BY position`,
        [keyOf(run)],
      );
      return recordsOf(run, rows);
    },
    async add(run, position, record) {
      const { rowCount } = await client.query(
        `INSERT INTO ${table} (run, position, record) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
        [keyOf(run), position, JSON.stringify(record)],
      );
      return rowCount === 1;
    },
  };
}

function inspectionsIn(client: PostgresClient, table: string): InspectionFolder {
  return {
    async *read(path) {
      const { rows } = await client.query(`SELECT content FROM ${table} WHERE path = $1`, [path]);
      if (rows.length === 0)
        throw Object.assign(new Error(`there is no ${path} in ${table}`), { code: 'ENOENT' });
      yield rows[0].content;
    },
    async write(path, content) {
      await client.query(
        `INSERT INTO ${table} (path, content) VALUES ($1, $2) ON CONFLICT (path) DO UPDATE SET content = EXCLUDED.content`,
        [path, typeof content === 'string' ? new TextEncoder().encode(content) : content],
      );
    },
    async list() {
      const { rows } = await client.query(`SELECT path FROM ${table}`);
      return rows.map(({ path }) => path);
    },
    async remove(path) {
      await client.query(`DELETE FROM ${table} WHERE path = $1`, [path]);
    },
  };
}

/** A run's name as JSON: PostgreSQL's text holds neither a null character nor half a pair of surrogates, and two names must not become one. */
const keyOf = (run: string): string => JSON.stringify(run);
