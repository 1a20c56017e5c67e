import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** The destination of a path. */
export interface Places {
  /** The destination without links, as far as it exists. */
  readonly target: string;
  /** The real places of the destination and of each folder and link on the way: write access to one of those is enough to redirect the path. */
  readonly passed: readonly string[];
}

/** Follows a path, relative to a folder. */
export function placesOf(path: string, folder = process.cwd()): Places {
  const target = real(resolve(folder, path));
  const passed = [target];
  for (
    let part = resolve(folder, path), above = dirname(part);
    above !== part;
    part = above, above = dirname(part)
  )
    passed.push(part, join(real(above), basename(part)));
  return { target, passed };
}

/** Whether a path is a folder, or lies in it; both without links. */
export function isWithin(path: string, folder: string): boolean {
  const between = relative(folder, path);
  return between === '' || (between !== '..' && !between.startsWith(`..${sep}`) && !isAbsolute(between));
}

/** A path without links, as far as it exists. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(real(above), basename(path));
  }
}
