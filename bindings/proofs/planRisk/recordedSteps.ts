import { NotSupportedError } from '../../base/errors.js';
import { agentChain, type LearntView, readLearntMdp } from '../../estimation/learning/index.js';
import { parseExpression, type Trilean } from '../../languages/expression/index.js';
import { type AbstractCall, abstractCall, readsAction } from '../../observations/abstraction/index.js';
import { openLearnt } from '../../rules/risk/index.js';
import type { Specification } from '../../rules/specification/index.js';
import type { Dtmc, Mdp } from '../../solvers/model/index.js';
import type { PathCall, PathPredicate } from '../planProof/index.js';

/** Why nothing is known of what a call leads to: it was never made in a state, the state was never left, or all recordings end there. */
export type GapReason = 'untried' | 'unvisited' | 'ended';

/** What a call may lead to in a state: one of these, as the data of the run decide. */
export type Outcome = Row | { readonly gap: GapReason };

/** States that may follow, with their probabilities. */
export interface Row {
  readonly columns: readonly number[];
  readonly values: readonly number[];
}

/** What a learnt model says of calls. */
export interface RecordedSteps {
  readonly view: LearntView;
  /** The predicates over calls that it tells apart. */
  readonly predicates: readonly PathPredicate[];
  /** Whether the first state is there before the first call. */
  readonly isStateFirst: boolean;
  readonly first: Row;
  readonly after: (state: number, call: PathCall) => readonly Outcome[];
}

/** @throws InvalidArgumentError if the model was learnt with another specification; NotSupportedError if it says nothing of calls */
export function recordedSteps(specification: Specification, model: Dtmc | Mdp): RecordedSteps {
  const { source, samplingPeriod } = specification;
  if (samplingPeriod !== null)
    throw new NotSupportedError(
      `${source}: steps of the model are a sampling period apart, and calls of a plan are not; learn one whose steps are calls`,
    );
  return model.type === 'mdp' ? ofDecisions(specification, model) : ofChain(specification, model);
}

function ofDecisions(specification: Specification, model: Mdp): RecordedSteps {
  const view = openLearnt(specification, agentChain(model));
  const decisions = readLearntMdp(model);
  const { actions, draws } = decisions;
  const { rowGroupStart, rowStart, columns, values } = decisions.model;
  const defined = specification.abstraction.actions ?? {};
  const tools = Object.entries(defined);
  const predicates = tools.flatMap(([tool, all]) =>
    all.map(
      ({ name, expression }): PathPredicate => ({
        tool,
        expression: parseExpression(expression, { name }),
        reads: 'arguments',
      }),
    ),
  );
  const firstOf = new Map<string, number>();
  let count = 0;
  for (const [tool, all] of tools) {
    firstOf.set(tool, count);
    count += all.length;
  }
  const calls = new Map<string, AbstractCall | null>();
  for (const name of actions) if (name !== null) calls.set(name, abstractCall(name, defined));
  const rowOf = (row: number): Row => ({
    columns: Array.from(columns.subarray(rowStart[row], rowStart[row + 1])),
    values: Array.from(values.subarray(rowStart[row], rowStart[row + 1])),
  });
  const after = (state: number, { tool, may }: PathCall): Outcome[] => {
    if (state === view.end) return [{ gap: 'ended' }];
    if (draws[state] === 0) return [{ gap: 'unvisited' }];
    const rows: { readonly row: number; readonly call: AbstractCall }[] = [];
    for (let row = rowGroupStart[state]; row < rowGroupStart[state + 1]; row++) {
      const name = actions[row];
      const call = name === null ? null : calls.get(name);
      if (call !== null && call !== undefined && call.tool === tool) rows.push({ row, call });
    }
    const first = firstOf.get(tool) ?? 0;
    const taken = new Set<number>();
    let isUntried = may === null;
    if (may === null) for (const { row } of rows) taken.add(row);
    for (const way of may ?? []) {
      const found = rows.filter(({ call }) => agrees(call, way, first));
      for (const { row } of found) taken.add(row);
      const open = (defined[tool] ?? []).filter((_, i) => way[first + i] === undefined).length;
      if (found.length < 2 ** open) isUntried = true;
    }
    return [...[...taken].map(rowOf), ...(isUntried ? [{ gap: 'untried' } as const] : [])];
  };
  return { view, predicates, isStateFirst: true, first: rowOf(rowGroupStart[view.start]), after };
}

function agrees({ values }: AbstractCall, way: readonly Trilean[], first: number): boolean {
  return values.every((value, i) => way[first + i] === undefined || way[first + i] === value);
}

function ofChain(specification: Specification, model: Dtmc): RecordedSteps {
  const view = openLearnt(specification, model);
  const all = specification.abstraction.predicates;
  const bits = all.flatMap((predicate, bit) => (readsAction(predicate) ? [bit] : []));
  if (bits.length === 0)
    throw new NotSupportedError(
      `${specification.source}: no predicate of the chain reads action, so it says nothing of calls; learn a decision process (learning: { model: mdp }), or write predicates such as action.name == "send"`,
    );
  const predicates = bits.map((bit): PathPredicate => {
    const { name, expression } = all[bit];
    return { tool: null, expression: parseExpression(expression, { name }), reads: 'step' };
  });
  const { start, end, words, valuations, rowStart, columns, values, draws } = view;
  const holds = (state: number, bit: number) =>
    ((valuations[state * words + (bit >>> 5)] >>> (bit & 31)) & 1) === 1;
  const after = (state: number, { may }: PathCall): Outcome[] => {
    if (state !== start && draws[state] === 0) return [{ gap: 'unvisited' }];
    return (may ?? [[]]).map((way): Outcome => {
      const row: { columns: number[]; values: number[] } = { columns: [], values: [] };
      let sum = 0;
      for (let i = rowStart[state]; i < rowStart[state + 1]; i++) {
        const t = columns[i];
        if (t === end || values[i] === 0) continue;
        if (!bits.every((bit, k) => way[k] === undefined || way[k] === holds(t, bit))) continue;
        row.columns.push(t);
        row.values.push(values[i]);
        sum += values[i];
      }
      if (sum === 0) return { gap: 'untried' };
      return { ...row, values: row.values.map((value) => value / sum) };
    });
  };
  return { view, predicates, isStateFirst: false, first: { columns: [start], values: [1] }, after };
}
