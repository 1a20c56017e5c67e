import type { BitSet } from '../bitSet.js';
import type { Bounds, Players, RobustProblem } from '../engine.js';
import type { IntervalRows } from '../intervalRows.js';
import { gapOf, tighten } from './bounds.js';
import { canStay, componentsOf, possible, prob0, prob1 } from './intervalGraph.js';
import { RowBounds, RowOptimiser } from './intervalRow.js';

/**
 * Robust interval iteration. What keeps the upper bounds from falling are sets of states that play can stay in for ever:
 * there the equations say x = x. They are lowered to their best exit, see `lowerToExits`.
 */
export class ReferenceRobustUntil implements RobustProblem {
  readonly componentStart: Uint32Array;
  private readonly model: IntervalRows;
  private readonly players: Players;
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
  ) {
    const { states, rowGroupStart, rowStart, columns } = model;
    const zero = prob0(model, predecessors, remain, target, players);
    const one = prob1(model, predecessors, remain, target, players);
    this.model = model;
    this.players = players;
    this.current = { lower: new Float64Array(states), upper: new Float64Array(states).fill(1) };
    for (const s of one) this.current.lower[s] = 1;
    for (const s of zero) this.current.upper[s] = 0;
    this.optimiser = new RowOptimiser(model);
    this.rows = new RowBounds(model, this.optimiser, this.current);
    this.members = componentsOf([...zero.union(one).complement()], (s, visit) => {
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
      for (const inside of this.endComponents[component]) if (this.lowerToExits(inside)) moved = true;
      if (!moved) return done;
    }
    return count;
  }

  /**
   * Maximal end components for the maximising players, with the choices of the minimising ones fixed to what is best for them
   * at the current lower bounds: those converge, so in the end the choices are optimal.
   */
  findEndComponents(component: number): void {
    const { natureMax, schedulerMax } = this.players;
    if (!natureMax && !schedulerMax) return;
    const rowsOf = new Map(this.members[component].map((s) => [s, this.playedRows(s)]));
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

  widestGap(first: number, last: number, relative: boolean): number {
    let widest = 0;
    for (let component = first; component < last; component++) {
      for (const s of this.members[component]) widest = Math.max(widest, gapOf(this.current, s, relative));
    }
    return widest;
  }

  inheritedGap(component: number, relative: boolean): number {
    const { rowGroupStart, rowStart, columns } = this.model;
    const inside = new Set(this.members[component]);
    let widest = 0;
    for (const s of inside) {
      for (let e = rowStart[rowGroupStart[s]]; e < rowStart[rowGroupStart[s + 1]]; e++) {
        if (possible(this.model, e) && !inside.has(columns[e]))
          widest = Math.max(widest, gapOf(this.current, columns[e], relative));
      }
    }
    return widest;
  }

  bounds(): Bounds {
    return { lower: this.current.lower.slice(), upper: this.current.upper.slice() };
  }

  close(): void {}

  private tightenByRows(s: number): boolean {
    const { natureMax, schedulerMax } = this.players;
    const best = schedulerMax ? Math.max : Math.min;
    const first = this.model.rowGroupStart[s];
    let lower = this.rows.lower(first, s, natureMax);
    let upper = this.rows.upper(first, s, natureMax);
    for (let row = first + 1; row < this.model.rowGroupStart[s + 1]; row++) {
      lower = best(lower, this.rows.lower(row, s, natureMax));
      upper = best(upper, this.rows.upper(row, s, natureMax));
    }
    return tighten(this.current, s, lower, upper);
  }

  /** All rows of a maximising scheduler, the best row at the lower bounds of a minimising one. */
  private playedRows(s: number): number[] {
    const { rowGroupStart } = this.model;
    const rows = Array.from(
      { length: rowGroupStart[s + 1] - rowGroupStart[s] },
      (_, i) => rowGroupStart[s] + i,
    );
    if (this.players.schedulerMax) return rows;
    const value = (row: number) => {
      this.optimiser.optimise(row, this.current.lower, this.players.natureMax);
      return this.optimiser.mean(row, this.current.lower)?.lower ?? 0;
    };
    const values = rows.map(value);
    return [rows[values.indexOf(Math.min(...values))]];
  }

  /** What a maximising nature can choose, or a minimising one chooses at the lower bounds. */
  private playedSuccessors(row: number): number[] {
    const { rowStart, columns } = this.model;
    const natureMin = !this.players.natureMax;
    if (natureMin) this.optimiser.optimise(row, this.current.lower, false);
    const successors: number[] = [];
    for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
      if (natureMin ? this.optimiser.mass[e - rowStart[row]] > 0 : possible(this.model, e))
        successors.push(columns[e]);
    }
    return successors;
  }

  private stays(row: number, inside: ReadonlySet<number>): boolean {
    if (this.players.natureMax) return canStay(this.model, row, (t) => inside.has(t));
    return this.playedSuccessors(row).every((t) => inside.has(t));
  }

  /**
   * Lowers the states of any set without target states to the best that the maximising players get by leaving it. This is
   * sound whatever the set: the minimising ones can stay inside (where nothing is reached) but for the rows that cannot stay.
   * What a maximising nature gets where it can stay: waiting, it leaves by one successor outside alone, and may choose among
   * all possible ones; so the best of their values.
   */
  private lowerToExits(states: readonly number[]): boolean {
    const { rowStart, columns } = this.model;
    const { natureMax } = this.players;
    const { upper } = this.current;
    const inside = new Set(states);
    let best = 0;
    for (const s of states) {
      for (const row of this.playedRows(s)) {
        if (!canStay(this.model, row, (t) => inside.has(t)))
          best = Math.max(best, this.rows.upper(row, s, natureMax));
        else if (natureMax) {
          for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
            if (possible(this.model, e) && !inside.has(columns[e])) best = Math.max(best, upper[columns[e]]);
          }
        }
      }
    }
    let moved = false;
    for (const s of states) {
      if (!(best < upper[s])) continue;
      upper[s] = best;
      moved = true;
    }
    return moved;
  }
}
