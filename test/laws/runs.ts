/** How often a law is tried: `usual` times, or LAWS_RUNS times as often for a long run. */
export function runs(usual: number): number {
  return Math.ceil(usual * Number(process.env.LAWS_RUNS ?? 1));
}
