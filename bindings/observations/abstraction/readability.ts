import { EvaluationError } from '../../base/errors.js';
import { compilePredicate, parseExpression } from '../../languages/expression/index.js';
import type { Trace } from '../trace/index.js';
import type { PredicateDefinition } from './definition.js';

/** Why a predicate cannot be read in a trace. */
export interface Unread {
  /** The field that it reads and the recording does not tell, as `notRecorded` of the trace has it. */
  readonly field: string;
  /** Why the recording does not tell it, in the reader's words. */
  readonly reason: string;
  /** In how many steps. */
  readonly steps: number;
}

/**
 * Which predicates cannot be read in a trace because its recording does not tell a field (`notRecorded`). It is the evaluation that
 * counts: what `&&`, `||` and `has` decide without the field can be read.
 */
export class Readability {
  readonly #definitions: readonly PredicateDefinition[];
  #compiled:
    | readonly { name: string; source: string; holds: ReturnType<typeof compilePredicate> }[]
    | undefined;

  constructor(predicates: readonly PredicateDefinition[]) {
    this.#definitions = predicates;
  }

  /** By the name of the predicate; those that fail in another way are none of them. */
  unread({ notRecorded, steps }: Trace): ReadonlyMap<string, Unread> {
    const unread = new Map<string, Unread>();
    if (notRecorded === undefined || Object.keys(notRecorded).length === 0) return unread;
    this.#compiled ??= this.#definitions.map(({ name, expression }) => ({
      name,
      source: expression,
      holds: compilePredicate(parseExpression(expression, { name: `predicate "${name}"` }), name),
    }));
    const fields = Object.keys(notRecorded).map((key) => key.slice(key.lastIndexOf('.') + 1));
    for (const { name, source, holds } of this.#compiled) {
      // What names none of the fields reads none of them.
      if (!fields.some((field) => source.includes(field))) continue;
      for (const step of steps) {
        try {
          holds(step.state, step);
        } catch (error) {
          const field = notRecordedField(error, notRecorded);
          if (field === undefined) continue;
          const before = unread.get(name);
          unread.set(name, {
            field: before?.field ?? field,
            reason: before?.reason ?? notRecorded[field],
            steps: (before?.steps ?? 0) + 1,
          });
        }
      }
    }
    return unread;
  }
}

/** The field of `notRecorded`, or the one above it, whose absence an evaluation failed of; undefined for any other failure. */
export function notRecordedField(
  error: unknown,
  notRecorded: Readonly<Record<string, string>> = {},
): string | undefined {
  if (!(error instanceof EvaluationError) || error.missingField === undefined) return undefined;
  const { missingField } = error;
  return Object.keys(notRecorded).find((key) => key === missingField || missingField.startsWith(`${key}.`));
}

/** What to try where an evaluation failed of an absent field that nothing explains, to be put behind its message; empty for any other failure. */
export function adviceOnAbsent(error: EvaluationError): string {
  const isMisspelt = error.message.includes('did you mean');
  return error.missingField === undefined || isMisspelt ? '' : `; ${DECLARE_UNMEASURED}`;
}

/** How a trace says that a field was not measured. */
export const DECLARE_UNMEASURED = 'if it was not measured, say so in notRecorded of the trace';
