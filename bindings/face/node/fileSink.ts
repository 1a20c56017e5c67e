import { fstatSync, ftruncateSync, writeSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { AppendSink } from '../../runtime/enforcement/audit/index.js';

/** Appends to a file that has no other writer; an append that fails leaves nothing. */
export class FileSink implements AppendSink {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #unlock: () => Promise<void>;
  #size: number;

  /** @param size of the file @param unlock called once the file is closed */
  constructor(path: string, file: FileHandle, size: number, unlock: () => Promise<void>) {
    this.#path = path;
    this.#file = file;
    this.#size = size;
    this.#unlock = unlock;
  }

  append(bytes: Uint8Array): void {
    const { fd } = this.#file;
    const { size, nlink } = fstatSync(fd);
    if (nlink === 0) throw new Error(`${this.#path} was removed`);
    if (size !== this.#size)
      throw new Error(
        `${this.#path} has ${size} bytes instead of ${this.#size}: another program writes to it`,
      );
    try {
      for (let from = 0; from < bytes.length; ) from += writeSync(fd, bytes, from);
    } catch (error) {
      // The caller learns that the write failed, so nothing of it may stay. If truncation fails too, the next opening repairs the file.
      try {
        ftruncateSync(fd, this.#size);
      } catch {}
      throw error;
    }
    this.#size += bytes.length;
  }

  sync(): Promise<void> {
    return this.#file.datasync();
  }

  async close(): Promise<void> {
    await this.#file.close();
    await this.#unlock();
  }
}
