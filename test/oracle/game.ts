import { BitSet, type Direction } from '../../bindings/solvers/kernel/index.js';
import type { Model, Rewards } from '../../bindings/solvers/model/index.js';
import { ExactChain } from './chain.js';
import { exactRow, verticesOf } from './intervals.js';
import { Rational } from './rational.js';
import { accumulated, type ExactReward, meanInLongRun } from './rewards.js';

/** One thing that may be done in a state: a distribution, and what it earns, state reward included. */
interface Option {
  readonly row: ReadonlyMap<number, Rational>;
  readonly gain: Rational;
}

/** What is best of several values, null being infinite. */
function best(values: readonly ExactReward[], direction: Direction): ExactReward {
  return values.reduce((a, b) => {
    const greater = b === null || (a !== null && b.compare(a) > 0);
    return greater === (direction === 'max') ? b : a;
  });
}

/**
 * Any model as a finite game in fractions: in each state the scheduler chooses a row, then nature one of its vertices. Rewards
 * are sums over all, chains have one row a state and one vertex a row. Values for ever are found by trying all memoryless
 * strategies, among which are best ones for both; values of so many steps by the best step, again and again.
 */
export class ExactGame {
  readonly states: number;
  /** options[s][r][v]. */
  private readonly options: readonly (readonly (readonly Option[])[])[];

  constructor(model: Model, rewards: Rewards = { name: '' }) {
    this.states = model.states;
    const groups = 'rowGroupStart' in model ? model.rowGroupStart : Uint32Array.from(model.rowStart.keys());
    const exact = (value: number | undefined) => Rational.fromDouble(value ?? 0);
    this.options = Array.from({ length: this.states }, (_, s) =>
      Array.from({ length: groups[s + 1] - groups[s] }, (_, i) => {
        const row = groups[s] + i;
        return this.vertices(model, s, row).map((vertex) => {
          let gain = exact(rewards.states?.[s]).plus(exact(rewards.choices?.[row]));
          for (let e = model.rowStart[row]; e < model.rowStart[row + 1]; e++) {
            const p = vertex.get(model.columns[e]) ?? Rational.ZERO;
            gain = gain.plus(p.times(exact(rewards.branches?.[e])));
          }
          return { row: vertex, gain };
        });
      }),
    );
  }

  /** How many pairs of memoryless strategies there are. */
  get size(): number {
    return this.options.flat().reduce((size, { length }) => size * length, 1) * this.schedulers;
  }

  private get schedulers(): number {
    return this.options.reduce((size, { length }) => size * length, 1);
  }

  private vertices(model: Model, s: number, row: number): ReadonlyMap<number, Rational>[] {
    const [start, end] = [model.rowStart[row], model.rowStart[row + 1]];
    if (!('lower' in model)) {
      // What the moves leave of 1 is the probability to stay.
      const from = (array: Uint32Array | Float64Array) => [...array.subarray(start, end)];
      const rowStart = new Uint32Array(this.states + 1).fill(end - start, s + 1);
      const columns = Uint32Array.from(from(model.columns));
      const values = Float64Array.from(from(model.values));
      return [new ExactChain({ rowStart, columns, values }).rows[s]];
    }
    const { columns } = exactRow(model, row);
    return verticesOf(exactRow(model, row)).map(
      (vertex) =>
        new Map(vertex.flatMap((p, i): [number, Rational][] => (p.compare(0) > 0 ? [[columns[i], p]] : []))),
    );
  }

  /** P(remain U target). */
  until(directions: readonly Direction[], remain: BitSet, target: BitSet): Rational[] {
    return this.forever(directions, (chain) => chain.until(remain, target)) as Rational[];
  }

  reachabilityReward(directions: readonly Direction[], target: BitSet): ExactReward[] {
    return this.forever(directions, (chain, gain) =>
      accumulated(
        chain,
        gain,
        (s) => !target.has(s),
        () => true,
      ),
    );
  }

