import type { Bounds } from '../../../bindings/base/bounds.js';
import { BitSet } from '../../../bindings/solvers/kernel/bitSet.js';
import type { Players, RobustProblem } from '../../../bindings/solvers/kernel/engine.js';
import type { IntervalRows } from '../../../bindings/solvers/kernel/intervalRows.js';
import { SMALLEST_PROBABILITY } from '../../../bindings/solvers/kernel/invalidModel.js';
import { tighten } from './bounds.js';
import { canStay, componentsOf, possible, prob0, prob1, staysIn } from './intervalGraph.js';
import { NOBODY, RowBounds, RowOptimiser } from './intervalRow.js';

/** 2^1000: no bound on trial is larger, as states at Infinity would not be moved to. */
const LARGEST_TRIAL = 2 ** 1000;

/**
 * Robust interval iteration. What keeps the upper bounds from falling are sets of states that play can stay in for ever:
 * there the equations say x = x. They are lowered to their best exit, see `moveToExits`.
 *
 * Or, where `gain` is given, the best expected reward before `target` is reached. Then all is the other way round: staying for
 * ever is what the minimising players would like where nothing is gained, and lower bounds are raised to exits.
 */
export class ReferenceRobustUntil implements RobustProblem {
  readonly componentStart: Uint32Array;
  private readonly model: IntervalRows;
  private readonly players: Players;
  private readonly gain: Bounds | undefined;
  /** Who would stay for ever: who maximises a probability, or minimises a reward. */
  private readonly stay: Players;
  /** The rows that stay where a reward is finite. */
  private readonly usable: BitSet | undefined;
  private readonly members: readonly (readonly number[])[];
  private readonly endComponents: number[][][];
  private readonly current: Bounds;
  private readonly optimiser: RowOptimiser;
  private readonly rows: RowBounds;

  constructor(
    model: IntervalRows,
    predecessors: readonly (readonly number[])[],
    remain: BitSet,
    target: BitSet,
    players: Players,
    gain?: Bounds,
  ) {
    const { states, rows, rowGroupStart, rowStart, columns } = model;
    this.model = model;
    this.players = players;
    this.gain = gain;
    this.stay = {
      schedulerMax: players.schedulerMax !== (gain !== undefined),
      natureMax: players.natureMax !== (gain !== undefined),
    };
    let zero: BitSet;
    let other: BitSet;
    if (gain === undefined) {
      zero = prob0(model, predecessors, remain, target, players);
      other = prob1(model, predecessors, remain, target, players);
    } else {
      // Who minimises a reward maximises the probability to reach the target, for otherwise it is infinite.
      const sure = prob1(model, predecessors, remain, target, this.stay);
      other = sure.complement();
      this.usable = BitSet.where(rows, (row) => staysIn(model, row, sure, this.stay));
      zero = prob1(model, predecessors, remain, target, this.stay, (row) => gain.upper[row] === 0);
    }
    const decided = gain === undefined ? 1 : Number.POSITIVE_INFINITY;
    this.current = { lower: new Float64Array(states), upper: new Float64Array(states).fill(decided) };
    for (const s of other) this.current.lower[s] = decided;
    for (const s of zero) this.current.upper[s] = 0;
    this.optimiser = new RowOptimiser(model);
    this.rows = new RowBounds(model, this.optimiser, this.current, gain);
    this.members = componentsOf([...zero.union(other).complement()], (s, visit) => {
      for (let e = rowStart[rowGroupStart[s]]; e < rowStart[rowGroupStart[s + 1]]; e++) {
        if (possible(model, e)) visit(columns[e]);
      }
    });
    this.endComponents = this.members.map(() => []);
    this.componentStart = new Uint32Array(this.members.length + 1);
    for (const [c, inside] of this.members.entries()) {
      this.componentStart[c + 1] = this.componentStart[c] + inside.length;
    }
  }

