import { Counter, HistoryCounts } from '../../estimation/learning/index.js';
import { Abstraction } from '../../observations/abstraction/index.js';
import { resample, type Step, type Trace } from '../../observations/trace/index.js';
import type { Specification } from '../../rules/specification/index.js';

/** A run as it was counted. */
export interface AbstractRun {
  readonly id: string;
  readonly complete: boolean;
  /** The steps; a sampling period apart if the specification has one. */
  readonly steps: readonly Step[];
  /** The number in the recording of each step, as from `resample`; null if it is the step's position. */
  readonly numbers: readonly number[] | null;
  /** Uint32Array(steps): the row of each step's valuation in the tally, chain state + 1. */
  readonly rows: Uint32Array;
  /** The group of the run: runs of one group depend on each other and are judged as one. */
  readonly group: number;
}

/** How traces are read. */
export interface AbstractRunsOptions {
  /** Skip invalid traces. Default false: throw. */
  readonly skipInvalid?: boolean;
  /** The group of a run by its id, such as a task, if runs depend on each other. Default: runs are independent. */
  readonly groupOf?: (id: string) => string;
}

/** Runs, with their counts and the counts of their histories. */
export interface AbstractRuns {
  readonly specification: Pick<Specification, 'abstraction' | 'learning'>;
  readonly counter: Counter;
  readonly history: HistoryCounts;
  readonly runs: readonly AbstractRun[];
}

/**
 * Counts traces as `learn` does, and keeps them in memory, which grows with their number.
 *
 * @throws as `learn` for invalid traces
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
