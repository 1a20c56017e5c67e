import type { Bounds } from '../../../bindings/base/bounds.js';
import { BitSet } from '../../../bindings/solvers/kernel/bitSet.js';
import {
  DONE,
  type EngineChain,
  PAUSE,
  type SolverProblem,
  type UntilProblem,
} from '../../../bindings/solvers/kernel/engine.js';
import { SMALLEST_PROBABILITY } from '../../../bindings/solvers/kernel/invalidModel.js';
import type { AddedStates, Csr, RowUpdate } from '../../../bindings/solvers/kernel/types/index.js';
import { gapOf } from './bounds.js';
import { prepare, type ReferenceChain } from './chain.js';
import { components } from './graph.js';
import { ReferenceUntil } from './until.js';

interface Row {
  readonly columns: Uint32Array;
  readonly values: Float64Array;
}

/**
 * The solver of assembly/incremental, written to be read. Rows are put together anew at every update, in time linear in the
 * model: what is solved again is decided as there, where rows are kept is not.
 */
export class ReferenceSolver implements SolverProblem {
  private readonly openChain: (matrix: Csr) => EngineChain;
  private readonly rows: Row[];
  private chain: ReferenceChain;
  private remain: BitSet;
  private target: BitSet;
  private current: Bounds;
  /** By number, higher than those of all components that they lead to; numbers without a component are not used any more. */
  private readonly members = new Map<number, readonly number[]>();
  /** -1 where the graph decides the value. */
  private readonly componentOf: number[];
  private nextNumber = 0;

  /** Components to look at, ascending, and those among them whose rows changed. */
  private waiting: number[] = [];
  private readonly dirty = new Set<number>();
  /** The bounds before, of states whose bounds moved. */
  private readonly before = new Map<number, { lower: number; upper: number }>();
  /** The bounds of the component that the caller solves. */
  private solving = new Map<number, { lower: number; upper: number }>();
  private solvedStateCount = 0;
  private solvedComponents = 0;

  /** Takes over a solved problem. */
  constructor(
    matrix: Csr,
    solved: ReferenceUntil,
    remain: BitSet,
    target: BitSet,
    openChain: (matrix: Csr) => EngineChain,
  ) {
    this.openChain = openChain;
    this.rows = rowsOf(matrix);
    this.chain = prepare(matrix);
    this.remain = remain.clone();
    this.target = target.clone();
    this.current = solved.current;
    this.componentOf = Array.from({ length: this.states }, () => -1);
    for (const members of solved.members) this.number(members);
  }

  get states(): number {
    return this.chain.states;
  }

  lower(state: number): number {
    return this.current.lower[state];
  }

  upper(state: number): number {
    return this.current.upper[state];
  }

  bounds(): Bounds {
    return { lower: this.current.lower.slice(), upper: this.current.upper.slice() };
  }

  replaceRows(update: RowUpdate): void {
    this.begin();
    const changed: number[] = [];
    const seeds: number[] = [];
    rowsOf(update).forEach((row, i) => {
      const s = update.rows[i];
      const old = this.rows[s];
      this.rows[s] = row;
      if (this.isFixed(s)) return;
      const leaving = (numbers: Uint32Array | Float64Array, { columns }: Row) =>
        numbers.filter((_, e) => columns[e] !== s).join();
      const sameSuccessors = leaving(row.columns, row) === leaving(old.columns, old);
      if (!sameSuccessors) seeds.push(s);
      if (!sameSuccessors || leaving(row.values, row) !== leaving(old.values, old)) changed.push(s);
    });
    this.revise(changed, seeds);
  }

  addStates(added: AddedStates): void {
    this.begin();
    const first = this.states;
    const rows = rowsOf(added);
    const states = first + rows.length;
    const grow = (set: BitSet, more: BitSet) =>
      BitSet.where(states, (s) => (s < first ? set.has(s) : more.has(s - first)));
    this.remain = grow(this.remain, added.remain);
    this.target = grow(this.target, added.target);
    this.rows.push(...rows);
    const fresh = rows.map((_, i) => first + i);
    const longer = (bounds: Float64Array) =>
      Float64Array.from({ length: states }, (_, s) => (s < first ? bounds[s] : this.target.has(s) ? 1 : 0));
    this.current = { lower: longer(this.current.lower), upper: longer(this.current.upper) };
    for (const s of fresh) this.componentOf[s] = -1;
    this.revise(
      fresh,
      fresh.filter((s) => !this.isFixed(s)),
    );
  }

