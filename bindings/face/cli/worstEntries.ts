import { upward } from './certifiedNumbers.js';

/** Number of rows of a rule that are printed unless more are requested. */
export const MAX_SHOWN = 20;

interface Judged {
  readonly verdict: 'open' | 'violated' | 'satisfied';
}

/** The entries to list, worst first. If not all fit, decided entries are dropped, because nothing is left to predict there. */
export function worst<T extends Judged>(entries: readonly T[], shown: number): readonly T[] {
  if (entries.length <= shown) return entries;
  return entries.filter(({ verdict }) => verdict === 'open').slice(0, shown);
}

/**
 * Describes how many entries are not listed, and how large their risks are.
 *
 * @param upperOf the number that entries are sorted by, descending.
 */
export function describeRest<T extends Judged>(
  entries: readonly T[],
  listed: readonly T[],
  upperOf: (entry: T) => number,
): string[] {
  if (listed.length === entries.length) return [];
  const left = new Set(entries);
  for (const entry of listed) left.delete(entry);
  const open = [...left].filter(({ verdict }) => verdict === 'open');
  const parts = [
    ...(open.length > 0 ? [`${open.length} open with risks up to ${upward(upperOf(open[0]))}`] : []),
    ...(['violated', 'satisfied'] as const).flatMap((verdict) => {
      const count = [...left].filter((entry) => entry.verdict === verdict).length;
      return count > 0 ? [`${count} ${verdict}`] : [];
    }),
  ];
  return [`… ${left.size} more: ${parts.join(', ')}; --top N or --all prints more`];
}
