import { type ConfidenceRows, confidenceRows } from './confidenceRows.js';

/** Counts stay whole numbers that doubles hold exactly. */
const MAX_DRAWS = 2 ** 50;

/** No row is foreseen to be drawn a million times as often as it was. */
const MAX_DOUBLINGS = 20;

/**
 * The confidence sets that rows would have, had each been drawn 2^k times as often, with the frequencies it has now and nothing new. What
 * more draws are going to show is not known; this is what they come to if they go on as before.
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

  /** @param k from 0 to `doublings`; sets are made when they are first asked for. */
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
