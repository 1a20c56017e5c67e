import { open } from 'node:fs/promises';

/** Makes what was created or renamed in a folder last. Where folders cannot be opened (Windows), or not flushed (some network drives), the system sees to it. */
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
