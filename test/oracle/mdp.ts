import { BitSet, type Csr, type Direction, type MdpMatrix } from '../../bindings/solvers/kernel/index.js';
import { ExactChain, solve } from './chain.js';
import { max, Rational } from './rational.js';

/** Expected rewards may be infinite; null stands for that. */
export type Reward = Rational | null;

/** An MDP as exact fractions, by trying every memoryless scheduler: among these are best ones. */
export class ExactMdp {
  readonly states: number;
  private readonly matrix: MdpMatrix;

  constructor(matrix: MdpMatrix) {
    this.matrix = matrix;
    this.states = matrix.rowGroupStart.length - 1;
  }

  /** How many memoryless schedulers there are. */
  get size(): number {
    let size = 1;
    for (let s = 0; s < this.states; s++) size *= this.choices(s);
    return size;
  }

  /** The chain under a scheduler, given as the row taken in each state. */
  induced(scheduler: ArrayLike<number>): Csr {
    const { rowStart, columns, values } = this.matrix;
    const starts = new Uint32Array(this.states + 1);
    const entries: number[] = [];
    for (let s = 0; s < this.states; s++) {
      for (let e = rowStart[scheduler[s]]; e < rowStart[scheduler[s] + 1]; e++) entries.push(e);
      starts[s + 1] = entries.length;
    }
    return {
      rowStart: starts,
      columns: Uint32Array.from(entries, (e) => columns[e]),
      values: Float64Array.from(entries, (e) => values[e]),
    };
  }

  /** Every memoryless scheduler. */
  *schedulers(): Generator<number[]> {
    const { rowGroupStart } = this.matrix;
    const scheduler = Array.from(rowGroupStart.subarray(0, this.states));
    for (;;) {
      yield scheduler;
      let s = 0;
      while (s < this.states && ++scheduler[s] === rowGroupStart[s + 1]) scheduler[s] = rowGroupStart[s++];
      if (s === this.states) return;
    }
  }

  until(direction: Direction, remain: BitSet, target: BitSet): Rational[] {
    let best: Rational[] | undefined;
    for (const scheduler of this.schedulers()) {
      const values = new ExactChain(this.induced(scheduler)).until(remain, target);
      best = best?.map((value, s) => better(direction, value, values[s])) ?? values;
    }
    return best!;
  }

  /** P(remain U<=steps target): the best choice anew at every step. */
  boundedUntil(direction: Direction, remain: BitSet, target: BitSet, steps: number): Rational[] {
    let values = Array.from({ length: this.states }, (_, s) =>
      target.has(s) ? Rational.ONE : Rational.ZERO,
    );
    for (let step = 0; step < steps; step++) {
      const before = values;
      values = before.map((value, s) =>
        target.has(s) || !remain.has(s) ? value : this.bestMean(direction, s, before),
      );
    }
    return values;
  }

  next(direction: Direction, target: BitSet): Rational[] {
    const indicator = Array.from({ length: this.states }, (_, s) =>
      target.has(s) ? Rational.ONE : Rational.ZERO,
    );
    return indicator.map((_, s) => this.bestMean(direction, s, indicator));
  }

  /** The least or greatest expected reward before `target`; `earned` is what each row earns. */
  reachabilityReward(direction: Direction, earned: readonly Rational[], target: BitSet): Reward[] {
    let best: Reward[] | undefined;
    for (const scheduler of this.schedulers()) {
      const values = this.rewardUnder(scheduler, earned, target);
      best = best?.map((value, s) => betterReward(direction, value, values[s])) ?? values;
    }
    return best!;
  }

  /** Expected reward before `target` under one scheduler. */
  rewardUnder(scheduler: ArrayLike<number>, earned: readonly Rational[], target: BitSet): Reward[] {
    const chain = new ExactChain(this.induced(scheduler));
    const everywhere = BitSet.full(this.states);
    const never = chain.never(everywhere, target);
    const lost = BitSet.where(this.states, (s) => never[s]);
    const missesNever = chain.never(target.complement(), lost);
    const unknown = [...chain.rows.keys()].filter((s) => missesNever[s] && !target.has(s));
    const place = new Map(unknown.map((s, i) => [s, i]));
    const equations = unknown.map((s) => {
      const row = Array.from({ length: unknown.length + 1 }, () => Rational.ZERO);
      row[place.get(s)!] = Rational.ONE;
      row[unknown.length] = earned[scheduler[s]];
      for (const [t, probability] of chain.rows[s]) {
        const i = place.get(t);
        if (i !== undefined) row[i] = row[i].minus(probability);
      }
      return row;
    });
    const solution = solve(equations);
    return chain.rows.map((_, s) => {
      if (target.has(s)) return Rational.ZERO;
      return missesNever[s] ? solution[place.get(s)!] : null;
    });
  }

  /** The best mean over the successors of a state of values at the next step. */
  bestMean(direction: Direction, s: number, values: readonly Rational[]): Rational {
    const { rowGroupStart } = this.matrix;
    let best: Rational | undefined;
    for (let row = rowGroupStart[s]; row < rowGroupStart[s + 1]; row++) {
      const mean = this.mean(s, row, values);
      best = best === undefined ? mean : better(direction, best, mean);
    }
    return best!;
  }

  private mean(s: number, row: number, values: readonly Rational[]): Rational {
    const { rowStart, columns, values: probabilities } = this.matrix;
    let [exit, sum] = [Rational.ZERO, Rational.ZERO];
    for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
      if (columns[e] === s) continue;
      const probability = Rational.fromDouble(probabilities[e]);
      exit = exit.plus(probability);
      sum = sum.plus(probability.times(values[columns[e]]));
    }
    const total = max(exit, Rational.ONE);
    return sum.plus(total.minus(exit).times(values[s])).dividedBy(total);
  }

  private choices(s: number): number {
    return this.matrix.rowGroupStart[s + 1] - this.matrix.rowGroupStart[s];
  }
}

function better(direction: Direction, a: Rational, b: Rational): Rational {
  return direction === 'max' ? max(a, b) : a.compare(b) <= 0 ? a : b;
}

function betterReward(direction: Direction, a: Reward, b: Reward): Reward {
  if (a === null || b === null) return direction === 'max' ? null : (a ?? b);
  return better(direction, a, b);
}
