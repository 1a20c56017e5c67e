/**
 * Where files come from and go to. The core never touches a file system: it is handed one of these, so that it runs in
 * browsers and on edge runtimes. `foreguard/node` has the one for Node.
 */
export interface Storage {
  /** The file's bytes in chunks of any size. Where there is no file, it throws an error whose `code`, or whose cause's, is `ENOENT`. */
  read(path: string): AsyncIterable<Uint8Array>;
  /** Replaces the file whole or not at all; what was written is there after a crash, too. */
  write(path: string, content: Uint8Array | string): Promise<void>;
}
