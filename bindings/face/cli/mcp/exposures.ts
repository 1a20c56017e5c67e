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
 * @param options `argumentsAlone`: whether only the server's arguments count, as for files that people are used to have in the working folder
 */
export function exposures(
  places: Readonly<Record<string, string | undefined>>,
  serverArguments: readonly string[],
  workingFolder = process.cwd(),
  { argumentsAlone = false }: { readonly argumentsAlone?: boolean } = {},
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
        : !argumentsAlone && leadsThrough(here)
          ? 'it lies inside the working folder'
          : null;
    if (why === null) return [];
    return [
      `${what}, ${path}, may be open to the agent: ${why}. Keep it where neither the agent nor its tools can read or write`,
    ];
  });
}

/** Files that decide what is let through, or that show what was, by the options that name them. */
export interface DecidingFiles {
  readonly spec?: string | undefined;
  readonly guard?: string | undefined;
  readonly log?: string | undefined;
  readonly record?: string | undefined;
  readonly servers?: string | undefined;
  readonly replacements?: string | undefined;
  readonly principal?: string | undefined;
}

/** Describes those of these files that the server is given: an agent that can write there makes its own rules. */
export function filesGivenAway(
  { spec, guard, log, record, servers, replacements, principal }: DecidingFiles,
  serverArguments: readonly string[],
  workingFolder?: string,
): string[] {
  const isFile = principal !== undefined && !principal.trimStart().startsWith('{');
  const places = {
    'the specification': spec,
    'the guard': guard,
    'the log': log,
    'the recording': record,
    'the file of --servers': servers,
    'the file of --replacements': replacements,
    'the file of --principal': isFile ? principal : undefined,
  };
  return exposures(places, serverArguments, workingFolder, { argumentsAlone: true });
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