  nextComponent(small: number, tolerance: number, relative: boolean, work: number): number {
    for (let done = 0; done < work; ) {
      const component = this.waiting.shift();
      if (component === undefined) return DONE;
      const members = this.members.get(component)!;
      done += members.length;
      if (this.prepare(component, members, tolerance, relative)) continue;
      this.solvedStateCount += members.length;
      this.solvedComponents++;
      if (members.length > small || this.component(component).solveSmall(0, 1) === 0) return component;
      this.settle(component, tolerance, relative);
    }
    return PAUSE;
  }

  component(component: number): UntilProblem {
    return new ReferenceUntil(this.chain, [this.members.get(component)!], this.current);
  }

  settle(component: number, tolerance: number, relative: boolean): void {
    const { lower, upper } = this.current;
    const moved: number[] = [];
    for (const s of this.members.get(component)!) {
      const old = this.solving.get(s)!;
      if (old.lower === lower[s] && old.upper === upper[s]) continue;
      const oldGap = gapOf(
        { lower: Float64Array.of(old.lower), upper: Float64Array.of(old.upper) },
        0,
        relative,
      );
      if (old.lower <= lower[s] && upper[s] <= old.upper && oldGap <= tolerance) {
        lower[s] = old.lower;
        upper[s] = old.upper;
      } else {
        this.before.set(s, old);
        moved.push(s);
      }
    }
    this.tellPredecessors(moved);
  }

  solvedStates(): number {
    return this.solvedStateCount;
  }

  finish(relative: boolean): { gap: number; states: number; components: number } {
    let gap = 0;
    for (const s of this.before.keys()) gap = Math.max(gap, this.gap(s, relative));
    return { gap, states: this.solvedStateCount, components: this.solvedComponents };
  }

  restart(): { chain: EngineChain; remain: BitSet; target: BitSet } {
    return { chain: this.openChain(matrixOf(this.rows)), remain: this.remain, target: this.target };
  }

  close(): void {}

  private begin(): void {
    this.before.clear();
    this.solvedStateCount = 0;
    this.solvedComponents = 0;
  }

  /** Whether membership alone decides a state's value. */
  private isFixed(s: number): boolean {
    return this.target.has(s) || !this.remain.has(s);
  }

  private gap(s: number, relative: boolean): number {
    return gapOf(this.current, s, relative);
  }

  private number(members: readonly number[]): number {
    const component = this.nextNumber++;
    this.members.set(component, members);
    for (const s of members) this.componentOf[s] = component;
    return component;
  }

  /** Decides again what the graph decides, and lets components with changed rows wait. `seeds`: with changed successors. */
  private revise(changed: readonly number[], seeds: readonly number[]): void {
    this.chain = prepare(matrixOf(this.rows));
    for (const s of changed) if (this.componentOf[s] >= 0) this.dirty.add(this.componentOf[s]);

    // Nothing outside leads to what is upstream, so components found there come after all others.
    const upstream = this.upstreamOf(seeds);
    const former = new Map([...upstream].map((s) => [s, this.componentOf[s]]));
    for (const [s, component] of former) {
      this.members.delete(component);
      this.componentOf[s] = -1;
    }
    const decided: number[] = [];
    for (const members of components(this.chain, upstream)) {
      const inside = new Set(members);
      const successors = members.flatMap((s) => this.successors(s)).filter((t) => !inside.has(t));
      const maybe = (t: number) => this.componentOf[t] >= 0;
      const never = successors.every((t) => !maybe(t) && this.current.upper[t] === 0);
      const surely = successors.every((t) => !maybe(t) && this.current.lower[t] === 1);
      if (never || surely) {
        for (const s of members) if (this.decide(s, never ? 0 : 1)) decided.push(s);
        continue;
      }
      const known = members.every((s) => former.get(s)! >= 0 && !this.dirty.has(former.get(s)!));
      const component = this.number(members);
      if (!known) this.dirty.add(component);
    }
    this.tellPredecessors(decided);
    for (const component of this.dirty) {
      if (this.members.has(component)) this.wait(component);
      else this.dirty.delete(component);
    }
  }

