import type { BitSet, ChainRewards } from '../../bindings/solvers/kernel/index.js';
import { type ExactChain, solve } from './chain.js';
import { Rational } from './rational.js';

/** An expected reward, exactly; null where it is infinite. */
export type ExactReward = Rational | null;

/** What each state is expected to earn in one step, by the definition. */
export function exactGains(chain: ExactChain, { states, transitions }: ChainRewards): Rational[] {
  return chain.rows.map((row, s) => {
    let gain = Rational.fromDouble(states?.[s] ?? 0);
    if (transitions === undefined) return gain;
    for (let e = transitions.rowStart[s]; e < transitions.rowStart[s + 1]; e++) {
      const probability = row.get(transitions.columns[e]) ?? Rational.ZERO;
      gain = gain.plus(probability.times(Rational.fromDouble(transitions.values[e])));
    }
    return gain;
  });
}

/** `reaches[s]`: the states that a path from s leads to without leaving `within`, s itself included if it is there. */
function reachable(chain: ExactChain, within: (s: number) => boolean): Set<number>[] {
  return chain.rows.map((_, root) => {
    const seen = new Set(within(root) ? [root] : []);
    for (const s of seen) for (const t of chain.rows[s].keys()) if (within(t)) seen.add(t);
    return seen;
  });
}

/** The bottom components: classes of states from which every state that can be reached leads back. */
export function exactBottomComponents(chain: ExactChain): number[][] {
  const reaches = reachable(chain, () => true);
  const classes = new Map<number, number[]>();
  for (const s of chain.rows.keys()) {
    if ([...reaches[s]].some((t) => !reaches[t].has(s))) continue;
    const first = Math.min(...reaches[s]);
    classes.set(first, [...(classes.get(first) ?? []), s]);
  }
  return [...classes.values()];
}

/** The solution x = gain + P x on `unknown`, x being 0 elsewhere. */
function solveWithin(
  chain: ExactChain,
  unknown: readonly number[],
  gain: readonly Rational[],
): Map<number, Rational> {
  const solution = solve(
    unknown.map((s, i) => [
      ...unknown.map((t, j) =>
        (i === j ? Rational.ONE : Rational.ZERO).minus(chain.rows[s].get(t) ?? Rational.ZERO),
      ),
      gain[s],
    ]),
  );
  return new Map(unknown.map((s, i) => [s, solution[i]]));
}

/** What is earned before `within` is left, where `endless` says which states of a bottom component in `within` count. */
export function accumulated(
  chain: ExactChain,
  gain: readonly Rational[],
  within: (s: number) => boolean,
  endless: (component: readonly number[]) => boolean,
): ExactReward[] {
  const traps = exactBottomComponents(chain).filter((states) => states.every(within));
  const infinite = new Set(traps.filter(endless).flat());
  const idle = new Set(traps.flat());
  const reaches = reachable(chain, within);
  const finite = [...chain.rows.keys()].filter(
    (s) => within(s) && ![...reaches[s]].some((t) => infinite.has(t)),
  );
  const values = solveWithin(
    chain,
    finite.filter((s) => !idle.has(s)),
    gain,
  );
  return chain.rows.map((_, s) => {
    if (!within(s) || (idle.has(s) && !infinite.has(s))) return Rational.ZERO;
    return values.get(s) ?? null;
  });
}

export function exactReachabilityReward(
  chain: ExactChain,
  rewards: ChainRewards,
  target: BitSet,
): ExactReward[] {
  return accumulated(
    chain,
    exactGains(chain, rewards),
    (s) => !target.has(s),
    () => true,
  );
}

export function exactTotalReward(chain: ExactChain, rewards: ChainRewards, within: BitSet): ExactReward[] {
  const gain = exactGains(chain, rewards);
  const earns = (states: readonly number[]) => states.some((s) => gain[s].compare(0) > 0);
  return accumulated(chain, gain, (s) => within.has(s), earns);
}

/** Values after 0 to `steps` steps back from `start`, `gain` being added in each. */
export function exactSteps(
  chain: ExactChain,
  start: readonly Rational[],
  gain: readonly Rational[],
  steps: number,
): Rational[][] {
  const all = [[...start]];
  for (let step = 0; step < steps; step++) {
    const before = all[step];
    all.push(
      chain.rows.map((row, s) => [...row].reduce((sum, [t, p]) => sum.plus(p.times(before[t])), gain[s])),
    );
  }
  return all;
}

/** The stationary distribution of a bottom component, in the order of its states. */
function exactStationary(chain: ExactChain, states: readonly number[]): Rational[] {
  return solve(
    states.map((t, j) =>
      j === 0
        ? [...states.map(() => Rational.ONE), Rational.ONE]
        : [
            ...states.map((s) =>
              (chain.rows[s].get(t) ?? Rational.ZERO).minus(s === t ? Rational.ONE : Rational.ZERO),
            ),
            Rational.ZERO,
          ],
    ),
  );
}

export function exactLongRunAverage(chain: ExactChain, rewards: ChainRewards, all: BitSet): Rational[] {
  return meanInLongRun(chain, exactGains(chain, rewards), all);
}

/** The mean of what states gain. */
export function meanInLongRun(chain: ExactChain, gain: readonly Rational[], all: BitSet): Rational[] {
  let values = chain.rows.map(() => Rational.ZERO);
  for (const states of exactBottomComponents(chain)) {
    const shares = exactStationary(chain, states);
    const average = states.reduce((sum, s, i) => sum.plus(shares[i].times(gain[s])), Rational.ZERO);
    const reached = chain.until(all, setOf(all, states));
    values = values.map((value, s) => value.plus(reached[s].times(average)));
  }
  return values;
}

export function exactSteadyState(chain: ExactChain, initial: Float64Array, all: BitSet): Rational[] {
  const result = chain.rows.map(() => Rational.ZERO);
  for (const states of exactBottomComponents(chain)) {
    const shares = exactStationary(chain, states);
    const entered = chain
      .until(all, setOf(all, states))
      .reduce((sum, value, s) => sum.plus(value.times(Rational.fromDouble(initial[s]))), Rational.ZERO);
    for (const [i, s] of states.entries()) result[s] = shares[i].times(entered);
  }
  return result;
}

export function exactVisitsFrom(chain: ExactChain, initial: Float64Array, within: BitSet): ExactReward[] {
  const reaches = reachable(chain, (s) => within.has(s));
  const visited = new Set(
    [...chain.rows.keys()].filter((s) => initial[s] > 0).flatMap((s) => [...reaches[s]]),
  );
  const recurrent = new Set(
    exactBottomComponents(chain)
      .filter((states) => states.every((s) => within.has(s)))
      .flat(),
  );
  const unknown = [...visited].filter((s) => !recurrent.has(s));
  const solution = solve(
    unknown.map((t, j) => [
      ...unknown.map((s, i) =>
        (i === j ? Rational.ONE : Rational.ZERO).minus(chain.rows[s].get(t) ?? Rational.ZERO),
      ),
      Rational.fromDouble(initial[t]),
    ]),
  );
  const values = new Map(unknown.map((s, i) => [s, solution[i]]));
  return chain.rows.map((_, s) => (visited.has(s) ? (values.get(s) ?? null) : Rational.ZERO));
}

function setOf(all: BitSet, members: readonly number[]): BitSet {
  const set = all.difference(all);
  for (const s of members) set.add(s);
  return set;
}
