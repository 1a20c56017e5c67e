import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InvalidArgumentError, ParseError } from '../../../bindings/base/errors.js';
import { nodeStorage, readTraceFiles } from '../../../bindings/face/node/index.js';
import type { Trace } from '../../../bindings/observations/trace/index.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foreguard-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function readAll(path: string): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of nodeStorage.read(path)) chunks.push(chunk);
  return chunks;
}

describe('nodeStorage', () => {
  it('reads back in chunks of at most 1 MiB what it wrote', async () => {
    const path = join(folder, 'bytes');
    const content = Uint8Array.from({ length: 2_500_000 }, (_, i) => i * 31);
    await nodeStorage.write(path, content);
    const chunks = await readAll(path);
    expect(Math.max(...chunks.map((chunk) => chunk.length))).toBeLessThanOrEqual(1 << 20);
    expect(Buffer.concat(chunks).equals(content)).toBe(true);
  });

  it('replaces a file, keeps its permissions and leaves nothing beside it', async () => {
    const own = await mkdtemp(join(folder, 'own-'));
    const path = join(own, 'model.umb');
    await writeFile(path, 'old', { mode: 0o600 });
    await nodeStorage.write(path, 'new');
    expect(await readFile(path, 'utf8')).toBe('new');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(own)).toEqual(['model.umb']);
  });

  it('writes through a symbolic link', async () => {
    const path = join(folder, 'target');
    await writeFile(path, 'old');
    await symlink(path, join(folder, 'link'));
    await nodeStorage.write(join(folder, 'link'), 'new');
    expect(await readFile(path, 'utf8')).toBe('new');
  });

  it('leaves the old file and no temporary one when writing fails', async () => {
    const own = await mkdtemp(join(folder, 'fails-'));
    const path = join(own, 'file');
    await writeFile(path, 'old');
    await expect(nodeStorage.write(path, 7 as unknown as string)).rejects.toThrow(TypeError);
    expect(await readFile(path, 'utf8')).toBe('old');
    expect(await readdir(own)).toEqual(['file']);
  });

  it('names the path and the reason when it cannot read or write', async () => {
    const path = join(folder, 'absent', 'file');
    await expect(readAll(path)).rejects.toThrow(InvalidArgumentError);
    await expect(readAll(path)).rejects.toThrow(`cannot read ${path}: there is no such file or folder`);
    await expect(nodeStorage.write(path, '')).rejects.toThrow(
      `cannot write ${path}: there is no such file or folder`,
    );
    await mkdir(join(folder, 'directory'));
    await expect(readAll(join(folder, 'directory'))).rejects.toThrow('it is a folder');
  });
});

describe('readTraceFiles', () => {
  const line = (id: string) => `{"id":"${id}","steps":[{"state":{}}]}\n`;

  it('reads files one after the other, each in its own format', async () => {
    const paths = ['a.jsonl', 'b.jsonl.gz', 'c.json'].map((name) => join(folder, name));
    await writeFile(paths[0], line('a') + line('b'));
    await writeFile(paths[1], gzipSync(line('c')));
    await writeFile(paths[2], '[{"task_id":1,"trial":0,"reward":1,"traj":[{"role":"user"}]}]');
    const traces: Trace[] = [];
    for await (const trace of readTraceFiles(paths)) traces.push(trace);
    expect(traces.map((trace) => trace.id)).toEqual(['a', 'b', 'c', 'task-1-trial-0']);
  });

  it('refuses a file that is given twice, by its name, by another, or byte for byte', async () => {
    const paths = ['same.jsonl', 'copy.jsonl', 'link.jsonl', 'other.jsonl', 'empty.jsonl', 'void.jsonl'].map(
      (name) => join(folder, name),
    );
    const [same, copy, link, other, empty, none] = paths;
    // Runs may be equal within a file; another file may be as long.
    await writeFile(same, line('a') + line('a'));
    await writeFile(copy, line('a') + line('a'));
    await symlink(same, link);
    await writeFile(other, line('a') + line('b'));
    await writeFile(empty, '');
    await writeFile(none, '');
    const read = async (...given: string[]): Promise<string[]> => {
      const ids: string[] = [];
      for await (const { id } of readTraceFiles(given)) ids.push(id);
      return ids;
    };
    expect(await read(same, other, empty, none)).toEqual(['a', 'a', 'a', 'b']);
    await expect(read(same, other, same)).rejects.toThrow(
      `${same} is given twice: its runs would count twice, though bounds need runs that are independent; give it once`,
    );
    await expect(read(same, link)).rejects.toThrow(`${link} and ${same} are the same file: its runs`);
    await expect(read(other, same, copy)).rejects.toThrow(
      `${copy} is ${same} again, byte for byte: its runs`,
    );
    await expect(read(same, copy)).rejects.toThrow(InvalidArgumentError);
    const packed = join(folder, 'packed.jsonl.gz');
    await writeFile(packed, gzipSync(line('a') + line('a')));
    await expect(read(same, packed)).rejects.toThrow(`${packed} is ${same} again, byte for byte`);
    expect(await read(other, packed)).toEqual(['a', 'b', 'a', 'a']);
    await expect(read(same, join(folder, 'absent.jsonl'))).rejects.toThrow('there is no such file');
  });

  it('names the file of an error', async () => {
    const path = join(folder, 'bad.jsonl');
    await writeFile(path, `${line('a')}{`);
    const reading = (async () => {
      for await (const trace of readTraceFiles([path])) expect(trace.id).toBe('a');
    })();
    await expect(reading).rejects.toThrow(ParseError);
    await expect(reading).rejects.toThrow(`${path}:2:2: not JSON`);
  });
});
