/*
 * Sliding maxima with a queue of the candidates, each larger than those that came into the window after it: every value enters and
 * leaves it once. D. Lemire, Streaming maximum-minimum filter using no more than three comparisons per element, 2006.
 */

/**
 * Sets `out[i]` to the largest existing value among `values[i + from .. i + to]`, or -∞ if there is none.
 *
 * @param queue scratch array as long as `values`
 */
export function maximumAhead(
  values: Float64Array,
  from: number,
  to: number,
  out: Float64Array,
  queue: Int32Array,
): void {
  const { length } = values;
  let head = 0;
  let tail = 0;
  for (let i = length - 1; i >= 0; i--) {
    const entering = i + from;
    if (entering >= length) {
      out[i] = Number.NEGATIVE_INFINITY;
      continue;
    }
    const value = values[entering];
    while (tail > head && values[queue[tail - 1]] <= value) tail--;
    queue[tail++] = entering;
    while (queue[head] > i + to) head++;
    out[i] = values[queue[head]];
  }
}

/**
 * Sets `out[i - skip]`, for i from `skip` on, to the largest existing value among `values[i - to .. i - from]`, or -∞ if there is none.
 *
 * @param queue scratch array as long as `values`
 */
export function maximumBehind(
  values: Float64Array,
  from: number,
  to: number,
  skip: number,
  out: Float64Array,
  queue: Int32Array,
): void {
  const { length } = values;
  let head = 0;
  let tail = 0;
  for (let i = 0; i < length; i++) {
    const entering = i - from;
    if (entering >= 0) {
      const value = values[entering];
      while (tail > head && values[queue[tail - 1]] <= value) tail--;
      queue[tail++] = entering;
      while (queue[head] < i - to) head++;
    }
    if (i >= skip) out[i - skip] = entering >= 0 ? values[queue[head]] : Number.NEGATIVE_INFINITY;
  }
}
