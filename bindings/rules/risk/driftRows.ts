import { withContext } from '../../base/words.js';
import type { LearntView } from '../../estimation/learning/index.js';
import { type DrawnRows, drawnRows } from '../../estimation/pac/index.js';
import type { GuardDrift } from '../../runtime/guard/index.js';
import type { Specification } from '../specification/index.js';
import { fileState } from './fileNumbers.js';

/**
 * The reference data of a guard's drift test: the draws of a learnt chain without ends of runs. A draw that is not an end follows the row
 * conditioned on not ending, whatever is known about ends.
 *
 * @returns null if the specification does not watch drift
 * @throws InvalidDataError if the data are no sample of the agent: data were forgotten, or traces were left out
 */
export function driftRows({ drift, onDrift, source }: Specification, view: LearntView): GuardDrift | null {
  if (drift === null) return null;
  return { ...drift, onDrift, ...stepsOf(draws(view, source), view) };
}

/** The single steps among the draws. `start` is the row of how runs begin; `end` has no row. */
export function stepsOf(
  rows: DrawnRows,
  { start, end }: Pick<LearntView, 'start' | 'end'>,
): Pick<GuardDrift, 'start' | 'counts' | 'drawsSinceNew'> {
  const first = transitions(rows, start, end);
  const counts: number[] = [];
  const drawsSinceNew: number[] = [];
  for (let s = start + 1; s < end; s++) {
    const row = transitions(rows, s, end);
    counts.push(...row.counts);
    drawsSinceNew.push(row.sinceNew);
  }
  return {
    start: { columns: first.columns, counts: first.counts },
    counts,
    drawsSinceNew: [...drawsSinceNew, first.sinceNew],
  };
}

function draws(view: LearntView, source: string): DrawnRows {
  try {
    return drawnRows(view);
  } catch (error) {
    throw withContext(error, `${source}: drift cannot be watched`);
  }
}

/** The observed transitions of row s: successors that are not ends, numbered as in the guard file. */
function transitions(
  { rowStart, columns, counts, firstDraws, draws }: DrawnRows,
  s: number,
  end: number,
): { columns: number[]; counts: number[]; sinceNew: number } {
  const found = { columns: [] as number[], counts: [] as number[] };
  let latest = 0;
  let ends = 0;
  let firstEnd = Number.POSITIVE_INFINITY;
  for (let e = rowStart[s]; e < rowStart[s + 1]; e++) {
    if (counts[e] === 0) continue;
    if (columns[e] === end) {
      ends = counts[e];
      firstEnd = firstDraws[e];
      continue;
    }
    found.columns.push(fileState(columns[e]));
    found.counts.push(counts[e]);
    latest = Math.max(latest, firstDraws[e]);
  }
  // All ends may lie after the last new successor, except the first end if it came earlier.
  const later = firstEnd < latest ? ends - 1 : ends;
  return { ...found, sinceNew: Math.max(0, draws[s] - latest - later) };
}
