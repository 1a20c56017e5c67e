import { NotSupportedError } from '../../base/errors.js';
import {
  type AtEnd,
  type Automaton,
  bindAutomaton,
  SATISFIED,
  VIOLATED,
  violatedAtEnd,
} from '../../languages/automaton/index.js';
import { complement } from '../../rules/risk/index.js';
import { BitSet, getKernel, type SolveOptions } from '../../solvers/kernel/index.js';
import type { CallPaths, PathCall } from '../planProof/index.js';
import type { GapReason, RecordedSteps, Row } from './recordedSteps.js';

/** Most nodes of one product. */
const MOST_NODES = 1_000_000;
/** The node where nothing is known of what follows. */
const UNKNOWN = 0;

/** What is known of a rule over all runs of a plan. */
export interface PathRisk {
  readonly lower: number;
  readonly upper: number;
  readonly recorded: number;
  readonly unknown: number;
  readonly gaps: ReadonlyMap<string, PathGap>;
  readonly nodes: number;
}

/** A call of which the data do not say what it leads to. */
export interface PathGap {
  readonly step: string;
  readonly tool: string;
  readonly reason: GapReason;
  /** In how many states of the model. */
  readonly states: ReadonlySet<number>;
}

/** The product of the plan's calls, the model's states and the rule's automaton: data choose the way, the model chooses what calls lead to. */
class PathProduct {
  readonly gaps = new Map<string, PathGap & { readonly states: Set<number> }>();
  readonly violated: number[] = [];
  readonly kept: number[] = [];
  readonly #numbers = new Map<number, number>();
  readonly #queue: (readonly [point: number, state: number, q: number])[] = [];
  readonly #rowGroupStart = [0];
  readonly #rowStart = [0];
  readonly #columns: number[] = [];
  readonly #values: number[] = [];
  readonly #parts: readonly [CallPaths, RecordedSteps, Automaton];

  constructor(paths: CallPaths, steps: RecordedSteps, automaton: Automaton, atEnd: AtEnd) {
    this.#parts = [paths, steps, automaton];
    const { view, first, isStateFirst } = steps;
    const { predicates, words, valuations, end } = view;
    const stepper = bindAutomaton(automaton, predicates);
    const step = (q: number, t: number) => (t === end ? q : stepper.step(q, valuations, t * words));
    const to = (point: number, q: number, row: Row) => {
      const targets = row.columns.map((t): readonly [number, number] => [point, t]);
      this.#row(
        targets.map(([at, t]) => this.#node(at, t, step(q, t))),
        row.values,
      );
    };
    this.#stay(UNKNOWN);
    // The node before everything; no point of the plan has its number.
    this.#node(-1, view.start, automaton.initial);
    for (let i = 0; i < this.#queue.length; i++) {
      const [point, state, q] = this.#queue[i];
      const node = i + 1;
      const verdict = automaton.verdict[q];
      const isBroken = verdict === VIOLATED || (point === paths.end && violatedAtEnd(automaton, q, atEnd));
      const isKept = !isBroken && (verdict === SATISFIED || point === paths.end);
      if (isBroken) this.violated.push(node);
      if (isKept) this.kept.push(node);
      if (isBroken || isKept) this.#stay(node);
      else if (point < 0 && isStateFirst) to(paths.start, q, first);
      else if (point < 0) this.#row([this.#node(paths.start, state, q)], [1]);
      else this.#leave(node, point, state, q, to);
      this.#rowGroupStart.push(this.#rowStart.length - 1);
    }
  }

  get nodes(): number {
    return this.#queue.length + 1;
  }

  get matrix() {
    return {
      rowGroupStart: Uint32Array.from(this.#rowGroupStart),
      rowStart: Uint32Array.from(this.#rowStart),
      columns: Uint32Array.from(this.#columns),
      values: Float64Array.from(this.#values),
    };
  }

  #leave(
    node: number,
    point: number,
    state: number,
    q: number,
    to: (point: number, q: number, row: Row) => void,
  ): void {
    const [paths, { after }] = this.#parts;
    const edges = paths.from(point);
    if (edges.length === 0) this.#stay(node, false);
    for (const { to: next, call } of edges) {
      if (call === null) {
        this.#row([this.#node(next, state, q)], [1]);
        continue;
      }
      for (const outcome of after(state, call)) {
        if (!('gap' in outcome)) to(next, q, outcome);
        else {
          this.#note(call, outcome.gap, state);
          this.#row([UNKNOWN], [1]);
        }
      }
    }
  }

  #note({ step, tool }: PathCall, reason: GapReason, state: number): void {
    const key = JSON.stringify([step, reason]);
    const gap = this.gaps.get(key) ?? { step, tool, reason, states: new Set<number>() };
    gap.states.add(state);
    this.gaps.set(key, gap);
  }

  #node(point: number, state: number, q: number): number {
    const [, { view }, automaton] = this.#parts;
    const key = ((point + 1) * view.states + state) * automaton.states + q;
    let node = this.#numbers.get(key);
    if (node === undefined) {
      node = this.#queue.push([point, state, q]);
      this.#numbers.set(key, node);
      if (node > MOST_NODES)
        throw new NotSupportedError(
          `plan, model and rule have more than ${MOST_NODES} states together; predict the risk of its parts, or learn fewer states`,
        );
    }
    return node;
  }

  #row(nodes: readonly number[], values: readonly number[]): void {
    const order = nodes.map((_, i) => i).sort((a, b) => nodes[a] - nodes[b]);
    for (const i of order) {
      if (values[i] === 0) continue;
      this.#columns.push(nodes[i]);
      this.#values.push(values[i]);
    }
    this.#rowStart.push(this.#columns.length);
  }

  #stay(node: number, isFirst = node === UNKNOWN): void {
    this.#row([node], [1]);
    if (isFirst) this.#rowGroupStart.push(this.#rowStart.length - 1);
  }
}

/**
 * Bounds the probability that a run of a plan breaks a rule, over all ways that the data of the run may choose.
 *
 * The least probability is 1 minus the greatest of coming to a good end or to where nothing is known, so that a loop without end counts for nothing: every plan ends.
 */
export function pathRisk(
  paths: CallPaths,
  steps: RecordedSteps,
  { automaton, atEnd }: { readonly automaton: Automaton; readonly atEnd: AtEnd },
  options: Pick<SolveOptions, 'precision' | 'signal'>,
): PathRisk {
  const product = new PathProduct(paths, steps, automaton, atEnd);
  const { nodes, violated, kept, gaps } = product;
  using kernel = getKernel().mdp(product.matrix);
  const start = 1;
  const most = (targets: readonly number[]): number => {
    if (targets.length === 0) return 0;
    const { upper } = kernel.until('max', BitSet.full(nodes), BitSet.of(nodes, targets), options);
    return Math.min(1, upper[start]);
  };
  const recorded = most(violated);
  // Without gaps, what is not known adds nothing.
  const isKnown = gaps.size === 0;
  return {
    lower: complement({ lower: 0, upper: most(isKnown ? kept : [...kept, UNKNOWN]) }).lower,
    upper: isKnown ? recorded : most([...violated, UNKNOWN]),
    recorded,
    unknown: isKnown ? 0 : most([UNKNOWN]),
    gaps,
    nodes,
  };
}
