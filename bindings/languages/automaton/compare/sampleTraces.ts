import { InvalidArgumentError } from '../../../base/errors.js';
import { type Way, waysFrom } from './layers.js';
import { automataOfConstraints, automatonOfRule, type ComparedRule, type CompareOptions } from './rule.js';
import { type ComparedTrace, edgesTo, traceOf } from './trace.js';
import { type Edge, START, TupleGraph } from './tupleGraph.js';

/** Which runs are drawn. */
export interface SampleOptions extends CompareOptions {
  /** Largest number of runs. Default 4. */
  readonly count?: number;
  /** Whether the runs satisfy the rule, or break it. Default true. */
  readonly holds?: boolean;
}

/**
 * Runs that show what a rule asks for: the shortest one, then each time the shortest that takes a step, from a state of the automata to a state, that none before
 * it takes; among equally short ones, one with the fewest true predicates. Fewer than `count` where all steps are taken.
 *
 * @throws NotSupportedError as `compareRules`; InvalidArgumentError if `count` is no whole number from 0 up
 */
export function sampleTraces(rule: ComparedRule, options: SampleOptions = {}): ComparedTrace[] {
  const { count = 4, holds = true } = options;
  if (!Number.isSafeInteger(count) || count < 0)
    throw new InvalidArgumentError(`count is ${count}; expected a whole number from 0 up`);
  const graph = new TupleGraph(
    [
      { automaton: automatonOfRule(rule, options), accepts: holds },
      ...automataOfConstraints(options).map((automaton) => ({ automaton, accepts: true })),
    ],
    options.maxTuples,
  );
  const before = waysFrom(
    [START],
    (vertex) => graph.edges(vertex),
    ({ to }) => to,
  );
  const edges = [...before.keys()].flatMap((vertex) => graph.edges(vertex));
  const into: Edge[][] = Array.from({ length: graph.size }, () => []);
  for (const edge of edges) into[edge.to].push(edge);
  const after = waysFrom(
    [...before.keys()].filter((vertex) => graph.isEnd(vertex)),
    (vertex) => into[vertex],
    ({ from }) => from,
  );
  const candidates = edges
    .filter(({ to }) => after.has(to))
    .map((edge) => ({ edge, cost: costThrough(edge, before, after) }))
    .sort((a, b) => a.cost.length - b.cost.length || a.cost.trues - b.cost.trues);
  const used = new Set<Edge>();
  const traces: ComparedTrace[] = [];
  for (const { edge } of candidates) {
    if (traces.length === count) break;
    if (used.has(edge)) continue;
    const run = [...edgesTo(before.get(edge.from) as Way, before), edge];
    for (let next = after.get(edge.to)?.edge; next; next = after.get(next.to)?.edge) run.push(next);
    for (const taken of run) used.add(taken);
    traces.push(traceOf(run, graph.variables));
  }
  return traces;
}

/** Length and true predicates of the best run through an edge. */
function costThrough(
  { from, to, trues }: Edge,
  before: ReadonlyMap<number, Way>,
  after: ReadonlyMap<number, Way>,
): { readonly length: number; readonly trues: number } {
  const [head, tail] = [before.get(from) as Way, after.get(to) as Way];
  return { length: head.length + 1 + tail.length, trues: head.trues + trues.length + tail.trues };
}
