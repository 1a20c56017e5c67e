import { followFile } from '../../node/index.js';
import { type GuardSource, type OpenedGuards, openGuards } from '../openGuards.js';

/**
 * Opens the guards of a command that serves several runs. The specification is read again for each of them, as by `followFile`.
 *
 * @param prepare what runs need of the guards; a specification for which it throws counts as wrong
 * @returns what the next run needs
 * @throws InvalidArgumentError and others, as `openGuards` and `prepare`, for what is wrong at the beginning
 */
export async function rereadGuards<Prepared>(
  { guard, spec }: GuardSource,
  prepare: (opened: OpenedGuards) => Prepared,
  note: (text: string) => void,
): Promise<() => Promise<Prepared>> {
  const fixed =
    guard === undefined && spec !== undefined
      ? { guards: [], beside: [], specification: null }
      : await openGuards({ ...(guard !== undefined && { guard }) }, note);
  if (spec === undefined) {
    const prepared = prepare(fixed);
    return async () => prepared;
  }
  const open = async (beside: Map<string, string | null>) => {
    const opened = await openGuards({ spec }, note, beside);
    const [rules] = opened.guards;
    const value = prepare({ ...opened, guards: [...fixed.guards, rules] });
    return { value, hash: rules.file.specificationHash };
  };
  return followFile(spec, open, note);
}
