import type { ReferenceChain } from './chain.js';

/** No product may become smaller than this, or relative errors would not be small. */
const NORMAL = 2 ** -1000;

interface Pair {
  lower: number;
  upper: number;
}

/**
 * Solves the equations of a component whose states gain `gains`, without subtraction (Grassmann, Taksar and Heyman 1985); the
 * error bound is derived in assembly/solve/elimination.ts. Undefined if numbers leave the range in which it holds.
 */
export function eliminateSystem(
  chain: ReferenceChain,
  members: readonly number[],
  gains: readonly Pair[],
  transposed: boolean,
): readonly Pair[] | undefined {
  const n = members.length;
  const values = gains.map(({ lower, upper }) => ({ lower, upper }));
  let inRange = true;
  /** Adds `factor` times one pair to another. */
  const add = (to: Pair, factor: number, { lower, upper }: Pair) => {
    if (factor === 0 || upper === 0) return;
    if (factor * upper < NORMAL || (lower > 0 && factor * lower < NORMAL)) inRange = false;
    to.lower += factor * lower;
    to.upper += factor * upper;
  };

  const { inside, exit } = matrixOf(chain, members);
  const pivots = new Float64Array(n);
  for (let k = n - 1; k >= 0; k--) {
    let smallest = 1;
    pivots[k] = exit[k];
    for (const entry of [exit[k], ...inside[k].subarray(0, k)])
      if (entry > 0) smallest = Math.min(smallest, entry);
    for (let j = 0; j < k; j++) pivots[k] += inside[k][j];
    if (!(pivots[k] > 0)) return undefined;
    for (let i = 0; i < k; i++) {
      const factor = inside[i][k] / pivots[k];
      if (factor === 0) continue;
      if (factor * smallest < NORMAL) return undefined;
      exit[i] += factor * exit[k];
      for (let j = 0; j < k; j++) inside[i][j] += factor * inside[k][j];
      if (!transposed) add(values[i], factor, values[k]);
    }
    // What starts in a censored state starts where it first goes.
    if (transposed) for (let j = 0; j < k; j++) add(values[j], inside[k][j] / pivots[k], values[k]);
  }
  for (let k = 0; k < n; k++) {
    for (let j = 0; j < k; j++) add(values[k], transposed ? inside[j][k] : inside[k][j], values[j]);
    values[k].lower /= pivots[k];
    values[k].upper /= pivots[k];
    if (!(values[k].lower < Number.POSITIVE_INFINITY)) return undefined;
  }
  return inRange ? values : undefined;
}

/** Moves inside the component, without those from a state to itself, and the probability to leave it. */
function matrixOf(
  chain: ReferenceChain,
  members: readonly number[],
): { inside: Float64Array[]; exit: Float64Array } {
  const place = new Map(members.map((s, i) => [s, i]));
  const exit = new Float64Array(members.length);
  const inside = members.map((s, i) => {
    const row = new Float64Array(members.length);
    for (let e = chain.rowStart[s]; e < chain.rowStart[s + 1]; e++) {
      const j = place.get(chain.columns[e]);
      if (j === undefined) exit[i] += chain.values[e];
      else row[j] = chain.values[e];
    }
    return row;
  });
  return { inside, exit };
}
