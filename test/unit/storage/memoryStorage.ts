import type { Storage } from '../../../bindings/base/storage/index.js';

/** Files in memory. */
export class MemoryStorage implements Storage {
  readonly files = new Map<string, Uint8Array>();

  async *read(path: string): AsyncGenerator<Uint8Array> {
    const file = this.files.get(path);
    if (file === undefined) throw Object.assign(new Error(`no ${path}`), { code: 'ENOENT' });
    // In two chunks, so that nobody relies on one.
    yield file.subarray(0, file.length >>> 1);
    yield file.subarray(file.length >>> 1);
  }

  async write(path: string, content: Uint8Array | string): Promise<void> {
    this.files.set(path, typeof content === 'string' ? new TextEncoder().encode(content) : content);
  }
}
