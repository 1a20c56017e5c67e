import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A session of Spark in a process of its own. */
export interface SparkTestSession {
  readonly version: string;
  readonly workers: number;
  readonly query: <Row>(sql: string) => Promise<Row[]>;
  readonly stop: () => Promise<void>;
}

/**
 * Starts Spark with two worker processes.
 * @param python of an environment that has pyspark.
 * @param ansi `spark.sql.ansi.enabled`.
 */
export async function startSpark(python: string, ansi: boolean): Promise<SparkTestSession> {
  const script = fileURLToPath(new URL('session.py', import.meta.url));
  const child = spawn(python, [script, String(ansi)], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, SPARK_LOCAL_IP: '127.0.0.1', PYSPARK_PYTHON: python },
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async (): Promise<unknown> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`Spark did not start, or ended: try ${python} ${script} ${ansi}`);
    return JSON.parse(value);
  };
  const { version, workers } = (await answer()) as { version: string; workers: number };
  return {
    version,
    workers,
    query: async <Row>(sql: string) => {
      child.stdin.write(`${JSON.stringify(sql)}\n`);
      const rows = await answer();
      if (Array.isArray(rows)) return rows as Row[];
      throw new Error((rows as { error: string }).error);
    },
    stop: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