  sweeps(component: number, from: number, count: number): number {
    const forward = this.members[component];
    const backward = forward.toReversed();
    for (let done = 0; done < count; done++) {
      let moved = false;
      for (const s of (from + done) % 8 === 7 ? backward : forward) if (this.tightenByRows(s)) moved = true;
      for (const inside of this.endComponents[component]) if (this.moveToExits(inside)) moved = true;
      if (!moved) return done;
    }
    return count;
  }

  /**
   * Maximal end components for the players that would stay, with the choices of the others fixed to what is best for them at the
   * bounds that converge, the lower ones of a probability, the upper ones of a reward: so in the end the choices are optimal.
   */
  findEndComponents(component: number): void {
    if (!this.stay.natureMax && !this.stay.schedulerMax) return;
    const free = (row: number) => this.mayTake(row) && !this.earns(row);
    const rowsOf = new Map(this.members[component].map((s) => [s, this.playedRows(s).filter(free)]));
    const found: number[][] = [];
    const candidates = [[...this.members[component]]];
    for (let states = candidates.pop(); states !== undefined; states = candidates.pop()) {
      let inside = new Set(states);
      const staying = (s: number) => rowsOf.get(s)!.filter((row) => this.stays(row, inside));
      for (let size = -1; size !== inside.size; ) {
        size = inside.size;
        inside = new Set([...inside].filter((s) => staying(s).length > 0));
      }
      const parts = componentsOf([...inside], (s, visit) => {
        for (const row of staying(s)) for (const t of this.playedSuccessors(row)) if (inside.has(t)) visit(t);
      });
      if (parts.length === 1) found.push(parts[0]);
      else candidates.push(...parts);
    }
    this.endComponents[component] = found;
  }

  trialSweep(component: number, more: number): boolean {
    const { schedulerMax, natureMax } = this.players;
    const { upper } = this.current;
    let rose = false;
    for (const s of this.members[component]) {
      const values = this.rowsOf(s)
        .filter((row) => this.mayTake(row))
        .map((row) => this.rows.trial(row, s, natureMax, more));
      const best = schedulerMax ? Math.max(...values) : Math.min(...values);
      if (!(best <= Math.min(upper[s], LARGEST_TRIAL))) rose = true;
      upper[s] = Math.min(Math.max(best, SMALLEST_PROBABILITY), LARGEST_TRIAL);
    }
    return !rose;
  }

  scaleTrial(component: number, factor: number, added: number): void {
    const { upper } = this.current;
    for (const s of this.members[component]) upper[s] = factor === 0 ? added : factor * upper[s] + added;
  }

  widestGap(first: number, last: number, offset: number, slope: number): number {
    let widest = 0;
    for (let component = first; component < last; component++) {
      for (const s of this.members[component]) widest = Math.max(widest, this.gapOf(s, offset, slope));
    }
    return widest;
  }

  inheritedGap(component: number, offset: number, slope: number): number {
    const { rowGroupStart, rowStart, columns } = this.model;
    const inside = new Set(this.members[component]);
    let widest = 0;
    for (const s of inside) {
      for (let e = rowStart[rowGroupStart[s]]; e < rowStart[rowGroupStart[s + 1]]; e++) {
        if (possible(this.model, e) && !inside.has(columns[e]))
          widest = Math.max(widest, this.gapOf(columns[e], offset, slope));
      }
    }
    return widest;
  }

  bounds(): Bounds {
    return { lower: this.current.lower.slice(), upper: this.current.upper.slice() };
  }

  close(): void {}

  private gapOf(s: number, offset: number, slope: number): number {
    const lower = this.current.lower[s];
    const width = this.current.upper[s] - lower;
    return width > 0 ? width / (offset + slope * lower) : 0;
  }

  private rowsOf(s: number): number[] {
    const { rowGroupStart } = this.model;
    const length = rowGroupStart[s + 1] - rowGroupStart[s];
    return Array.from({ length }, (_, i) => rowGroupStart[s] + i);
  }

