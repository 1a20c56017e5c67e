/** One step of a run: mode, trigger condition, stop condition, response. */
export interface FretStep {
  readonly m: boolean;
  readonly c: boolean;
  readonly s: boolean;
  readonly p: boolean;
}

/** The first and last step of an interval. */
type Interval = readonly [number, number];

/** The intervals of a scope on a run, in the words of FRET's scope descriptions. */
function intervals(scope: string, run: readonly FretStep[]): Interval[] {
  const last = run.length - 1;
  const stretches = (inside: boolean): Interval[] => {
    const found: Interval[] = [];
    for (let i = 0; i <= last; i++) {
      if (run[i].m !== inside) continue;
      const from = i;
      while (i < last && run[i + 1].m === inside) i++;
      found.push([from, i]);
    }
    return found;
  };
  const firstMode = run.findIndex((step) => step.m);
  const [firstStretch] = stretches(true);
  switch (scope) {
    case 'null':
      return [[0, last]];
    case 'in':
      return stretches(true);
    case 'notin':
    case 'onlyIn':
      return stretches(false);
    case 'before':
      return firstMode === 0 ? [] : [[0, firstMode === -1 ? last : firstMode - 1]];
    case 'after':
      return firstStretch === undefined || firstStretch[1] === last ? [] : [[firstStretch[1] + 1, last]];
    case 'onlyBefore':
      return firstMode === -1 ? [] : [[firstMode, last]];
    case 'onlyAfter':
      return [[0, firstStretch === undefined ? last : firstStretch[1]]];
    default:
      throw new Error(scope);
  }
}

function triggers(condition: string, run: readonly FretStep[], [from, to]: Interval): number[] {
  if (condition === 'null') return [from];
  const found: number[] = [];
  for (let i = from; i <= to; i++) {
    if (run[i].c && (condition === 'holding' || i === from || !run[i - 1].c)) found.push(i);
  }
  return found;
}

/** Whether the timed response happens after trigger t in an interval that ends at `to`; undefined if the interval ends before that is decided. */
function happens(
  timing: string,
  n: number,
  run: readonly FretStep[],
  t: number,
  to: number,
): boolean | undefined {
  const p = (i: number): boolean => run[i].p;
  const points = (a: number, b: number): number[] => {
    const found: number[] = [];
    for (let i = a; i <= b && i <= to; i++) found.push(i);
    return found;
  };
  const cut = (distance: number): boolean => t + distance > to;
  switch (timing) {
    case 'immediately':
      return p(t);
    case 'next':
      return cut(1) ? undefined : p(t + 1);
    case 'finally':
      return p(to);
    case 'null':
    case 'eventually':
      return points(t, to).some(p);
    case 'always':
      return points(t, to).every(p);
    case 'never':
      return !points(t, to).some(p);
    case 'within':
      if (points(t, t + n).some(p)) return true;
      return cut(n) ? undefined : false;
    case 'for':
      if (!points(t, t + n).every(p)) return false;
      return cut(n) ? undefined : true;
    case 'after':
      if (points(t, t + n).some(p)) return false;
      return cut(n + 1) ? undefined : p(t + n + 1);
    case 'until':
    case 'before': {
      const stop = points(t, to).find((i) => run[i].s);
      const until = points(t, stop === undefined ? to : stop - 1);
      if (timing === 'before') return until.some(p) ? true : stop === undefined ? undefined : false;
      return !until.every(p) ? false : stop === undefined ? undefined : true;
    }
    default:
      throw new Error(timing);
  }
}

/**
 * Whether a run satisfies a cell of FRET, by the words of its descriptions. A response that the end of the interval leaves undecided breaks neither the requirement nor,
 * in a scope with "only", its negation.
 */
export function fretSatisfied(
  cell: { scope: string; condition: string; timing: string },
  duration: number,
  run: readonly FretStep[],
): boolean {
  const forbidden = cell.scope.startsWith('only');
  return intervals(cell.scope, run).every((interval) =>
    triggers(cell.condition, run, interval).every(
      (t) => happens(cell.timing, duration, run, t, interval[1]) !== forbidden,
    ),
  );
}
