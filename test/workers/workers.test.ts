import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileRules, parseSpecification } from '../../bindings/rules/specification/index.js';
import { postgresStores } from '../../bindings/runtime/adapters/postgres.js';
import { InspectionStore, type RunRecord } from '../../bindings/runtime/enforcement/index.js';
import { withTrees } from '../../bindings/runtime/guard/index.js';
import { startPostgres } from '../postgresql.js';
import type { Done, Work } from './worker.js';

/** The guard that all workers load, with trees: more than sixty processes would each parse it. */
const GUARD = withTrees(
  compileRules(
    parseSpecification(`version: 1
predicates:
  third: 'action.name == "write" && calls.write >= 2'
  asks: 'action.name == "ask"'
rules:
  twoWrites: { formula: 'G !third' }
  aPerson: { formula: 'G !asks', strategy: inspect }`),
  ),
);

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const server = await startPostgres();
let folder = '';
let pool: pg.Pool;

beforeAll(async () => {
  if (server === undefined) return;
  // Beside the packages that it imports.
  folder = await mkdtemp(here('../../node_modules/.workers-'));
  await build({
    entryPoints: [here('worker.ts')],
    outfile: join(folder, 'worker.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    // Packages of CommonJS ask for Node's own modules.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    external: ['pg-native', 're2js'],
    logLevel: 'error',
  });
  pool = new pg.Pool({ host: '127.0.0.1', port: server.port, user: 'test', database: 'postgres' });
  // The server ends its connections when it stops.
  pool.on('error', () => undefined);
  await pool.query('CREATE TABLE effects (run text, call text, tool text)');
});

afterAll(async () => {
  await pool?.end();
  await server?.stop();
  if (folder !== '') await rm(folder, { recursive: true, force: true });
});

/** Starts a worker, and says how it ended: with what it printed, or null if it was killed. */
function work(task: Omit<Work, 'port' | 'guard'>): Promise<Done | null> {
  const given = JSON.stringify({ port: server?.port, guard: GUARD, ...task });
  const child = spawn(process.execPath, [join(folder, 'worker.mjs'), given], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [printed, said] = ['', ''];
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  return new Promise((resolve, reject) => {
    child.once('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve(null);
      else if (code === 0) resolve(JSON.parse(printed));
      else reject(new Error(`the worker ended with ${code}: ${said}`));
    });
  });
}

/** The calls that took effect in a run, in order. */
async function effects(run: string): Promise<string[]> {
  const { rows } = await pool.query('SELECT call FROM effects WHERE run = $1', [run]);
  return rows.map(({ call }) => call);
}

const calls = [
  { id: '1', name: 'look' },
  { id: '2', name: 'write' },
  { id: '3', name: 'write' },
  { id: '4', name: 'write' },
];

describe.skipIf(server === undefined)('workers of a service that share PostgreSQL', () => {
  it('go on with a run of one that was killed before or after any of its writes, and run each call once', async () => {
    const whole = await work({ run: 'whole', calls });
    expect(whole?.reasons).toMatchObject({ 1: 'kept', 2: 'kept', 4: 'violated' });
    expect(await effects('whole')).toEqual(['1', '2', '3']);
    const deaths = Array.from({ length: whole!.writes }, (_, i) =>
      [true, false].map((before) => ({ diesAt: i + 1, before })),
    );
    let cut = 0;
    const dieAndGoOn = async ({ diesAt, before }: { diesAt: number; before: boolean }) => {
      const run = `killed ${before ? 'before' : 'after'} ${diesAt}`;
      expect(await work({ run, calls, diesAt, before })).toBeNull();
      const ran = (await effects(run)).length;
      if (ran < 3) cut++;
      await work({ run, calls });
      expect(await effects(run), run).toEqual(['1', '2', '3']);
      const { runs } = await postgresStores(pool);
      const records = (await runs.read(run)) as RunRecord[];
      expect(records[0].kind).toBe('begin');
    };
    // Four at a time.
    const all = deaths.flat();
    while (all.length > 0) await Promise.all(all.splice(0, 4).map(dieAndGoOn));
    expect(cut).toBeGreaterThan(4);
  });

  it('never run the same call, where they take up the same run at the same moment', async () => {
    for (const run of ['race 1', 'race 2', 'race 3']) {
      const done = await Promise.all(Array.from({ length: 4 }, () => work({ run, calls })));
      const ran = await effects(run);
      expect(new Set(ran).size, run).toBe(ran.length);
      const reasons = done.flatMap((one) => Object.values(one?.reasons ?? {}));
      expect(reasons).toContain('kept');
      expect(reasons.some((reason) => reason === 'log-failed' || reason === 'repeated-call')).toBe(true);
    }
  });

  it('answer from one a question of another, which was killed while it waited', async () => {
    const { inspections } = await postgresStores(pool);
    const people = new InspectionStore(inspections, { key: 'k'.repeat(32) });
    const asked = [{ id: '1', name: 'ask' }];
    // Its third write is the question itself: the first two are the beginning of the run and the decision.
    expect(await work({ run: 'asked', calls: asked, diesAt: 3 })).toBeNull();
    const [{ inspection, status }] = await people.list();
    expect([inspection.call.name, status]).toEqual(['ask', 'open']);
    await people.answer(inspection.id, { approved: true, by: 'ada' });
    const done = await work({ run: 'asked', calls: asked });
    expect(done?.reasons).toEqual({ 1: 'approved' });
    expect((await work({ run: 'asked', calls: asked }))?.reasons).toEqual({ 1: 'repeated-call' });
    expect(await effects('asked')).toEqual(['1']);
  });
});

if (server === undefined) it.skip('no server of PostgreSQL can be started here: not tested', () => undefined);
