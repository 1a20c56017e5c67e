import type { EvaluationContext } from '../../languages/expression/runtime/index.js';
import type { Encoding } from '../../observations/abstraction/runtime/index.js';

const NO_FIELDS: Readonly<Record<string, unknown>> = {};

/**
 * Reads every readable predicate after one has failed, into `valuation` and `known`; returns the first that fails.
 *
 * @param errors gets the error of each predicate that fails, at its place
 */
export function readSingly(
  abstraction: Encoding,
  state: Readonly<Record<string, unknown>>,
  context: EvaluationContext,
  { valuation, known }: { readonly valuation: Uint32Array; readonly known: Uint32Array },
  errors: unknown[] | null,
): string | null {
  valuation.fill(0);
  known.fill(0);
  const fields = typeof state === 'object' && state !== null ? state : NO_FIELDS;
  let failed: string | null = null;
  abstraction.predicates.forEach((name, i) => {
    try {
      if (abstraction.holds(i, fields, context)) valuation[i >>> 5] |= 1 << (i & 31);
      known[i >>> 5] |= 1 << (i & 31);
    } catch (error) {
      if (errors !== null) errors[i] = error;
      failed ??= name;
    }
  });
  return failed;
}
