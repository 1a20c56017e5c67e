import { InvalidDataError } from '../../base/errors.js';
import { Readability, type Unread } from '../../observations/abstraction/index.js';
import type { Trace, TraceNote } from '../../observations/trace/index.js';
import { type Specification, withoutPredicates } from '../../rules/specification/index.js';
import { Judgement } from './judgement.js';
import { plural } from './terminal.js';

/** The reasons, kept in a model, why predicates were left out of it. */
export function causes(
  unread: ReadonlyMap<string, Unread>,
): Record<string, { readonly field: string; readonly reason: string }> {
  return Object.fromEntries(Array.from(unread, ([name, { field, reason }]) => [name, { field, reason }]));
}

/** Traces to learn from, with the part of the specification that can be learnt from them. */
export interface ReadableTraces {
  /** The specification without predicates that no trace makes readable, and without the rules and constraints that read one. */
  readonly specification: Specification;
  readonly batches: AsyncIterable<Trace[]>;
  /** Which rules are not judged; complete once the batches have been read. */
  readonly judgement: Judgement;
  /** Predicates that no trace makes readable. */
  readonly unread: ReadonlyMap<string, Unread>;
  /** Traces left out so far, because they lack fields that others have. */
  readonly leftOut: () => number;
  /** Notes on predicates, constraints and traces left out; complete once the batches have been read. */
  readonly notes: () => TraceNote[];
}

/** @throws InvalidDataError if no predicate can be read at all, because nothing can then be learnt */
export function requireSomethingRead({ specification, unread }: ReadableTraces): void {
  if (specification.abstraction.predicates.length > 0 || unread.size === 0) return;
  const [[name, { field, reason }]] = unread;
  throw new InvalidDataError(
    `no predicate can be read in these traces: "${name}" reads ${field}, which is not recorded (${reason}); record what predicates read, or write others`,
  );
}

/**
 * Determines what can be learnt from traces. A predicate that no trace makes readable, because recordings lack a field, is left out of the
 * model. A trace that lacks fields that another trace has is left out itself.
 *
 * Traces are held back until one can be read in full, which is usually the first; if none can, all of them are in memory.
 */
export async function readableTraces(
  batches: AsyncIterable<Trace[]>,
  specification: Specification,
): Promise<ReadableTraces> {
  const readability = new Readability(specification.abstraction.predicates);
  const judgement = new Judgement(specification);
  const iterator = batches[Symbol.asyncIterator]();
  const held: { trace: Trace; unread: ReadonlyMap<string, Unread> }[] = [];
  let common: Map<string, Unread> | undefined;
  while (common === undefined || common.size > 0) {
    const next = await iterator.next();
    if (next.done) break;
    for (const trace of next.value) {
      const unread = readability.unread(trace);
      held.push({ trace, unread });
      common = new Map([...(common ?? unread)].filter(([name]) => unread.has(name)));
    }
  }
  const unread = common ?? new Map<string, Unread>();
  const { specification: remaining, constraints } = withoutPredicates(specification, new Set(unread.keys()));
  let left = 0;
  const readable = (trace: Trace, found: ReadonlyMap<string, Unread>): boolean => {
    judgement.count(trace, found);
    const tellsAll = [...found.keys()].every((name) => unread.has(name));
    if (!tellsAll) left++;
    return tellsAll;
  };
  async function* rest(): AsyncGenerator<Trace[]> {
    const first = held.splice(0).filter(({ trace, unread: found }) => readable(trace, found));
    if (first.length > 0) yield first.map(({ trace }) => trace);
    try {
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
        const batch = next.value.filter((trace) => readable(trace, readability.unread(trace)));
        if (batch.length > 0) yield batch;
      }
    } finally {
      // A consumer that stops early closes the file.
      await iterator.return?.(undefined);
    }
  }
  const { source } = specification;
  const notes = (): TraceNote[] => [
    ...Array.from(unread, ([name, { field, reason }]) => ({
      source,
      message: `predicate "${name}" is left out: it reads ${field}, which is not recorded (${reason})`,
    })),
    ...constraints.map((kind) => ({
      source,
      message: `constraints.${kind} is not checked: it names a predicate that is left out`,
    })),
    ...(left > 0
      ? [
          {
            source,
            message: `${plural(left, 'trace')} left out, which lack fields that others have: the rest is not a sample of the agent`,
          },
        ]
      : []),
  ];
  return { specification: remaining, batches: rest(), judgement, unread, leftOut: () => left, notes };
}
