import { InvalidArgumentError } from '../../base/errors.js';
import { wordsOf } from '../../base/words.js';
import { type PostgresStores, postgresStores } from '../../runtime/adapters/postgres/index.js';

/** A database of `--runs` or `--inspections`. */
export interface Database extends PostgresStores {
  close(): Promise<void>;
}

/** Whether runs or questions are kept in a database, and not in a folder. */
export const isDatabase = (place: string): boolean => /^postgres(ql)?:\/\//.test(place);

/**
 * Opens a database, and creates the two tables if they are missing.
 * @param onNote called when a connection breaks that nobody uses
 * @throws InvalidArgumentError if the package `pg` is not installed, or the database cannot be opened; it does not repeat the address, which may hold a password
 */
export async function openDatabase(address: string, onNote: (text: string) => void): Promise<Database> {
  const pool = await poolOf(address);
  pool.on('error', (error) => onNote(`a connection to the database broke: ${wordsOf(error)}`));
  try {
    return { ...(await postgresStores(pool)), close: () => pool.end() };
  } catch (cause) {
    await pool.end();
    throw new InvalidArgumentError(
      `cannot keep runs and questions in ${placeName(address)}: ${wordsOf(cause) || 'it does not answer'}`,
      { cause },
    );
  }
}

/** Milliseconds that a connection may take: a proxy whose database is silent says so. */
const CONNECT_MS = 10_000;

async function poolOf(connectionString: string) {
  try {
    const { default: pg } = await import('pg');
    return new pg.Pool({ connectionString, connectionTimeoutMillis: CONNECT_MS, allowExitOnIdle: true });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new InvalidArgumentError('a database needs the package pg: npm install pg', { cause });
  }
}

/** What messages call a place: of an address, which may hold a password, only the host. */
export function placeName(place: string): string {
  if (!isDatabase(place)) return place;
  try {
    return `the database at ${new URL(place).host || 'the default address'}`;
  } catch {
    return 'a database whose address is no URL';
  }
}
