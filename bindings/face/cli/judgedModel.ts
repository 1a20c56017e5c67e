import { InvalidArgumentError, InvalidDataError } from '../../base/errors.js';
import { learntParameters } from '../../estimation/learning/index.js';
import type { TraceNote } from '../../observations/trace/index.js';
import { type Specification, withoutPredicates } from '../../rules/specification/index.js';
import type { Model } from '../../solvers/model/index.js';
import { listed, refuse } from './judgement.js';

/** The part of a specification that can be judged with a model. */
export interface JudgedModel {
  /** The specification without the predicates that were left out of the model, and without the rules and constraints that read them. */
  readonly specification: Specification;
  /** The rules that are not judged, each with the fields that it reads and that no recording contains. */
  readonly notJudged: readonly { readonly rule: string; readonly fields: Readonly<Record<string, string>> }[];
  /** The same as sentences. */
  readonly notes: readonly TraceNote[];
}

/**
 * Determines which part of a specification can be judged with a model learnt from recordings that lack some fields.
 *
 * @throws InvalidDataError if nothing is left to judge, or, if `strict`, if anything is not judged
 */
export function judgedModel(specification: Specification, model: Model, strict = false): JudgedModel {
  const { notRecorded = {} } = isLearnt(model) ? learntParameters(model) : {};
  const { source } = specification;
  const remainder = withoutPredicates(specification, new Set(Object.keys(notRecorded)));
  const notJudged = Array.from(remainder.rules, ([rule, predicates]) => ({
    rule,
    fields: Object.fromEntries(predicates.map((name) => [notRecorded[name].field, notRecorded[name].reason])),
  }));
  const notes = notJudged.map(({ rule, fields }) => ({
    source,
    message: `rule "${rule}" is not judged: it reads ${listed(new Map(Object.entries(fields)))} by any trace that the model was learnt from`,
  }));
  if (strict) refuse(notes);
  if (notes.length > 0 && remainder.specification.rules.length === 0)
    throw new InvalidDataError(`no rule can be judged: ${notes[0].message}`);
  return { specification: remainder.specification, notJudged, notes };
}

function isLearnt({ parameters }: Model): boolean {
  return (parameters as { foreguard?: unknown } | undefined)?.foreguard !== undefined;
}

/** @throws InvalidArgumentError if a requested rule is not judged */
export function requireJudged({ notJudged, notes }: JudgedModel, asked: readonly string[]): void {
  const at = notJudged.findIndex(({ rule }) => asked.includes(rule));
  if (at >= 0) throw new InvalidArgumentError(notes[at].message);
}
