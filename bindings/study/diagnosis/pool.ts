import { EvaluationError } from '../../base/errors.js';
import { compilePredicate, parseExpression } from '../../languages/expression/index.js';
import type { PredicateDefinition } from '../../observations/abstraction/index.js';
import type { AbstractRun } from './abstractRuns.js';

/** A predicate that could be added, with its value at every step, runs one after the other. */
export interface Candidate {
  /** Null if it was made from a field. */
  readonly name: string | null;
  readonly expression: string;
  readonly holds: Uint8Array;
}

/** A predicate of the pool that has no value at some step. */
export interface FailedCandidate {
  readonly name: string;
  readonly expression: string;
  /** The first failure, with its place. */
  readonly message: string;
}

/** Maximal number of values of a field that are compared one by one; fields with more values are compared by thresholds. */
const VALUES = 6;
/** Number of equal shares into which thresholds divide the steps of a field. */
const SHARES = 8;
const DEPTH = 3;
/** Maximal number of field values kept for quantiles. */
const MAX_KEPT_VALUES = 100_000;

/**
 * Builds comparisons over the fields that all steps have: Boolean fields as they are, numbers and texts with few values by ==, other
 * numbers by >= at quantiles. Nested fields are `a.b`; lists are ignored.
 */
export function comparisons(runs: readonly AbstractRun[]): string[] {
  const steps = runs.flatMap((run) => run.steps);
  const every = Math.max(1, Math.ceil(steps.length / MAX_KEPT_VALUES));
  const fields = new Map<string, unknown[]>();
  const sampled = steps.filter((_, i) => i % every === 0);
  for (const { state } of sampled) collect(state, '', 1, fields);
  return [...fields].flatMap(([path, values]) =>
    values.length < sampled.length ? [] : compared(path, values),
  );
}

function collect(object: object, prefix: string, depth: number, into: Map<string, unknown[]>): void {
  for (const [name, value] of Object.entries(object)) {
    if (!/^[A-Za-z_]\w*$/.test(name) || NO_NAMES.has(name)) continue;
    const path = prefix + name;
    if (typeof value === 'object') {
      if (value !== null && !Array.isArray(value) && depth < DEPTH)
        collect(value, `${path}.`, depth + 1, into);
      continue;
    }
    const values = into.get(path);
    if (values === undefined) into.set(path, [value]);
    else values.push(value);
  }
}

/** Names with another meaning in expressions. */
const NO_NAMES = new Set(['time', 'action', 'true', 'false', 'null', 'in', 'length']);

function compared(path: string, values: readonly unknown[]): string[] {
  const [first] = values;
  if (values.some((value) => typeof value !== typeof first)) return [];
  if (typeof first === 'boolean') return [path];
  const distinct = [...new Set(values)];
  if (distinct.length === 1) return [];
  if (distinct.length <= VALUES) return distinct.map((value) => `${path} == ${JSON.stringify(value)}`);
  if (typeof first !== 'number') return [];
  const sorted = Float64Array.from(values as readonly number[]).sort();
  const thresholds = Array.from({ length: SHARES - 1 }, (_, i) => {
    const at = Math.floor(((i + 1) * sorted.length) / SHARES);
    return shortBetween(sorted.findLast((value) => value < sorted[at]) ?? sorted[at], sorted[at]);
  });
  return [...new Set(thresholds)]
    .filter((threshold) => Number.isFinite(threshold))
    .map((threshold) => `${path} >= ${threshold}`);
}

/** A number with few digits above `low` and at most `high`. */
function shortBetween(low: number, high: number): number {
  for (let digits = 1; digits < 17; digits++) {
    const short = Number((low + (high - low) / 2).toPrecision(digits));
    if (short > low && short <= high) return short;
  }
  return high;
}

/**
 * Evaluates predicates at all steps. Predicates that are always or never true are left out, and so are those equal to an earlier one or to
 * its negation.
 *
 * @param named predicates given by the user: their failures are reported; those made from fields are left out silently.
 * @throws ParseError, NotSupportedError if an expression is malformed
 */
export function candidates(
  runs: readonly AbstractRun[],
  named: readonly PredicateDefinition[],
  made: readonly string[],
): { candidates: Candidate[]; failed: FailedCandidate[] } {
  const size = runs.reduce((sum, { steps }) => sum + steps.length, 0);
  const kept = new Map<string, Candidate[]>();
  const failed: FailedCandidate[] = [];
  const add = (name: string | null, expression: string): void => {
    const source = name === null ? 'a comparison' : `predicate "${name}" of the pool`;
    const evaluate = compilePredicate(parseExpression(expression, { name: source }), name ?? undefined);
    const holds = new Uint8Array(size);
    let at = 0;
    for (const { id, steps, numbers } of runs) {
      for (const [i, step] of steps.entries()) {
        try {
          holds[at++] = evaluate(step.state, step) ? 1 : 0;
        } catch (error) {
          if (!(error instanceof EvaluationError)) throw error;
          if (name !== null)
            failed.push({
              name,
              expression,
              message: `trace "${id}", step ${numbers?.[i] ?? i}: ${error.message}`,
            });
          return;
        }
      }
    }
    const key = fingerprint(holds);
    const alike = kept.get(key) ?? [];
    if (key === '0' || alike.some((other) => sameSplit(other.holds, holds))) return;
    kept.set(key, [...alike, { name, expression, holds }]);
  };
  for (const { name, expression } of named) add(name, expression);
  for (const expression of made) add(null, expression);
  return { candidates: [...kept.values()].flat(), failed };
}

/** A fingerprint of a predicate, equal to that of its negation; `0` if it never changes. */
function fingerprint(holds: Uint8Array): string {
  let hash = 0;
  let ones = 0;
  holds.forEach((value, i) => {
    const bit = value ^ holds[0];
    ones += bit;
    if (bit) hash = (Math.imul(hash, 31) + i) | 0;
  });
  return ones === 0 ? '0' : `${ones}:${hash}`;
}

function sameSplit(a: Uint8Array, b: Uint8Array): boolean {
  const turned = a[0] ^ b[0];
  return a.every((value, i) => (value ^ turned) === b[i]);
}