  totalReward(directions: readonly Direction[]): ExactReward[] {
    return this.forever(directions, (chain, gain) =>
      accumulated(
        chain,
        gain,
        () => true,
        (states) => states.some((s) => gain[s].compare(0) > 0),
      ),
    );
  }

  longRunReward(directions: readonly Direction[]): Rational[] {
    const all = BitSet.full(this.states);
    return this.forever(directions, (chain, gain) => meanInLongRun(chain, gain, all)) as Rational[];
  }

  /** The most steps that any memoryless choices take, in expectation, before a run is where it can stay for ever. */
  mostSteps(): Rational[] {
    const alive = () => true;
    const never = () => false;
    return this.forever(['max'], (chain, gain) =>
      accumulated(
        chain,
        gain.map(() => Rational.ONE),
        alive,
        never,
      ),
    ) as Rational[];
  }

  /** Values `steps` steps back: the best option anew in each, what it earns added. States not `active` have `others` after a step. */
  stepBack(
    directions: readonly Direction[],
    start: readonly Rational[],
    steps: number,
    {
      earning = false,
      active = () => true,
      others = start,
    }: { earning?: boolean; active?: (s: number) => boolean; others?: readonly Rational[] } = {},
  ): Rational[] {
    const [scheduler, nature] = players(directions);
    let values = start;
    for (let step = 0; step < steps; step++) {
      const later = values;
      const ofOption = ({ row, gain }: Option) =>
        [...row].reduce((sum, [t, p]) => sum.plus(p.times(later[t])), earning ? gain : Rational.ZERO);
      values = this.options.map((rows, s) => {
        if (!active(s)) return others[s];
        const ofRows = rows.map((vertices) => best(vertices.map(ofOption), nature));
        return best(ofRows, scheduler) as Rational;
      });
    }
    return [...values];
  }

  /** P(remain U[from, to] target), position for position. */
  boundedUntil(
    directions: readonly Direction[],
    remain: BitSet,
    target: BitSet,
    from: number,
    to: number | null,
  ): Rational[] {
    const indicator = numbersOf(target);
    const open =
      to === null
        ? this.until(directions, remain, target)
        : this.stepBack(directions, indicator, to - from, {
            active: (s) => remain.has(s) && !target.has(s),
          });
    const others = indicator.map(() => Rational.ZERO);
    return this.stepBack(directions, open, from, { active: (s) => remain.has(s), others });
  }

  /** The best value over all schedulers of the best over all choices of nature, state by state. */
  private forever(
    directions: readonly Direction[],
    valuesOf: (chain: ExactChain, gain: readonly Rational[]) => ExactReward[],
  ): ExactReward[] {
    const [scheduler, nature] = players(directions);
    return bestOf(
      combinations(this.options).map((vertices) =>
        bestOf(
          combinations(vertices).map((options) =>
            valuesOf(
              new ExactChain(options.map(({ row }) => row)),
              options.map(({ gain }) => gain),
            ),
          ),
          nature,
        ),
      ),
      scheduler,
    );
  }
}

/** 1 in a set and 0 elsewhere. */
export function numbersOf(set: BitSet): Rational[] {
  return Array.from({ length: set.size }, (_, s) => (set.has(s) ? Rational.ONE : Rational.ZERO));
}

/** Directions of a scheduler and of nature; whose is not given has no choice. */
function players(directions: readonly Direction[]): [Direction, Direction] {
  return [directions[0] ?? 'min', directions.at(-1) ?? 'min'];
}

function bestOf(values: readonly ExactReward[][], direction: Direction): ExactReward[] {
  return values[0].map((_, s) =>
    best(
      values.map((of) => of[s]),
      direction,
    ),
  );
}

/** All ways to take one of each. */
function combinations<T>(choices: readonly (readonly T[])[]): T[][] {
  return choices.reduce<T[][]>(
    (taken, each) => taken.flatMap((before) => each.map((one) => [...before, one])),
    [[]],
  );
}
