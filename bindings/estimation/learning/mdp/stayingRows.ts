import type { LearntMdpView } from '../learntView.js';

/** The rows of doing nothing by the steps after which the run went on, where the row of the model mixes them with ends of runs. */
export interface StayingRows {
  /**
   * Float64Array(rows of the model): the weight in the row of the draws that ended the run. 0 in rows of actions, and in rows whose draws
   * all went on or all ended.
   */
  readonly ended: Float64Array;
  /** Float64Array(branches of the model): the probabilities without the draws that ended the run; elsewhere those of the model. */
  readonly values: Float64Array;
}

/**
 * The last step of a recording has no action because nobody recorded what came after it. Where other steps without an action went on, they
 * alone show what doing nothing does: this takes the ends out of these rows, which makes them those of an action that was only ever taken
 * in mid-run. With e of n draws at the end and k branches, smoothed by α, a branch seen c times has (c + α) / (n - e + k α), without
 * counting the ends, and the model's row is e / (n + k α) of an end, and for the rest this one.
 */
export function stayingRows(view: LearntMdpView): StayingRows {
  const { model, actions, stateOf, rowDraws, counts, start, end, parameters } = view;
  const { rowStart, columns } = model;
  const { smoothing } = parameters.learning;
  const ended = new Float64Array(actions.length);
  const values = Float64Array.from(model.values);
  actions.forEach((name, row) => {
    if (name !== null || stateOf[row] === start || stateOf[row] === end) return;
    const [first, last] = [rowStart[row], rowStart[row + 1]];
    const endAt = columns.subarray(first, last).indexOf(end);
    const ends = endAt < 0 ? 0 : counts[first + endAt];
    if (ends === 0 || ends === rowDraws[row]) return;
    const added = (last - first) * smoothing;
    ended[row] = ends / (rowDraws[row] + added);
    for (let i = first; i < last; i++) {
      const seen = columns[i] === end ? 0 : counts[i];
      values[i] = (seen + smoothing) / (rowDraws[row] - ends + added);
    }
  });
  return { ended, values };
}
