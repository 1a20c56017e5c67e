import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A PostgreSQL server of its own, on loopback; and its end. */
export interface PostgresServer {
  /** On loopback; the user is `test`, the database `postgres`, without a password. */
  readonly port: number;
  readonly query: <Row>(sql: string) => Promise<Row[]>;
  readonly stop: () => Promise<void>;
}

/** Folders of PostgreSQL's programs, newest first: the one on the PATH, and where Debian has them. */
function programs(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  return [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(':'),
  ].find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

/** Whom the server runs as where we are root, which it refuses to be. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a server on loopback; undefined where PostgreSQL is not installed or does not start. */
export async function startPostgres(): Promise<PostgresServer | undefined> {
  const bin = programs();
  if (bin === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'foreguard-postgresql-'));
  const user = unprivileged();
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  if (user !== undefined) {
    execFileSync('chown', [`${user.uid}:${user.gid}`, folder]);
    await chmod(folder, 0o700);
  }
  const data = join(folder, 'data');
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'test', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--locale=C.UTF-8'],
    {
      ...user,
      cwd: folder,
    },
  );
  if (made.status !== 0) {
    await remove();
    return undefined;
  }
  const port = await freePort();
  const server = spawn(
    join(bin, 'postgres'),
    [
      '-D',
      data,
      '-p',
      String(port),
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      `unix_socket_directories=${folder}`,
      '-c',
      'fsync=off',
    ],
    { ...user, cwd: folder, stdio: 'ignore' },
  );
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const psql = (sql: string): string =>
    execFileSync(
      join(bin, 'psql'),
      [
        '-h',
        '127.0.0.1',
        '-p',
        String(port),
        '-U',
        'test',
        '-d',
        'postgres',
        '-q',
        '-t',
        '-A',
        '-v',
        'ON_ERROR_STOP=1',
        '-f',
        '-',
      ],
      {
        input: sql,
        encoding: 'utf8',
        stdio: ['pipe', 'pipe', 'pipe'],
        env: { ...process.env, PGCLIENTENCODING: 'UTF8' },
      },
    );
  const stop = async (): Promise<void> => {
    server.kill('SIGINT');
    await ended;
    await remove();
  };
  for (let attempt = 0; attempt < 3000 && server.exitCode === null; attempt++) {
    try {
      psql('SELECT 1');
      return {
        port,
        query: async <Row>(sql: string) =>
          JSON.parse(
            psql(`SELECT coalesce(json_agg(row_to_json(answer)), '[]') FROM (${sql}) AS answer;`),
          ) as Row[],
        stop,
      };
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  await stop();
  return undefined;
}
