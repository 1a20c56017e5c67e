import { type ConfidenceRows, confidenceRows } from './confidenceRows.js';

/** Limit up to which counts stay whole numbers that doubles represent exactly. */
const MAX_DRAWS = 2 ** 50;

/** Maximal number of doublings: no row is forecast beyond a million times its draws. */
const MAX_DOUBLINGS = 20;

/**
 * The confidence sets that rows would have if each had been drawn 2^k times as often, with its current frequencies and no new successors.
 * The outcome of further draws is unknown; this is their effect if they continue as before.
 */
export class GrownRows {
  readonly #levels: ConfidenceRows[];
  /** The largest k. */
  readonly doublings: number;

  constructor(confidence: ConfidenceRows) {
    this.#levels = [confidence];
    const most = confidence.rows.draws.reduce((a, b) => Math.max(a, b), 1);
    this.doublings = Math.max(1, Math.min(MAX_DOUBLINGS, Math.floor(Math.log2(MAX_DRAWS / most))));
  }

  /** @param k from 0 to `doublings`; sets are computed on first use. */
  at(k: number): ConfidenceRows {
    this.#levels[k] ??= grow(this.#levels[0], 2 ** k);
    return this.#levels[k];
  }
}

function grow({ rows, delta }: ConfidenceRows, factor: number): ConfidenceRows {
  const { counts, draws, drawsSinceNew } = rows;
  return confidenceRows(
    {
      ...rows,
      counts: counts.map((count) => count * factor),
      draws: draws.map((drawn) => drawn * factor),
      drawsSinceNew: drawsSinceNew.map((since, row) => since + draws[row] * (factor - 1)),
    },
    delta,
  );
}
