import type { Guard } from '../../../runtime/guard/index.js';
import { followFile } from '../../node/index.js';
import { type GuardSource, openGuards } from '../openGuards.js';

/**
 * Opens the guards of a command that serves several runs. The specification is read again for each of them, as by `followFile`.
 *
 * @param prepare what runs need of the guards; a specification for which it throws counts as wrong
 * @returns what the next run needs
 * @throws InvalidArgumentError and others, as `openGuards` and `prepare`, for what is wrong at the beginning
 */
export async function rereadGuards<Prepared>(
  { guard, spec }: GuardSource,
  prepare: (guards: readonly Guard[]) => Prepared,
  note: (text: string) => void,
): Promise<() => Promise<Prepared>> {
  const fixed =
    guard === undefined && spec !== undefined
      ? []
      : await openGuards({ ...(guard !== undefined && { guard }) }, note);
  if (spec === undefined) {
    const prepared = prepare(fixed);
    return async () => prepared;
  }
  const open = async (beside: Map<string, string | null>) => {
    const [rules] = await openGuards({ spec }, note, beside);
    return { value: prepare([...fixed, rules]), hash: rules.file.specificationHash };
  };
  return followFile(spec, open, note);
}
