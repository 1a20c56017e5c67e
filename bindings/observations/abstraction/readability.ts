import { EvaluationError } from '../../base/errors.js';
import { compilePredicate, parseExpression } from '../../languages/expression/index.js';
import type { Trace } from '../trace/index.js';
import type { PredicateDefinition } from './definition.js';

/** The reason why a predicate cannot be evaluated in a trace. */
export interface Unread {
  /** The field that it reads and that is not recorded, as listed in `notRecorded` of the trace. */
  readonly field: string;
  /** The reason why it is not recorded, in the trace reader's words. */
  readonly reason: string;
  /** Number of steps concerned. */
  readonly steps: number;
}

/**
 * Finds the predicates that cannot be evaluated in a trace because a field was not recorded (`notRecorded`). Evaluation decides: a
 * predicate that `&&`, `||` or `has` decides without the field is readable.
 */
export class Readability {
  readonly #definitions: readonly PredicateDefinition[];
  #compiled:
    | readonly { name: string; source: string; holds: ReturnType<typeof compilePredicate> }[]
    | undefined;

  constructor(predicates: readonly PredicateDefinition[]) {
    this.#definitions = predicates;
  }

  /** The unreadable predicates by name. Predicates that fail for another reason are not included. */
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
      // An expression whose source contains none of the fields reads none of them.
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

/** The field of `notRecorded`, or a field above it, whose absence made an evaluation fail; undefined for any other failure. */
export function notRecordedField(
  error: unknown,
  notRecorded: Readonly<Record<string, string>> = {},
): string | undefined {
  if (!(error instanceof EvaluationError) || error.missingField === undefined) return undefined;
  const { missingField } = error;
  return Object.keys(notRecorded).find((key) => key === missingField || missingField.startsWith(`${key}.`));
}

/** Advice to append to the message if an evaluation failed because of an unexplained absent field; empty for any other failure. */
export function adviceOnAbsent(error: EvaluationError): string {
  const isMisspelt = error.message.includes('did you mean');
  if (error.missingField === undefined || isMisspelt) return '';
  // What has no action was not badly measured: declared so, the step would not be judged at all.
  return error.missingField === 'action' || error.missingField.startsWith('action.')
    ? '; where a step may have none, as the last of a run, write `has(action.name) && ...`'
    : `; ${DECLARE_UNMEASURED}`;
}

/** Advice on how a trace declares that a field was not measured. */
export const DECLARE_UNMEASURED = 'if it was not measured, say so in notRecorded of the trace';
