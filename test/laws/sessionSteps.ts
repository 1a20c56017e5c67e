import '../../bindings/solvers/kernel/inline.js';
import { learn } from '../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../bindings/observations/abstraction/index.js';
import {
  type Action,
  readJsonLines,
  type Step,
  type Trace,
} from '../../bindings/observations/trace/index.js';
import { compileGuard } from '../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../bindings/rules/specification/index.js';
import {
  createSession,
  type RunRecord,
  type SessionOptions,
} from '../../bindings/runtime/enforcement/index.js';
import { createGuard, type Guard } from '../../bindings/runtime/guard/index.js';
import { memoryTraces } from '../unit/enforcement/memoryTraces.js';
import { chunked, collect } from '../unit/trace/bytes.js';

/** A call of a recording, and what came of it, as the test itself reads it. */
export interface Recorded {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly outcome: { readonly result: unknown } | { readonly error: unknown };
}

/** The calls of one message, and the order in which they come back: places in `calls`. */
export interface Turn {
  readonly calls: readonly Recorded[];
  readonly back: readonly number[];
}

export const turnsOf = (calls: readonly Recorded[]): Turn[] =>
  calls.map((call) => ({ calls: [call], back: [0] }));

/** What a guard saw of a run: its steps, and, from the log, the valuations that it read in them. */
export interface Seen {
  readonly steps: readonly Step[];
  readonly valuations: readonly (readonly number[])[];
  readonly records: readonly RunRecord[];
  /** What the session recorded: one trace, or none. */
  readonly recorded: readonly Trace[];
}

/** Learns from traces, with a rule that permits everything that was seen. */
export async function guardLearntFrom(traces: readonly Trace[], predicates: string) {
  const specification = parseSpecification(`{ version: 1, predicates: { never: 'false', ${predicates} },
    rules: { any: { formula: 'G !never', threshold: 0.5, strategy: stop } }, learning: { smoothing: 0 } }`);
  const abstraction = new Abstraction(specification.abstraction);
  const { model } = await learn(abstraction, traces, specification.learning);
  return { abstraction, file: compileGuard(specification, model) };
}

/**
 * Runs recorded calls through a session, each turn decided as a whole before the first of it runs, and gives back what the guard saw: states before calls with
 * what was done in them, and the last state.
 */
export async function seenInSession(
  file: Guard['file'],
  turns: readonly Turn[],
  options: Pick<SessionOptions, 'tools' | 'state'>,
  ran: (call: Recorded) => void = () => undefined,
): Promise<Seen> {
  const guard = createGuard(file);
  const steps: Step[] = [];
  const see = (state: unknown, action?: Action | null): void => {
    steps.push(
      structuredClone({ state: state as Step['state'], ...(action && { action: action as Action }) }),
    );
  };
  // The methods by which a session hands over a new state.
  const propose = guard.propose.bind(guard);
  const observe = guard.observe.bind(guard);
  guard.propose = (state, action, options = {}) => {
    if (options.isStep) see(state, action);
    return propose(state, action, options);
  };
  guard.observe = (state, context = {}) => {
    see(state, context.action as Action);
    return observe(state, context);
  };
  const records: RunRecord[] = [];
  const record = memoryTraces();
  const session = createSession({
    guard,
    maxPending: 6,
    record,
    ...options,
    log: { append: (record) => void records.push(structuredClone(record)) },
  });
  let id = 0;
  for (const { calls, back } of turns) {
    const verdicts = await Promise.all(
      calls.map((call) => session.check({ id: `${id++}`, name: call.name, arguments: call.arguments })),
    );
    for (const { decision, explanation } of verdicts)
      if (decision !== 'allow') throw new Error(`a call was not let through: ${explanation}`);
    for (const place of back) {
      ran(calls[place]);
      await session.ran(verdicts[place], calls[place].outcome);
    }
  }
  await session.end();
  const valuations = records.flatMap((record) =>
    (record.kind === 'decision' && record.observed?.call === 'step') || record.kind === 'observation'
      ? [[...(record.observed?.valuation ?? [])]]
      : [],
  );
  return { steps, valuations, records, recorded: await recordedTraces(record.ended) };
}

/** Recorded runs as the reader of JSON lines gives them. */
function recordedTraces(ended: readonly Trace[]): Promise<Trace[]> {
  const lines = ended.map((trace) => JSON.stringify(trace)).join('\n');
  return collect(readJsonLines(chunked(lines), { source: 'runs.jsonl' }));
}

/** What the abstraction makes of a trace's steps. */
export function valuationsOf(abstraction: Abstraction, { steps }: Trace): number[][] {
  return steps.map((step) => {
    const valuation = new Uint32Array(abstraction.words);
    abstraction.encode(step.state, step, valuation, 0);
    return [...valuation];
  });
}
