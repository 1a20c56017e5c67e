import { BitSet } from '../../../bindings/solvers/kernel/bitSet.js';
import type {
  Attraction,
  Engine,
  EngineMdp,
  OrderedComponents,
} from '../../../bindings/solvers/kernel/engine.js';
import { rowStatus } from '../../../bindings/solvers/kernel/rowStatus.js';
import { Status } from '../../../bindings/solvers/kernel/status.js';
import type { MdpMatrix } from '../../../bindings/solvers/kernel/types/index.js';
import { prepareRows, type ReferenceChain } from './chain.js';
import { endComponents } from './endComponents.js';
import { components, reachableFrom } from './graph.js';
import { optimalStep, ReferenceOptimum } from './optimum.js';
import { Remainder } from './remainder.js';
import { ReferenceSteps } from './steps.js';

/** Rows as those of a chain, several for each state. Predecessors of a state are rows. */
export interface ReferenceMdp extends ReferenceChain {
  readonly groupStart: Uint32Array;
  /** The state that each row leaves. */
  readonly stateOf: Uint32Array;
}

/** The first fault in an MDP whose arrays have the right lengths. */
export function findMdpFault(matrix: MdpMatrix): { status: Status; state: number; row: number } | undefined {
  const { rowGroupStart, rowStart, columns, values } = matrix;
  const states = rowGroupStart.length - 1;
  const rows = rowStart.length - 1;
  if (rowGroupStart[0] !== 0) return { status: Status.RowGroup, state: 0, row: 0 };
  if (rowStart[0] !== 0) return { status: Status.RowStart, state: 0, row: 0 };
  let row = 0;
  for (let state = 0; state < states; state++) {
    const end = rowGroupStart[state + 1];
    if (end < row || end > rows) return { status: Status.RowGroup, state, row };
    if (end === row) return { status: Status.EmptyGroup, state, row };
    for (; row < end; row++) {
      const [start, last] = [rowStart[row], rowStart[row + 1]];
      if (last < start || last > columns.length) return { status: Status.RowStart, state, row };
      const status = rowStatus(columns, values, start, last, states);
      if (status !== Status.Ok) return { status, state, row };
    }
  }
  if (row !== rows) return { status: Status.RowGroup, state: states - 1, row };
  if (rowStart[rows] !== columns.length) return { status: Status.RowStart, state: states - 1, row: rows - 1 };
  return undefined;
}

export function openMdp(matrix: MdpMatrix, load: Engine['load']): EngineMdp {
  const mdp = prepareMdp(matrix);
  const { states } = mdp;
  const allRows = BitSet.full(mdp.stateOf.length);
  return {
    reachableFrom: (seeds) => reachableFrom(subgraph(mdp, BitSet.full(states), allRows), seeds),
    attract: (remain, seeds, rows) => attract(mdp, remain, seeds, rows),
    attractAlways: (remain, target) => attractAlways(mdp, remain, target),
    almostSure: (remain, target, rows) => almostSure(mdp, remain, target, rows),
    rowsInside: (subset) =>
      BitSet.where(allRows.size, (row) => subset.has(mdp.stateOf[row]) && staysIn(mdp, row, subset)),
    components: (subset, rows) => ordered(components(subgraph(mdp, subset, rows), subset)),
    endComponents: (subset, rows) => endComponents(mdp, subset, rows),
    openOptimum: (plan) => new ReferenceOptimum(mdp, plan, load),
    openSteps: (input, direction) => new ReferenceSteps(input, optimalStep(mdp, direction)),
    free() {},
  };
}

function prepareMdp(matrix: MdpMatrix): ReferenceMdp {
  const groupStart = matrix.rowGroupStart.slice();
  const states = groupStart.length - 1;
  const stateOf = new Uint32Array(matrix.rowStart.length - 1);
  for (let s = 0; s < states; s++) stateOf.fill(s, groupStart[s], groupStart[s + 1]);
  return { states, groupStart, stateOf, ...prepareRows(matrix, states, (row) => stateOf[row]) };
}

/** Whether all successors of a row are in a set. */
export function staysIn({ rowStart, columns }: ReferenceMdp, row: number, set: BitSet): boolean {
  for (let e = rowStart[row]; e < rowStart[row + 1]; e++) if (!set.has(columns[e])) return false;
  return true;
}

/** The graph of `rows` on `subset`, for searches; it has no probabilities. */
export function subgraph(mdp: ReferenceMdp, subset: BitSet, rows: BitSet): ReferenceChain {
  const { states, groupStart, rowStart } = mdp;
  const successors = Array.from({ length: states }, (): number[] => []);
  const predecessors = Array.from({ length: states }, (): number[] => []);
  for (const s of subset) {
    for (let row = groupStart[s]; row < groupStart[s + 1]; row++) {
      if (!rows.has(row)) continue;
      for (const t of mdp.columns.subarray(rowStart[row], rowStart[row + 1])) {
        if (!subset.has(t)) continue;
        successors[s].push(t);
        predecessors[t].push(s);
      }
    }
  }
  const starts = new Uint32Array(states + 1);
  for (let s = 0; s < states; s++) starts[s + 1] = starts[s] + successors[s].length;
  const none = new Float64Array(0);
  const columns = Uint32Array.from(successors.flat());
  return { states, rowStart: starts, columns, values: none, exit: none, stay: none, predecessors };
}

function attract(mdp: ReferenceMdp, remain: BitSet, seeds: BitSet, rows: BitSet): Attraction {
  const states = seeds.clone();
  const choices = new Uint32Array(mdp.states);
  const frontier = [...seeds];
  for (let t = frontier.pop(); t !== undefined; t = frontier.pop()) {
    for (const row of mdp.predecessors[t]) {
      const s = mdp.stateOf[row];
      if (states.has(s) || !remain.has(s) || !rows.has(row)) continue;
      states.add(s);
      choices[s] = row;
      frontier.push(s);
    }
  }
  return { states, choices };
}

function attractAlways(mdp: ReferenceMdp, remain: BitSet, target: BitSet): BitSet {
  const { groupStart } = mdp;
  const reached = target.clone();
  const hit = new BitSet(mdp.stateOf.length);
  const waiting = Uint32Array.from({ length: mdp.states }, (_, s) => groupStart[s + 1] - groupStart[s]);
  const frontier = [...target];
  for (let t = frontier.pop(); t !== undefined; t = frontier.pop()) {
    for (const row of mdp.predecessors[t]) {
      if (hit.has(row)) continue;
      hit.add(row);
      const s = mdp.stateOf[row];
      if (--waiting[s] > 0 || reached.has(s) || !remain.has(s)) continue;
      reached.add(s);
      frontier.push(s);
    }
  }
  return reached;
}

/** What cannot reach the target is taken away, with all that may lead there, until everything left can reach it. */
function almostSure(mdp: ReferenceMdp, remain: BitSet, target: BitSet, rows: BitSet): Attraction {
  const left = new Remainder(mdp, attract(mdp, remain, target, rows).states, rows, target);
  for (;;) {
    const found = attract(mdp, remain, target, left.rows);
    const lost = left.states.difference(found.states);
    if (lost.count() === 0) return found;
    for (const s of lost) left.takeState(s);
    left.settle();
  }
}

function ordered(found: readonly (readonly number[])[]): OrderedComponents {
  const start = new Uint32Array(found.length + 1);
  for (const [c, members] of found.entries()) start[c + 1] = start[c] + members.length;
  return { order: Uint32Array.from(found.flat()), start };
}