  private upstreamOf(seeds: readonly number[]): BitSet {
    const upstream = BitSet.of(this.states, seeds);
    const list = [...seeds];
    for (const t of list) {
      for (const s of this.chain.predecessors[t]) {
        if (upstream.has(s) || this.isFixed(s)) continue;
        upstream.add(s);
        list.push(s);
      }
    }
    return upstream;
  }

  private successors(s: number): number[] {
    return [...this.chain.columns.subarray(this.chain.rowStart[s], this.chain.rowStart[s + 1])];
  }

  /** Sets a value that the graph decides; returns whether the bounds moved. */
  private decide(s: number, value: number): boolean {
    const { lower, upper } = this.current;
    if (lower[s] === value && upper[s] === value) return false;
    this.before.set(s, { lower: lower[s], upper: upper[s] });
    lower[s] = upper[s] = value;
    return true;
  }

  /** Whether a component needs no solving; if it does, its bounds are made ones to start from. */
  private prepare(
    component: number,
    members: readonly number[],
    tolerance: number,
    relative: boolean,
  ): boolean {
    const { lower, upper } = this.current;
    this.solving = new Map(members.map((s) => [s, { lower: lower[s], upper: upper[s] }]));
    if (!this.dirty.delete(component)) {
      const outside = members
        .flatMap((s) => this.successors(s))
        .filter((t) => this.componentOf[t] !== component);
      const moved = outside.filter((t) => this.before.has(t));
      const down = moved.reduce((most, t) => Math.max(most, this.before.get(t)!.lower - lower[t]), 0);
      const up = moved.reduce((most, t) => Math.max(most, upper[t] - this.before.get(t)!.upper), 0);
      const narrow = () => members.every((s) => this.gap(s, relative) <= tolerance);
      if (moved.length === 0 || (down === 0 && up === 0 && narrow())) return true;
      if (members.length > 1) {
        for (const s of members) this.shift(s, down, up);
        if (!narrow()) return false;
        for (const [s, old] of this.solving) this.before.set(s, old);
        this.tellPredecessors(members);
        return true;
      }
    }
    for (const s of members) {
      lower[s] = 0;
      upper[s] = 1;
    }
    return false;
  }

  /** Rounded outward, see assembly/incremental/settle.ts. */
  private shift(s: number, down: number, up: number): void {
    const { lower, upper } = this.current;
    if (down > 0) {
      const shifted = (lower[s] - down * (1 + 2 ** -51)) * (1 - 2 ** -52);
      lower[s] = shifted < SMALLEST_PROBABILITY ? 0 : shifted;
    }
    if (up > 0) upper[s] = Math.min(1, (upper[s] + up * (1 + 2 ** -51)) * (1 + 2 ** -51));
  }

  private tellPredecessors(moved: readonly number[]): void {
    for (const t of moved) {
      for (const s of this.chain.predecessors[t]) {
        const component = this.componentOf[s];
        if (component >= 0 && component !== this.componentOf[t]) this.wait(component);
      }
    }
  }

  private wait(component: number): void {
    let [first, end] = [0, this.waiting.length];
    while (first < end) {
      const middle = (first + end) >>> 1;
      if (this.waiting[middle] < component) first = middle + 1;
      else end = middle;
    }
    if (this.waiting[first] !== component) this.waiting.splice(first, 0, component);
  }
}

function rowsOf({ rowStart, columns, values }: Csr): Row[] {
  return Array.from({ length: rowStart.length - 1 }, (_, i) => ({
    columns: columns.slice(rowStart[i], rowStart[i + 1]),
    values: values.slice(rowStart[i], rowStart[i + 1]),
  }));
}

function matrixOf(rows: readonly Row[]): Csr {
  const rowStart = new Uint32Array(rows.length + 1);
  for (const [s, { columns }] of rows.entries()) rowStart[s + 1] = rowStart[s] + columns.length;
  const columns = new Uint32Array(rowStart[rows.length]);
  const values = new Float64Array(rowStart[rows.length]);
  for (const [s, row] of rows.entries()) {
    columns.set(row.columns, rowStart[s]);
    values.set(row.values, rowStart[s]);
  }
  return { rowStart, columns, values };
}
