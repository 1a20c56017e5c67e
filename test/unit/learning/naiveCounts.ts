import type { Trace } from '../../../bindings/observations/trace/index.js';

/** What an observer with a map and no hurry counts: of each source, per target, how often and at which draw first. */
export interface NaiveCounts {
  /** `start`, then valuations as text such as `101` (first predicate first) in order of discovery. */
  readonly sources: string[];
  readonly rows: Map<string, Map<string, { count: number; firstDraw: number }>>;
}

/** Counts transitions of traces over the Boolean fields `p0`, `p1`, … of their states, by definition. */
export function countNaively(traces: readonly Trace[], predicates: number): NaiveCounts {
  const rows: NaiveCounts['rows'] = new Map([['start', new Map()]]);
  const draws = new Map<string, number>();
  for (const { steps, complete } of traces) {
    if (steps.length === 0) continue;
    const path = steps.map(({ state }) =>
      Array.from({ length: predicates }, (_, i) => (state[`p${i}`] ? 1 : 0)).join(''),
    );
    for (const valuation of path) if (!rows.has(valuation)) rows.set(valuation, new Map());
    const whole = ['start', ...path, ...(complete ? ['end'] : [])];
    for (let i = 1; i < whole.length; i++) {
      const draw = (draws.get(whole[i - 1]) ?? 0) + 1;
      draws.set(whole[i - 1], draw);
      const row = rows.get(whole[i - 1])!;
      const entry = row.get(whole[i]);
      if (entry) entry.count++;
      else row.set(whole[i], { count: 1, firstDraw: draw });
    }
  }
  return { sources: [...rows.keys()], rows };
}
