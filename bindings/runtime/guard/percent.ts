/** Three significant digits do for what is told beside the number that was compared. */
export function rounded(probability: number): number {
  return Number(probability.toPrecision(3));
}

export function percent(probability: number): string {
  return `${rounded(100 * probability)} %`;
}
