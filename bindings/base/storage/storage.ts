/**
 * Reads and writes files. The core never accesses a file system itself, but uses a `Storage`, so that it runs in browsers and on edge
 * runtimes. `foreguard/node` has an implementation for Node.
 */
export interface Storage {
  /** The file's bytes in chunks of any size. If the file does not exist, throws an error whose `code`, or whose cause's `code`, is `ENOENT`. */
  read(path: string): AsyncIterable<Uint8Array>;
  /** Replaces the file atomically. Once the promise resolves, the content survives a crash. */
  write(path: string, content: Uint8Array | string): Promise<void>;
}
