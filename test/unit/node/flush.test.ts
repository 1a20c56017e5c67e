import { mkdtempSync, rmSync } from 'node:fs';
import type { FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { nodeStorage } from '../../../bindings/face/node/index.js';

const calls: string[] = [];

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  return {
    ...real,
    async open(...words: Parameters<typeof open>): Promise<FileHandle> {
      const file = await real.open(...words);
      const sync = file.sync.bind(file);
      file.sync = () => {
        calls.push(`flush ${/\.tmp$/.test(String(words[0])) ? 'temporary file' : words[0]}`);
        return sync();
      };
      return file;
    },
    rename(...words: Parameters<typeof real.rename>): Promise<void> {
      calls.push(`rename to ${words[1]}`);
      return real.rename(...words);
    },
  };
});

it('a file that is written is flushed before it is renamed, and its folder after that', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'foreguard-flush-'));
  try {
    await nodeStorage.write(join(folder, 'file'), 'content');
    expect(calls).toEqual(['flush temporary file', `rename to ${join(folder, 'file')}`, `flush ${folder}`]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
