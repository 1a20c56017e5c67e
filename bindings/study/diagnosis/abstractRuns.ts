import { Counter, HistoryCounts } from '../../estimation/learning/index.js';
import { Abstraction } from '../../observations/abstraction/index.js';
import { resample, type Step, type Trace } from '../../observations/trace/index.js';
import type { Specification } from '../../rules/specification/index.js';

/** A run as it was counted. */
export interface AbstractRun {
  readonly id: string;
  readonly complete: boolean;
  /** A sampling period apart, where the specification has one. */
  readonly steps: readonly Step[];
  /** As of `resample`: the number in the recording of each step; null where it is its position. */
  readonly numbers: readonly number[] | null;
  /** Uint32Array(steps): the row of each step's valuation in the tally, chain state + 1. */
  readonly rows: Uint32Array;
  /** Runs of one group depend on each other: they are judged as one. */
  readonly group: number;
}

/** How traces are read. */
export interface AbstractRunsOptions {
  /** Leave out traces at fault. Default false: throw. */
  readonly skipInvalid?: boolean;
  /** What runs have in common that makes them depend on each other, such as a task, by their ids. Default: nothing. */
  readonly groupOf?: (id: string) => string;
}

/** Runs, what was counted of them, and of their histories. */
export interface AbstractRuns {
  readonly specification: Pick<Specification, 'abstraction' | 'learning'>;
  readonly counter: Counter;
  readonly history: HistoryCounts;
  readonly runs: readonly AbstractRun[];
}

/**
 * Counts traces as `learn` does, and keeps them: memory grows with their number.
 *
 * @throws as `learn` for traces at fault
 */
export async function abstractRuns(
  specification: Pick<Specification, 'abstraction' | 'learning'>,
  traces: AsyncIterable<Trace> | Iterable<Trace>,
  { skipInvalid = false, groupOf }: AbstractRunsOptions = {},
): Promise<AbstractRuns> {
  const { learning } = specification;
  const abstraction = new Abstraction(specification.abstraction);
  const counter = new Counter(abstraction, { ...learning, skipInvalid });
  const history = new HistoryCounts(counter);
  const runs: AbstractRun[] = [];
  const groups = new Map<string, number>();
  const valuation = new Uint32Array(abstraction.words);
  for await (const trace of traces) {
    if (!counter.add(trace)) continue;
    const { steps, numbers } =
      learning.period === null
        ? { steps: trace.steps, numbers: null }
        : resample(trace.steps, learning.period);
    const rows = Uint32Array.from(steps, (step) => {
      abstraction.encode(step.state, step, valuation);
      return counter.tally.table.find(valuation) + 1;
    });
    const name = groupOf?.(trace.id) ?? String(runs.length);
    const group = groups.get(name) ?? groups.size;
    groups.set(name, group);
    runs.push({ id: trace.id, complete: trace.complete ?? true, steps, numbers, rows, group });
  }
  return { specification, counter, history, runs };
}
