/**
 * What a guard read when it decided: no observation, only what follows from it, which is all that the decision depends on. Plain JSON;
 * `Guard.decideAgain` decides the same on it.
 */
export interface Observed {
  /** `propose` reads the same observation again, with another action; `step` a new one. */
  readonly call: 'step' | 'propose';
  /** Predicate i is bit `i & 31` of word `i >>> 5`. */
  readonly valuation: readonly number[];
  /** The bits that could be read; null is all. */
  readonly known: readonly number[] | null;
  /** The first predicate that could not be read. */
  readonly predicate: string | null;
  /** The time was no sampling period after the last. */
  readonly irregular: boolean;
  /** How often the observation before was read again, for steps that are missing. */
  readonly held: number;
  /** The action's abstraction: its name, refined by predicates over its arguments. Null: no action; `failed`: it could not be read. */
  readonly action: string | null | { readonly failed: string };
  /** Actions that were permitted before and will have run by then, in order. */
  readonly pending: readonly (string | { readonly failed: string })[];
}
