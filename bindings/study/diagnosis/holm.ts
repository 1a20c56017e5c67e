/**
 * Computes Holm's adjusted p-values. If those at most a level are rejected, the probability of any false rejection is at most that level,
 * however the tests depend on each other.
 *
 * @see Holm, A simple sequentially rejective multiple test procedure, 1979
 */
export function holm(values: readonly number[]): number[] {
  const order = values.map((_, i) => i).sort((a, b) => values[a] - values[b]);
  const adjusted: number[] = Array.from({ length: values.length }, () => 1);
  let largest = 0;
  order.forEach((i, rank) => {
    largest = Math.max(largest, Math.min(1, (values.length - rank) * values[i]));
    adjusted[i] = largest;
  });
  return adjusted;
}
