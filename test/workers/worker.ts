// A worker of a service, as a process: it goes on with a run in PostgreSQL and carries out its calls, each of which leaves a row in the table `effects`. It dies at its
// n-th write, before or after it, where that is asked. Its arguments: JSON of `Work`.
import pg from 'pg';
import { postgresStores } from '../../bindings/runtime/adapters/postgres.js';
import { continueRun, createSession, InspectionStore } from '../../bindings/runtime/enforcement/index.js';
import { type GuardFile, loadGuard } from '../../bindings/runtime/guard/index.js';

export interface Work {
  readonly port: number;
  readonly run: string;
  readonly guard: GuardFile;
  readonly calls: readonly { readonly id: string; readonly name: string }[];
  readonly diesAt?: number;
  readonly before?: boolean;
}

/** What a worker prints at its end. */
export interface Done {
  /** By call: the reason of the decision. */
  readonly reasons: Readonly<Record<string, string>>;
  /** Writes to the database. */
  readonly writes: number;
}

const { port, run, guard, calls, diesAt, before }: Work = JSON.parse(process.argv[2]);
const pool = new pg.Pool({ host: '127.0.0.1', port, user: 'test', database: 'postgres' });

let writes = 0;
const die = (): never => {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('killed');
};
/** The pool, whose writes can be cut off. */
const client = {
  async query(text: string, values?: unknown[]) {
    const isWrite = /^(INSERT|DELETE)/.test(text);
    if (isWrite) writes++;
    if (isWrite && writes === diesAt && before) die();
    const found = await pool.query(text, values);
    if (isWrite && writes === diesAt) die();
    return found;
  },
};

const { runs, inspections } = await postgresStores(client);
const questions = new InspectionStore(inspections, { key: 'k'.repeat(32), pollMs: 20 });
const session = createSession({
  ...(await continueRun(runs, run)),
  guard: await loadGuard(guard),
  tools: ['look', 'write', 'ask'],
  ask: questions.ask,
});
const hasRun = async (id: string): Promise<boolean> =>
  (await pool.query('SELECT 1 FROM effects WHERE run = $1 AND call = $2', [run, id])).rows.length > 0;

// A call that was cut off has run if it left a row.
for (const { number, id } of session.unsettled) {
  await session.settle(number, (await hasRun(id)) ? { result: null } : null);
}
const reasons: Record<string, string> = {};
for (const call of calls) {
  const verdict = await session.decide({ ...call, arguments: {} });
  reasons[call.id] = verdict.reason;
  if (verdict.run === null) continue;
  await client.query('INSERT INTO effects (run, call, tool) VALUES ($1, $2, $3)', [
    run,
    call.id,
    verdict.run.name,
  ]);
  await session.ran(verdict, { result: null });
}
await pool.end();
console.log(JSON.stringify({ reasons, writes } satisfies Done));
