import type { ConfidenceRows } from './confidenceRows.js';
import { rowsOf } from './problem.js';

/**
 * Mixes the row sets of a decision process under the agent's own policy, which takes action a in state s as often as a was taken of all
 * times that s was left. The bounds hold for this known policy in the unknown world; whether the agent continues to choose so is not
 * considered.
 *
 * The mixture of true rows lies in the mixture of their sets: bounds, unseen mass and distances are means, and divergences at most means
 * (they are jointly convex). A successor seen after one action but not after another counts as unseen after the other.
 *
 * @returns sets of a chain's rows (row s is that of state s), which hold whenever the given sets do
 */
export function agentRows(confidence: ConfidenceRows): ConfidenceRows {
  const { rows, delta } = confidence;
  if (rows.rowGroupStart === undefined) return confidence;
  const states = rows.rowGroupStart.length - 1;
  const mixed = {
    rowStart: new Uint32Array(states + 1),
    draws: new Float64Array(states),
    unseen: new Float64Array(states),
    distance: new Float64Array(states),
    divergence: new Float64Array(states),
  };
  const entries: Entry[] = [];
  for (let s = 0; s < states; s++) {
    entries.push(...mixInto(mixed, confidence, s));
    mixed.rowStart[s + 1] = entries.length;
  }
  const { rowStart, draws, unseen, distance, divergence } = mixed;
  const per = (value: (entry: Entry) => number): Float64Array => Float64Array.from(entries, value);
  return {
    rows: {
      rowStart,
      columns: Uint32Array.from(entries, ({ target }) => target),
      counts: per(({ count }) => count),
      firstDraws: new Float64Array(entries.length),
      draws,
      drawsSinceNew: new Float64Array(states),
      rank: Float64Array.from(draws, (_, s) => s + 1),
      known: rows.known,
    },
    delta,
    empirical: per(({ empirical }) => empirical),
    lower: per(({ lower }) => lower),
    upper: per(({ upper }) => upper),
    unseen,
    distance,
    centre: per(({ centre }) => centre),
    divergence,
  };
}

interface Entry {
  readonly target: number;
  count: number;
  empirical: number;
  centre: number;
  lower: number;
  upper: number;
}

type Mixed = Readonly<Record<'draws' | 'unseen' | 'distance' | 'divergence', Float64Array>>;

/** Writes the mixture of the rows of state s, and returns its entries, ascending. */
function mixInto(
  mixed: Mixed,
  { rows, lower, upper, unseen, distance, centre, divergence }: ConfidenceRows,
  s: number,
): Entry[] {
  const [first, end] = rowsOf(rows, s);
  for (let row = first; row < end; row++) mixed.draws[s] += rows.draws[row];
  const draws = mixed.draws[s];
  const found = new Map<number, Entry>();
  for (let row = first; row < end; row++) {
    const weight = draws === 0 ? 1 / (end - first) : rows.draws[row] / draws;
    if (weight === 0) continue;
    mixed.unseen[s] += weight * unseen[row];
    mixed.distance[s] += weight * distance[row];
    mixed.divergence[s] += weight * divergence[row];
    for (let e = rows.rowStart[row]; e < rows.rowStart[row + 1]; e++) {
      const target = rows.columns[e];
      const entry = found.get(target) ?? {
        target,
        count: 0,
        empirical: 0,
        centre: 0,
        lower: 0,
        upper: 0,
      };
      entry.count += rows.counts[e];
      entry.centre += weight * centre[e];
      entry.lower += weight * lower[e];
      entry.upper += weight * upper[e];
      found.set(target, entry);
    }
  }
  // A mean of k terms has a relative error of at most (k + 1) 2^-53; the mean of one term is exact.
  const rounding = end - first === 1 ? 0 : (end - first + 2) * 2 ** -52;
  mixed.unseen[s] = Math.min(1, mixed.unseen[s] * (1 + rounding));
  mixed.distance[s] = Math.min(1, mixed.distance[s] * (1 + rounding));
  mixed.divergence[s] = draws === 0 ? Number.POSITIVE_INFINITY : mixed.divergence[s] * (1 + rounding);
  for (const entry of found.values()) {
    entry.empirical = draws === 0 ? 0 : entry.count / draws;
    entry.lower *= 1 - rounding;
    entry.upper = Math.min(1, entry.upper * (1 + rounding));
    if (draws === 0) continue;
    entry.lower = Math.min(entry.lower, entry.empirical);
    entry.upper = Math.max(entry.upper, entry.empirical);
  }
  return [...found.values()].sort((a, b) => a.target - b.target);
}