  private mayTake(row: number): boolean {
    return this.usable?.has(row) ?? true;
  }

  private earns(row: number): boolean {
    return this.gain !== undefined && this.gain.upper[row] > 0;
  }

  private tightenByRows(s: number): boolean {
    const { natureMax, schedulerMax } = this.players;
    const best = schedulerMax ? Math.max : Math.min;
    const rows = this.rowsOf(s).filter((row) => this.mayTake(row));
    return tighten(
      this.current,
      s,
      best(...rows.map((row) => this.rows.lower(row, s, natureMax))),
      best(...rows.map((row) => this.rows.upper(row, s, natureMax))),
    );
  }

  /** The bounds that converge. */
  private get sure(): Float64Array {
    return this.gain === undefined ? this.current.lower : this.current.upper;
  }

  /** All rows of a scheduler that would stay, the best row, at the bounds that converge, of another one. */
  private playedRows(s: number): number[] {
    const rows = this.rowsOf(s);
    if (this.stay.schedulerMax) return rows;
    const values = rows.map((row) => {
      this.optimiser.optimise(row, this.sure, this.players.natureMax);
      const found = this.optimiser.mean(row, this.sure, NOBODY, this.gain?.upper[row]);
      return (this.gain === undefined ? found?.lower : found?.upper) ?? 0;
    });
    const best = this.players.schedulerMax ? Math.max(...values) : Math.min(...values);
    return [rows[values.indexOf(best)]];
  }

  /** What a nature that would stay can choose, or another one chooses at the bounds that converge. */
  private playedSuccessors(row: number): number[] {
    const { rowStart, columns } = this.model;
    const fixed = !this.stay.natureMax;
    if (fixed) this.optimiser.optimise(row, this.sure, this.players.natureMax);
    const successors: number[] = [];
    for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
      if (fixed ? this.optimiser.mass[e - rowStart[row]] > 0 : possible(this.model, e))
        successors.push(columns[e]);
    }
    return successors;
  }

  private stays(row: number, inside: ReadonlySet<number>): boolean {
    if (this.stay.natureMax) return canStay(this.model, row, (t) => inside.has(t));
    return this.playedSuccessors(row).every((t) => inside.has(t));
  }

  /**
   * Lowers the states of any set without target states to the best that the maximising players get by leaving it. This is
   * sound whatever the set: the minimising ones can stay inside (where nothing is reached) but for the rows that cannot stay.
   * What a maximising nature gets where it can stay: waiting, it leaves by one successor outside alone, and may choose among
   * all possible ones; so the best of their values.
   *
   * Rewards: the lower bounds rise to the least that the minimising players pay by leaving, or by a row that earns, because to
   * stay for ever costs them infinitely much.
   */
  private moveToExits(states: readonly number[]): boolean {
    const { rowStart, columns } = this.model;
    const { natureMax } = this.players;
    const rewarded = this.gain !== undefined;
    const side = rewarded ? 'lower' : 'upper';
    const values = this.current[side];
    const better = rewarded ? Math.min : Math.max;
    const inside = new Set(states);
    let best = rewarded ? Number.POSITIVE_INFINITY : 0;
    for (const s of states) {
      for (const row of this.playedRows(s)) {
        if (!this.mayTake(row)) continue;
        if (this.earns(row) || !canStay(this.model, row, (t) => inside.has(t)))
          best = better(best, this.rows[side](row, s, natureMax));
        else if (this.stay.natureMax) {
          for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
            if (possible(this.model, e) && !inside.has(columns[e])) best = better(best, values[columns[e]]);
          }
        }
      }
    }
    let moved = false;
    for (const s of states) {
      if (rewarded ? !(best > values[s] && best < Number.POSITIVE_INFINITY) : !(best < values[s])) continue;
      values[s] = best;
      moved = true;
    }
    return moved;
  }
}
