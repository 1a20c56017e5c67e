import { open } from 'node:fs/promises';

/**
 * Makes files created or renamed in a folder durable. If folders cannot be opened (Windows) or flushed (some network drives), durability is
 * left to the system.
 */
export async function flushFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP'].includes(code)) throw error;
  }
}
