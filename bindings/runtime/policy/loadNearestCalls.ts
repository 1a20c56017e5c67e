/** Loads what finds the nearest permitted call: the decider, which guards that suggest nothing do without. */
export async function loadNearestCalls(): Promise<typeof import('./nearestCall.js').NearestCalls> {
  return (await import('./nearestCall.js')).NearestCalls;
}
