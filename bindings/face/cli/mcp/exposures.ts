import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isWithin, placesOf } from '../../node/index.js';

/**
 * Describes in words the places that a guarded server, or the agent behind it, can probably reach although it must not: places inside the
 * working folder, or at, above or below a path among the arguments of the server. Links are followed.
 *
 * @param places paths by their purpose; undefined means no path
 * @param serverArguments those of the commands that serve
 */
export function exposures(
  places: Readonly<Record<string, string | undefined>>,
  serverArguments: readonly string[],
  workingFolder = process.cwd(),
): string[] {
  const here = placesOf(workingFolder).target;
  const given = serverArguments.flatMap((argument) => pathsIn(argument, here));
  return Object.entries(places).flatMap(([what, path]) => {
    if (path === undefined) return [];
    const { target, passed } = placesOf(path, here);
    const leadsThrough = (folder: string): boolean => passed.some((place) => isWithin(place, folder));
    const argument = given.find((one) => leadsThrough(one.path) || isWithin(one.path, target));
    const why =
      argument !== undefined
        ? `the server is given ${argument.text} as an argument`
        : leadsThrough(here)
          ? 'it lies inside the working folder'
          : null;
    if (why === null) return [];
    return [
      `${what}, ${path}, may be open to the agent: ${why}. Keep it where neither the agent nor its tools can read or write`,
    ];
  });
}

/** The paths that an argument names: the argument itself, the part after `=`, a `file:` address. Only existing paths count. */
function pathsIn(argument: string, here: string): { readonly path: string; readonly text: string }[] {
  return [argument, argument.slice(argument.indexOf('=') + 1)].flatMap((text) => {
    try {
      const path = text.startsWith('file:') ? fileURLToPath(text) : resolve(here, text);
      return text !== '' && existsSync(path) ? [{ path: placesOf(path).target, text }] : [];
    } catch {
      return [];
    }
  });
}
