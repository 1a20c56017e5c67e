/** Deepest path that is read: a bound makes the paths in a folder a regular language. */
const maximumDepth = 100;

interface Path {
  readonly absolute: boolean;
  /** The names from where it starts to the end, without `.` and `..`. */
  readonly names: readonly string[];
}

/** Resolves a path; undefined if it climbs above where it starts, or could be read otherwise. */
function resolve(path: string): Path | undefined {
  // Programs of Windows read a backslash as a separator, programs of C end at U+0000, and shells put a folder in place of ~.
  if (path === '' || path.startsWith('~') || /[\0\\]/.test(path)) return undefined;
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name === '..' ? names.pop() === undefined : names.push(name) > maximumDepth) return undefined;
  }
  return { absolute: path.startsWith('/'), names };
}

/**
 * Reads paths as they stand, and with percent signs resolved.
 *
 * @returns undefined if the two differ, a percent sign stands for none or for another one, or `read` gives undefined
 */
function readBothWays<T>(read: (...paths: string[]) => T | undefined, ...paths: string[]): T | undefined {
  const plain = read(...paths);
  if (!paths.some((path) => path.includes('%'))) return plain;
  try {
    const resolved = paths.map((path) => decodeURIComponent(path));
    if (resolved.some((path) => path.includes('%'))) return undefined;
    return read(...resolved) === plain ? plain : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether a path is a folder, or lies in it.
 *
 * @returns undefined if one of them cannot be read with certainty, or only one is absolute
 */
export function isUnder(path: string, folder: string): boolean | undefined {
  return readBothWays(
    (a, b) => {
      const [inner, outer] = [resolve(a), resolve(b)];
      if (inner === undefined || inner.absolute !== outer?.absolute) return undefined;
      return outer.names.every((name, i) => name === inner.names[i]);
    },
    path,
    folder,
  );
}

/**
 * The letters after the last dot of the last name of a path, without the dot; '' if there is none, or only one that begins the name.
 *
 * @returns undefined if the last name cannot be read with certainty, as after `..`
 */
export function extension(path: string): string | undefined {
  return readBothWays((text) => {
    if (text === '' || /[\0\\]/.test(text)) return undefined;
    const name = text.split('/').findLast((one) => one !== '' && one !== '.') ?? '';
    if (name === '..') return undefined;
    const dot = name.lastIndexOf('.');
    return dot > 0 ? name.slice(dot + 1) : '';
  }, path);
}
